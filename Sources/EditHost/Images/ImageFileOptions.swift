// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library

/// The version, size and format of pictures written to files.
package struct ImageFileOptions: Sendable {
    /// The box in pixels; `nil` for the size of the version.
    package var size: PixelSize?
    /// The scaling of the picture: it fits into the box or covers it.
    package var contentMode = ImageContentMode.aspectFit
    /// The version, the resize mode and the crop.
    package var request = ImageRequestOptions()
    /// The file format; `nil` for JPEG, or WebP if there is alpha.
    package var format: MediaFormat?
    /// The quality of a lossy format, from 1 to 100; `nil` for the default.
    package var quality: Int?

    /// Creates the default options.
    package init() {}
}
