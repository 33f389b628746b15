// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// Where the colours of pixels of the corrected picture are in the original.
struct LensColorPositions: ColorWarpMap {
    private let optics: LensOptics

    init(_ optics: LensOptics) { self.optics = optics }

    func positions(
        ofX column: Double, y row: Double
    ) -> (red: Position, green: Position, blue: Position) {
        let all = optics.positions(ofX: column, y: row)
        return (
            (Double(all[0]), Double(all[1])), (Double(all[2]), Double(all[3])),
            (Double(all[4]), Double(all[5]))
        )
    }
}
