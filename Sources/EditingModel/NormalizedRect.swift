// SPDX-License-Identifier: Apache-2.0

/// A part of a picture in its own units: (0, 0) is the top left corner of the picture held upright, (1, 1)
/// the opposite one, whatever its proportions.
public struct NormalizedRect: Codable, Hashable, Sendable {
    /// The left edge, 0...1.
    public var x: Double
    /// The upper edge, 0...1.
    public var y: Double
    /// The width as a part of the picture's, 0...1.
    public var width: Double
    /// The height as a part of the picture's, 0...1.
    public var height: Double

    /// No part at all.
    public static let zero = NormalizedRect(x: 0, y: 0, width: 0, height: 0)

    /// Makes a rectangle; every argument is the property of its name.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Whether it is a part of a picture: not empty, and nothing of it outside the picture.
    public var isInUnitSquare: Bool {
        // A right edge that was computed may be beyond 1 by rounding.
        let limit = 1 + 1e-9
        return [x, y, width, height].allSatisfy(\.isFinite) && x >= 0 && y >= 0 && width > 0
            && height > 0 && x + width <= limit && y + height <= limit
    }
}
