// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The settings with which a picture is rendered for display: 8-bit, at the required size.
package struct DisplaySettings: Codable, Hashable, Sendable {
    /// The use of a thumbnail embedded in the file instead of the picture.
    package enum EmbeddedThumbnail: String, Codable, Hashable, Sendable {
        /// Ignores the thumbnail.
        case unused
        /// Uses the thumbnail if it is at least as large as the requested size. The raw value is part of cache keys.
        case ifLargeEnough = "whereLargeEnough"
        /// Uses only the thumbnail, whatever its size. If there is none with the picture's aspect ratio, nothing is
        /// rendered: the answer is `rendered` with zero pixels.
        case only
    }

    /// The requested size, with the aspect ratio of the rendered part and no larger than it. Nil keeps the size.
    package var box: PixelSize?
    /// Whether the result has exactly the requested size. Otherwise it may be larger, by less than a factor of two,
    /// if that takes less work.
    package var isExact = true
    /// The part to render. Nil means the whole picture.
    package var crop: NormalizedRect?
    /// Whether the pixels keep their colour profile and bit depth. Otherwise they are converted to 8-bit sRGB.
    package var keepsProfile = false
    /// Whether transparent pixels are composited onto white.
    package var isOpaque = false
    /// The use of an embedded thumbnail.
    package var thumbnail = EmbeddedThumbnail.unused
    /// The encoding of the picture in the descriptor `output`. Nil means none.
    package var encoding: EncodeSettings?
    /// Whether to write uncompressed pixels to the descriptor `pixels`. If that is missing, the answer is
    /// `outputNeeded`.
    package var writesPixels = true

    /// Whether the base comes from a library's cache: upright, in sRGB, at the requested size.
    package var isFromCache = false

    /// Creates settings that render the whole picture unchanged.
    package init() {}
}
