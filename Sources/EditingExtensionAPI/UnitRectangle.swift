// SPDX-License-Identifier: Apache-2.0

/// A rectangle in units of a picture: origin top left, (1, 1) bottom right. The value of a
/// `rectangle` parameter.
public struct UnitRectangle: Codable, Hashable, Sendable {
    /// The left edge, 0...1.
    public var x: Double
    /// The top edge, 0...1.
    public var y: Double
    /// The width, above 0, at most 1 - x.
    public var width: Double
    /// The height, above 0, at most 1 - y.
    public var height: Double

    /// Makes a rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The whole picture.
    public static let full = UnitRectangle(x: 0, y: 0, width: 1, height: 1)
}
