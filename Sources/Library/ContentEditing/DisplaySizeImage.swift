// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// A picture sized for the screen: uncompressed upright pixels with straight alpha, in rows from
/// top to bottom without padding.
public struct DisplaySizeImage: Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The bands and the bits per sample.
    public let pixelFormat: PixelFormat
    /// The colour profile of the pixels.
    public let profile: ColorProfile
    /// The photo's embedded ICC profile, if ``profile`` is `original` and there is one.
    /// Otherwise nil; an `original` without one is sRGB.
    public let originalProfile: Data?
    /// The pixel data; 16-bit samples are in native byte order.
    public let data: Data

    /// The number of samples per pixel, including alpha: 3 or 4.
    public var bands: Int { pixelFormat.hasAlpha ? 4 : 3 }
    /// The length of a row in bytes, without padding.
    public var bytesPerRow: Int { width * bands * pixelFormat.bitsPerSample / 8 }

    /// Creates an image from its properties.
    package init(layout: UncompressedLayout, originalProfile: Data?, data: Data) {
        width = layout.width
        height = layout.height
        pixelFormat = layout.pixelFormat
        profile = layout.profile
        self.originalProfile = originalProfile
        self.data = data
    }
}
