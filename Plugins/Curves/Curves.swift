// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// Tone curves of encoded values: one for all channels, then one for each channel, then one for luma.
struct Curves: PhotoFilter {
    static let identifier = "org.edithost.curves"
    static let version = "1.0"

    /// The curve of all three channels.
    var rgb = Curve.identity
    /// The curve of red, applied after ``rgb``.
    var red = Curve.identity
    /// The curve of green, applied after ``rgb``.
    var green = Curve.identity
    /// The curve of blue, applied after ``rgb``.
    var blue = Curve.identity
    /// The curve of luma, applied last. The colour differences stay the same, as if the picture were stored as Y'CbCr.
    var luminance = Curve.identity

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        let isNeutral = [rgb, red, green, blue, luminance].allSatisfy { $0 == .identity }
        return isNeutral ? image : try image.mapping(CurveKernel(self, depth: image.format))
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Curves.self, host: host)
}
