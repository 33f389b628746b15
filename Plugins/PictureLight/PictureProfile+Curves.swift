// SPDX-License-Identifier: Apache-2.0

import CPictureLight

extension PictureProfile {
    /// Sets the tables of transfer curves that `pl_curves_make` has made for a number of levels.
    package func set(_ curves: inout pl_curves, levels: Int) throws {
        let light = try light(of: (0..<levels).map { Double($0) / Double(levels - 1) })
        let positions = PiecewiseFunction.lightPositions
        let encoding = try encoded(positions)
        let lightTables = [curves.light.0, curves.light.1, curves.light.2]
        let encodingTables = [curves.encoding.0, curves.encoding.1, curves.encoding.2]
        for band in 0..<3 {
            lightTables[band]?.update(from: light[band], count: levels)
            PiecewiseFunction.set(
                encodingTables[band], to: encoding[band].map(Double.init), at: positions)
        }
        // Most profiles have one curve, whose table is then in the processor's cache only once.
        guard light[1] == light[0], light[2] == light[0] else { return }
        curves.light = (curves.light.0, curves.light.0, curves.light.0)
        curves.encoding = (curves.encoding.0, curves.encoding.0, curves.encoding.0)
    }
}

/// Copies numbers to an array of floats in C, which Swift imports as a tuple.
package func copy<Floats>(_ numbers: [Double], to floats: inout Floats) {
    withUnsafeMutableBytes(of: &floats) { memory in
        _ = memory.bindMemory(to: Float.self).update(from: numbers.map { Float($0) })
    }
}
