// SPDX-License-Identifier: Apache-2.0

/// The maps of red, green and blue, for ``Image/warped(byColors:width:height:edges:)``. The same as ``WarpMap`` in all
/// other respects.
public protocol ColorWarpMap: Sendable {
    /// A position in the source, in pixels.
    typealias Position = (x: Double, y: Double)

    /// Returns the positions in the source that red, green and blue of a pixel of the result show.
    ///
    /// Must return equal positions for equal pixels. Called on several threads, for pixels up to 8 beyond the result.
    func positions(
        ofX column: Double, y row: Double
    ) -> (red: Position, green: Position, blue: Position)
}
