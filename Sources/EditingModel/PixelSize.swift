// SPDX-License-Identifier: Apache-2.0

/// The size of an image in pixels.
public struct PixelSize: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The number of columns.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// Creates a size from a width and a height in pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Parses `WIDTHxHEIGHT`, each 1...2^20; `nil` if the text is malformed or out of range.
    public init?(_ text: String) {
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        let sides = 1...(1 << 20)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
            sides.contains(width), sides.contains(height)
        else { return nil }
        self.init(width: width, height: height)
    }

    /// The size as `WIDTHxHEIGHT`.
    public var description: String { "\(width)x\(height)" }
}
