// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// Where a colour of the corrected picture is in the original.
struct LensPositions: WarpMap {
    /// A colour, by its index in lensfun's positions.
    enum Color: Int {
        case red, green, blue
    }

    private let optics: LensOptics
    private let color: Color

    init(_ optics: LensOptics, _ color: Color) {
        self.optics = optics
        self.color = color
    }

    func position(ofX column: Double, y row: Double) -> (x: Double, y: Double) {
        let positions = optics.positions(ofX: column, y: row)
        let index = 2 * color.rawValue
        return (Double(positions[index]), Double(positions[index + 1]))
    }
}
