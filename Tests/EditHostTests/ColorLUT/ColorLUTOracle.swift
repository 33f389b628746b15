// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A look-up table in double precision, and its text.
struct ColorLUTOracle {
    /// Colours at equal distances between the inputs `start` and `end`.
    struct Grid {
        var size = 0
        var start = [0.0, 0, 0]
        var end = [1.0, 1, 1]
        var colors: [[Double]] = []
    }

    var curve = Grid()
    var cube = Grid()

    /// A cube of random colours, some of which are outside of 0...1.
    static func random(size: Int, seed: UInt64) -> ColorLUTOracle {
        var oracle = ColorLUTOracle()
        oracle.cube = Grid(size: size, colors: randomColors(size * size * size, seed))
        return oracle
    }

    static func randomColors(_ count: Int, _ seed: UInt64) -> [[Double]] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            (0..<3).map { _ in Double(Int.random(in: -200_000...1_200_000, using: &random)) / 1e6 }
        }
    }

    /// A cube with the colours of a function of red, green and blue.
    static func cube(size: Int, _ function: ([Double]) -> [Double]) -> ColorLUTOracle {
        var oracle = ColorLUTOracle()
        let levels = (0..<size).map { Double($0) / Double(size - 1) }
        oracle.cube = Grid(
            size: size,
            colors: levels.flatMap { blue in
                levels.flatMap { green in levels.map { red in function([red, green, blue]) } }
            })
        return oracle
    }

    /// The rows of a `.cube` file.
    var rows: String {
        (curve.colors + cube.colors).map { "\($0[0]) \($0[1]) \($0[2])\n" }.joined()
    }

    /// A `.cube` file with one table from 0 to 1.
    var text: String {
        (curve.size > 0 ? "LUT_1D_SIZE \(curve.size)\n" : "LUT_3D_SIZE \(cube.size)\n") + rows
    }

    /// Returns the color for a color.
    func color(_ input: [Double]) -> [Double] {
        var color = input
        if curve.size > 0 {
            color = (0..<3).map { band in
                let (index, fraction) = place(input[band], band, in: curve)
                let (from, to) = (curve.colors[index][band], curve.colors[index + 1][band])
                return from * (1 - fraction) + to * fraction
            }
        }
        return cube.size > 0 ? interpolated(color) : color
    }

    private func place(_ value: Double, _ band: Int, in grid: Grid) -> (Int, Double) {
        let (start, end) = (grid.start[band], grid.end[band])
        let position =
            (min(max(value, start), end) - start) / (end - start) * Double(grid.size - 1)
        let index = min(Int(position), grid.size - 2)
        return (index, position - Double(index))
    }

    /// From the corner of least red, green and blue, goes along the axes in descending order of their fractions.
    private func interpolated(_ color: [Double]) -> [Double] {
        let places = (0..<3).map { place(color[$0], $0, in: cube) }
        var corner = places.map(\.0)
        func point() -> [Double] {
            cube.colors[corner[0] + cube.size * (corner[1] + cube.size * corner[2])]
        }
        var result = point()
        for axis in (0..<3).sorted(by: { places[$0].1 > places[$1].1 }) {
            let before = point()
            corner[axis] += 1
            let after = point()
            for band in 0..<3 { result[band] += (after[band] - before[band]) * places[axis].1 }
        }
        return result
    }
}
