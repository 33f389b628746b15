// SPDX-License-Identifier: Apache-2.0

/// A point in normalised image coordinates: origin top left, (1, 1) bottom right. It is the value of a `point`
/// parameter.
///
/// As a control point of a curve, x is the input and y the output.
public struct UnitPoint: Codable, Hashable, Sendable {
    /// The horizontal position from the left edge, 0...1; the input of a curve.
    public var x: Double
    /// The vertical position from the top edge, 0...1; the output of a curve.
    public var y: Double

    /// Creates a point from normalised coordinates, which are not validated.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}
