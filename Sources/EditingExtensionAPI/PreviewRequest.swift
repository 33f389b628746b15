// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues
import Vips

/// Which preview is wanted of a controller. To be used until `renderPreview` returns, on its thread.
public struct PreviewRequest {
    /// The width of the image relative to the photograph's true one. What a recipe holds in pixels is
    /// multiplied by it.
    public let scale: Double
    /// The part of the edited picture that will be looked at. The host cuts it out and reads nothing else;
    /// only who computes more than is read has to care.
    public let region: UnitRectangle
    /// Of a video: when the image is shown, in seconds from its beginning; 0 for a photograph.
    public let time: Double
    /// Of a video: how long it lasts, in seconds; 0 for a photograph.
    public let duration: Double
    private let source: (PixelAccess) throws -> Image

    /// Makes a request, for calling a controller without a host.
    public init(
        image: Image, scale: Double, region: UnitRectangle = .full, time: Double = 0,
        duration: Double = 0
    ) {
        self.time = time
        self.duration = duration
        self.scale = scale
        self.region = region
        source = { _ in image }
    }

    /// What the host says.
    init(_ pointer: UnsafePointer<ee_preview>?) throws(EditingExtensionError) {
        guard let pointer,
            let preview = growingStructure(
                at: UnsafeRawPointer(pointer), as: ee_preview.self,
                minimum: Int(EE_PREVIEW_SIZE_1_0))
        else {
            throw EditingExtensionError(code: .failed, message: "no preview, or a short one")
        }
        // Where the host is of 1.0 it is 0, as for photographs.
        let timescale = Double(preview.timescale)
        time = timescale > 0 ? Double(preview.time) / timescale : 0
        duration = timescale > 0 ? Double(preview.duration) / timescale : 0
        scale = preview.scale
        region = UnitRectangle(
            x: preview.x, y: preview.y, width: preview.width, height: preview.height)
        source = { access in
            var image: UnsafeMutablePointer<VipsImage>?
            var error = ee_error()
            let status = preview.image(pointer, access.raw, &image, &error)
            if let error = EditingExtensionError(status: status, error) { throw error }
            guard let image else {
                throw EditingExtensionError(code: .failed, message: "the host gave no image")
            }
            return Image(taking: image)
        }
    }

    /// The input at the scale: the display image or, for a part that is looked at closely, the full-size
    /// image.
    ///
    /// - Parameter access: In which order it will be read; `random` needs `"access": "random"` in the
    ///   manifest.
    /// - Throws: `EditingExtensionError`.
    public func image(access: PixelAccess = .sequential) throws -> Image { try source(access) }
}
