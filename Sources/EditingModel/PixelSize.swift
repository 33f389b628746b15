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

    /// Reads `WIDTHxHEIGHT`, each at least 1 and at most 2^20; nil where it says something else.
    public init?(_ text: String) {
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        let sides = 1...(1 << 20)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
            sides.contains(width), sides.contains(height)
        else { return nil }
        self.init(width: width, height: height)
    }

    /// `WIDTHxHEIGHT`.
    public var description: String { "\(width)x\(height)" }
}
