// SPDX-License-Identifier: Apache-2.0

/// A rectangle in normalised image coordinates.
///
/// (0, 0) is the top left corner of the upright image and (1, 1) the bottom right corner, regardless of the
/// aspect ratio.
public struct NormalizedRect: Codable, Hashable, Sendable {
    /// The left edge, 0...1.
    public var x: Double
    /// The top edge, 0...1.
    public var y: Double
    /// The width as a fraction of the image width, 0...1.
    public var width: Double
    /// The height as a fraction of the image height, 0...1.
    public var height: Double

    /// An empty rectangle at the origin.
    public static let zero = NormalizedRect(x: 0, y: 0, width: 0, height: 0)

    /// Creates a rectangle from normalised coordinates, which are not validated.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// `true` if the rectangle is finite, not empty and within the image.
    public var isInUnitSquare: Bool {
        // Tolerates a computed right edge that rounding moves beyond 1.
        let limit = 1 + 1e-9
        return [x, y, width, height].allSatisfy(\.isFinite) && x >= 0 && y >= 0 && width > 0
            && height > 0 && x + width <= limit && y + height <= limit
    }
}
