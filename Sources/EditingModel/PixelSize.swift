// SPDX-License-Identifier: Apache-2.0

/// A size in pixels.
public struct PixelSize: Codable, Hashable, Sendable, CustomStringConvertible {
    /// Pixels from left to right.
    public var width: Int
    /// Pixels from top to bottom.
    public var height: Int

    /// Makes a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// `WIDTHxHEIGHT`.
    public var description: String { "\(width)x\(height)" }
}
