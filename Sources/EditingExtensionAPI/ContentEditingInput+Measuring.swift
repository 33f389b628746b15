// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import Vips

extension ContentEditingInput {
    /// Returns the input at a small size, for automatic settings. It is in memory, and can be read in any order.
    ///
    /// If the extension is trusted and the photo has no earlier edits, the host decodes it at the smallest size
    /// that the format allows.
    ///
    /// All calls for this input with the same size return equal pixels, in previews and in `finish`. The pixels may
    /// differ in another session, so store the results of the measurement in the recipe. May be called on any thread.
    ///
    /// - Parameter longestSide: The maximum length of the longer side in pixels, at least 1. The picture is never
    ///   enlarged, and is at most as large as the display image.
    /// - Throws: `EditingExtensionError` with `unsupported` if the controller renders a stored recipe, or if the host
    ///   is too old to reduce the input.
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
