// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

extension PhotoFilterContext {
    /// Returns the image to edit in light, in ProPhoto RGB if its own profile is not a matrix with curves. The output
    /// then has that profile, too.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` if the profile is damaged.
    package func withMatrixProfile(_ image: Image) throws -> Image {
        let converted = try image.withMatrixProfile()
        if converted.pointer != image.pointer { setProfile(.proPhotoRGB) }
        return converted
    }
}
