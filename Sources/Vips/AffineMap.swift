// SPDX-License-Identifier: Apache-2.0

/// An affine map from the pixels of a result to positions in the source.
///
/// The pixel (x, y) of the result shows the source at (`xx` · x + `xy` · y + `x`, `yx` · x + `yy` · y + `y`).
/// Coordinates are in pixels in both images. The centre of the top left pixel is (0, 0).
public struct AffineMap: WarpMap, Hashable {
    /// The step to the right in the source for each pixel to the right.
    public var xx: Double
    /// The step to the right in the source for each pixel down.
    public var xy: Double
    /// The horizontal position in the source of the result's top left pixel.
    public var x: Double
    /// The step down in the source for each pixel to the right.
    public var yx: Double
    /// The step down in the source for each pixel down.
    public var yy: Double
    /// The vertical position in the source of the result's top left pixel.
    public var y: Double

    /// Creates a map from its six coefficients, row by row.
    public init(xx: Double, xy: Double, x: Double, yx: Double, yy: Double, y: Double) {
        (self.xx, self.xy, self.x) = (xx, xy, x)
        (self.yx, self.yy, self.y) = (yx, yy, y)
    }

    /// Returns the position in the source that a pixel of the result shows.
    public func position(ofX column: Double, y row: Double) -> (x: Double, y: Double) {
        (xx * column + xy * row + x, yx * column + yy * row + y)
    }
}
