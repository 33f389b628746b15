// SPDX-License-Identifier: Apache-2.0

/// How uncompressed pixels lie in memory: rows top to bottom without gaps, bands interleaved,
/// native byte order, straight alpha.
public struct RawLayout: Codable, Hashable, Sendable {
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int
    /// Layout of a pixel.
    public var pixelFormat: PixelFormat
    /// The RGB profile of the pixels.
    public var profile: ColorProfile

    /// Makes a layout.
    public init(width: Int, height: Int, pixelFormat: PixelFormat, profile: ColorProfile) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.profile = profile
    }

    /// Bytes of the whole picture.
    public var byteCount: Int {
        width * height * (pixelFormat.hasAlpha ? 4 : 3) * (pixelFormat.bitsPerSample / 8)
    }
}
