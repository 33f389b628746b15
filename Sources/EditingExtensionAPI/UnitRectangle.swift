// SPDX-License-Identifier: Apache-2.0

/// A rectangle in unit coordinates of a picture: (0, 0) is the top left corner, (1, 1) the bottom right. It is the
/// value of a `rectangle` parameter.
public struct UnitRectangle: Codable, Hashable, Sendable {
    /// The left edge, 0...1.
    public var x: Double
    /// The top edge, 0...1.
    public var y: Double
    /// The width, greater than 0 and at most 1 - x.
    public var width: Double
    /// The height, greater than 0 and at most 1 - y.
    public var height: Double

    /// Creates a rectangle from its left edge, top edge and size.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The rectangle of the whole picture.
    public static let full = UnitRectangle(x: 0, y: 0, width: 1, height: 1)
}
