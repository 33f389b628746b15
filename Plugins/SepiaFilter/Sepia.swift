// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// Applies a sepia tone, as defined by the `sepia()` function of W3C Filter Effects.
struct Sepia: PhotoFilter {
    static let identifier = "org.edithost.sepia"
    static let version = "1.0"

    /// The intensity, from 0 (no effect) to 1 (full sepia).
    var intensity = 1.0

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        guard (0...1).contains(intensity) else {
            throw EditingExtensionError(
                code: .badParameter, message: "intensity must be 0 to 1, not \(intensity)")
        }
        guard image.bands == 3 || image.bands == 4 else {
            throw EditingExtensionError(
                code: .unsupported, message: "the image has \(image.bands) bands, not 3 or 4")
        }
        return intensity == 0 ? image : try image.mapping(ColorMatrix(sepia: intensity))
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Sepia.self, host: host)
}
