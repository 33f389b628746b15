// SPDX-License-Identifier: Apache-2.0

/// The memory layout of uncompressed pixels.
///
/// Rows are top to bottom without padding. Bands are interleaved, in native byte order, with straight alpha.
public struct UncompressedLayout: Codable, Hashable, Sendable {
    /// The number of pixels per row.
    public var width: Int
    /// The number of rows.
    public var height: Int
    /// The bands and the bits per sample of a pixel.
    public var pixelFormat: PixelFormat
    /// The RGB profile of the pixels.
    public var profile: ColorProfile

    /// Creates a layout of `width` × `height` pixels.
    public init(width: Int, height: Int, pixelFormat: PixelFormat, profile: ColorProfile) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.profile = profile
    }

    /// The size of the whole image in bytes.
    public var byteCount: Int {
        width * height * (pixelFormat.hasAlpha ? 4 : 3) * (pixelFormat.bitsPerSample / 8)
    }
}
