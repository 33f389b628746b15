// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues
import Vips

/// The parameters of a requested preview. Valid until `renderPreview` returns, on the calling thread.
public struct PreviewRequest {
    /// The image's width divided by the photo's actual width. Multiply lengths in pixels in a recipe by it.
    public let scale: Double
    /// The part of the edited picture that will be displayed. The host crops to it and reads nothing else, so only
    /// controllers that compute eagerly need it.
    public let region: UnitRectangle
    /// The presentation time in seconds from the start of the video; 0 for a photo.
    public let time: Double
    /// The duration of the video in seconds; 0 for a photo.
    public let duration: Double
    private let source: (PixelAccess) throws -> Image
    private let profileSetter: (OutputProfile) throws -> Void

    /// Creates a request for calling a controller without a host.
    public init(
        image: Image, scale: Double, region: UnitRectangle = .full, time: Double = 0,
        duration: Double = 0
    ) {
        self.time = time
        self.duration = duration
        self.scale = scale
        self.region = region
        source = { _ in image }
        profileSetter = { _ in }
    }

    /// Copies the host's structure.
    init(_ pointer: UnsafePointer<ee_preview>?) throws(EditingExtensionError) {
        guard let pointer,
            let preview = growingStructure(
                at: UnsafeRawPointer(pointer), as: ee_preview.self,
                minimum: Int(EE_PREVIEW_SIZE_1_0))
        else {
            throw EditingExtensionError(code: .failed, message: "no preview, or a short one")
        }
        // The timescale is 0 for photos, and in hosts of contract 1.0.
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
        profileSetter = { profile in
            guard let setProfile = preview.set_profile else {
                throw EditingExtensionError(
                    code: .unsupported,
                    message: "this version of the host has no previews in another profile than "
                        + "the input's; update it")
            }
            var error = ee_error()
            let status = profile.rawValue.withCString { setProfile(pointer, $0, &error) }
            if let error = EditingExtensionError(status: status, error) { throw error }
        }
    }

    /// Returns the input at ``scale``. This is the display image, a smaller image for a small preview, or the full-size
    /// image for a magnified part.
    ///
    /// - Parameter access: The order in which the image will be read.
    /// - Throws: `EditingExtensionError` if the host cannot provide the image.
    public func image(access: PixelAccess = .sequential) throws -> Image { try source(access) }

    /// Sets the colour profile of the returned image. Without a call, it is that of the input.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` for a video, and if the host is too old.
    public func setProfile(_ profile: OutputProfile) throws { try profileSetter(profile) }
}
