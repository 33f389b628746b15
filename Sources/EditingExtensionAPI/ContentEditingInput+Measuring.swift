// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import Vips

extension ContentEditingInput {
    /// Returns the input at a small size, for automatic settings. For a trusted extension and without earlier edits, it
    /// is decoded as small as the format allows. It is in memory, and can be read in any order.
    ///
    /// All calls for this input with the same size return equal pixels, in previews and in `finish`. They may differ in
    /// another session, so store what was measured in the recipe. May be called on any thread.
    ///
    /// - Parameter longestSide: The longer side in pixels, at least 1. A picture is never enlarged, and is at most as
    ///   large as the display image.
    /// - Throws: `EditingExtensionError` with `unsupported` if the controller renders a recipe, or in an older host.
    public func reducedImage(longestSide: Int) throws -> Image {
        guard
            let pixels = Registration.capability(
                EE_CAPABILITY_PIXELS, as: ee_pixels.self, minimum: Int(EE_PIXELS_SIZE_1_1))
        else {
            throw EditingExtensionError(
                code: .unsupported, message: "the host offers no reduced input")
        }
        return try withInput { input in
            var image: UnsafeMutablePointer<VipsImage>?
            var error = ee_error()
            let status = pixels.reduced_image(
                input, UInt32(clamping: longestSide), &image, &error)
            if let error = EditingExtensionError(status: status, error) { throw error }
            guard let image else {
                throw EditingExtensionError(code: .failed, message: "the host gave no image")
            }
            return Image(taking: image)
        }
    }
}
