// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// A picture for the screen: uncompressed pixels, rows from top to bottom without gaps, upright,
/// straight alpha.
public struct DisplaySizeImage: Sendable {
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Bands and bits of a pixel.
    public let pixelFormat: PixelFormat
    /// The colour profile of the pixels.
    public let profile: ColorProfile
    /// The bytes of the photograph's own ICC profile, where ``profile`` is `original` and it has one;
    /// without, the pixels are sRGB.
    public let originalProfile: Data?
    /// The pixels: 16-bit numbers in native byte order.
    public let data: Data

    /// Makes an image; every argument is the property of its name.
    package init(layout: RawLayout, originalProfile: Data?, data: Data) {
        width = layout.width
        height = layout.height
        pixelFormat = layout.pixelFormat
        profile = layout.profile
        self.originalProfile = originalProfile
        self.data = data
    }
}
