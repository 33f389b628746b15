// SPDX-License-Identifier: Apache-2.0

import CPixelBlocks

/// A map as straight lines in fixed point.
protocol WarpLines: Sendable {
    /// Returns the lines of a block of the result, row by row, as many in each row. They must give a pixel the same
    /// position in every block.
    func lines(of block: PixelArea) -> [pixel_warp_line]
}
