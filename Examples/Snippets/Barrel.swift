// SPDX-License-Identifier: Apache-2.0

import Vips

/// The map of the guide to pixels.
struct Barrel: WarpMap {
    let centre: (x: Double, y: Double)
    let strength: Double

    func position(ofX column: Double, y row: Double) -> (x: Double, y: Double) {
        let (right, down) = (column - centre.x, row - centre.y)
        let factor = 1 - strength * (right * right + down * down)
        return (centre.x + right * factor, centre.y + down * factor)
    }
}
