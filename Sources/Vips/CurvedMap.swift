// SPDX-License-Identifier: Apache-2.0

import CPixelBlocks

/// A map of any shape, approximated by lines between positions at every 8th pixel of every 8th row of the result.
struct CurvedMap: WarpLines {
    private let map: any WarpMap

    init(_ map: any WarpMap) { self.map = map }

    /// The distance in pixels between evaluated positions.
    private static let cell = 1 << shift
    private static let shift = 3
    /// The largest magnitude of a position in pixels. A multiple of a difference still fits in 64 bits.
    private static let largest = Double(1 << 26)

    /// A position in pixels, with 32 fractional bits.
    private typealias Position = SIMD2<Int64>

    func lines(of block: PixelArea) -> [pixel_warp_line] {
        let (right, bottom) = (block.left + block.width, block.top + block.height)
        let firstColumn = block.left / Self.cell, lastColumn = (right - 1) / Self.cell
        var lines: [pixel_warp_line] = []
        lines.reserveCapacity(block.height * (lastColumn - firstColumn + 1))
        var upper: [Position] = [], lower: [Position] = []
        for row in block.top..<bottom {
            let within = row % Self.cell
            if row == block.top || within == 0 {
                let columns = firstColumn...lastColumn + 1
                upper = row == block.top ? columns.map { position($0, row / Self.cell) } : lower
                lower = columns.map { position($0, row / Self.cell + 1) }
            }
            let positions = zip(upper, lower).map { upper, lower in
                upper &+ ((lower &- upper) &* Int64(within)) &>> Int64(Self.shift)
            }
            for column in firstColumn...lastColumn {
                let index = column - firstColumn
                let step = (positions[index + 1] &- positions[index]) &>> Int64(Self.shift)
                let start = max(column * Self.cell, block.left)
                let end = min((column + 1) * Self.cell, right)
                let first = positions[index] &+ step &* Int64(start - column * Self.cell)
                lines.append(
                    pixel_warp_line(
                        x: first.x, y: first.y, x_step: step.x, y_step: step.y,
                        columns: end - start))
            }
        }
        return lines
    }

    private func position(_ column: Int, _ row: Int) -> Position {
        let position = map.position(
            ofX: Double(column * Self.cell), y: Double(row * Self.cell))
        return Position(Self.fixed(position.x), Self.fixed(position.y))
    }

    /// Converts a coordinate, rounded to the nearest phase instead of down.
    private static func fixed(_ number: Double) -> Int64 {
        let number = number.isNaN ? largest : max(-largest, min(number, largest))
        let half = Int64(1 << 31) / Int64(PIXEL_WARP_PHASES)
        return Int64((number * 4_294_967_296).rounded()) + half
    }
}
