// SPDX-License-Identifier: Apache-2.0

import CPixelBlocks

/// One or three maps as straight lines in fixed point.
protocol WarpLines: Sendable {
    /// 1, or 3 for red, green and blue.
    var maps: Int { get }

    /// Returns the lines of a block of the result, row by row, as many in each, for one map after the other. They must
    /// give a pixel the same position in every block.
    func lines(of block: PixelArea) -> [pixel_warp_line]

    /// Returns the positions at the corners of all cells of a block, row by row, for one map after the other. Empty if
    /// the map has no cells. The lines are those between the positions.
    func positions(of block: PixelArea) -> [pixel_warp_position]
}
