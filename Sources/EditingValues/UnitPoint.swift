// SPDX-License-Identifier: Apache-2.0

/// A point in units of a picture: origin top left, (1, 1) bottom right. The value of a `point`
/// parameter. Of a curve: x is what comes in and y what goes out.
public struct UnitPoint: Codable, Hashable, Sendable {
    /// From the left edge, 0...1; of a curve what comes in.
    public var x: Double
    /// From the top edge, 0...1; of a curve what goes out.
    public var y: Double

    /// Makes a point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}
