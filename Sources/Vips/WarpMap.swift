// SPDX-License-Identifier: Apache-2.0

/// A map from the pixels of a result to the positions in the source that they show, for
/// ``Image/warped(by:width:height:edges:)``.
///
/// Coordinates are in pixels, and the centre of the top left pixel is (0, 0), in both images.
///
/// Maps other than ``AffineMap`` are evaluated at every 8th pixel of every 8th row, and linear in between. With second
/// derivatives of at most d per pixel, that is at most 16 d pixels off: 0.002 for a lens and 12 megapixels.
public protocol WarpMap: Sendable {
    /// Returns the position in the source that a pixel of the result shows. It may be outside the source. Positions
    /// that are not finite or beyond 2^26 pixels are far outside.
    ///
    /// Must return equal positions for equal pixels. Called on several threads, for pixels up to 8 beyond the result.
    func position(ofX column: Double, y row: Double) -> (x: Double, y: Double)
}

extension WarpMap where Self == AffineMap {
    /// The map that leaves each pixel where it is.
    public static var identity: AffineMap { AffineMap(xx: 1, xy: 0, x: 0, yx: 0, yy: 1, y: 0) }
}
