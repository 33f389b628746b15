// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// Where pixels of the corrected picture are in the original, if all colours are at one position.
struct LensPositions: WarpMap {
    private let optics: LensOptics

    init(_ optics: LensOptics) { self.optics = optics }

    func position(ofX column: Double, y row: Double) -> (x: Double, y: Double) {
        let positions = optics.positions(ofX: column, y: row)
        return (Double(positions[2]), Double(positions[3]))
    }
}
