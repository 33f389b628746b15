// SPDX-License-Identifier: Apache-2.0

import CPixelBlocks

/// A map of any shape, or the maps of three colours, approximated by lines between positions at every 8th pixel of every
/// 8th row of the result.
struct CurvedMap: WarpLines {
    let maps: Int
    /// Returns the positions of a pixel: as many as there are maps.
    private let evaluate: @Sendable (_ column: Double, _ row: Double) -> [3 of SIMD2<Double>]

    init(_ map: some WarpMap) {
        maps = 1
        evaluate = { column, row in
            let position = map.position(ofX: column, y: row)
            return .init(repeating: SIMD2(position.x, position.y))
        }
    }

    init(_ map: some ColorWarpMap) {
        maps = 3
        evaluate = { column, row in
            let (red, green, blue) = map.positions(ofX: column, y: row)
            return [SIMD2(red.x, red.y), SIMD2(green.x, green.y), SIMD2(blue.x, blue.y)]
        }
    }

    /// The largest magnitude of a position in pixels. A multiple of a difference still fits in 64 bits.
    private static let largest = Double(1 << 26)

    func lines(of block: PixelArea) -> [pixel_warp_line] {
        let positions = positions(of: block)
        let count = block.height * (Self.cells(block.left, block.width).count - 1)
        return [pixel_warp_line](unsafeUninitializedCapacity: maps * count) { lines, initialized in
            positions.withUnsafeBufferPointer { positions in
                for map in 0..<maps {
                    pixel_warp_interpolate(
                        positions.baseAddress?.advanced(by: map * positions.count / maps), maps,
                        block.left, block.top, block.width, block.height,
                        lines.baseAddress?.advanced(by: map * count))
                }
            }
            initialized = maps * count
        }
    }

    func positions(of block: PixelArea) -> [pixel_warp_position] {
        let columns = Self.cells(block.left, block.width)
        let rows = Self.cells(block.top, block.height)
        let cell = Double(PIXEL_WARP_CELL), count = columns.count * rows.count
        return [pixel_warp_position](unsafeUninitializedCapacity: maps * count) {
            positions, initialized in
            var index = 0
            for row in rows {
                for column in columns {
                    let found = evaluate(Double(column) * cell, Double(row) * cell)
                    for map in 0..<maps {
                        positions[map * count + index] = pixel_warp_position(
                            x: fixed(found[map].x), y: fixed(found[map].y))
                    }
                    index += 1
                }
            }
            initialized = maps * count
        }
    }

    /// The corners of the cells of a side of a block.
    private static func cells(_ first: Int, _ count: Int) -> ClosedRange<Int> {
        let cell = Int(PIXEL_WARP_CELL)
        return first / cell...(first + count - 1) / cell + 1
    }

    /// Converts a coordinate, rounded to the nearest phase instead of down.
    private func fixed(_ number: Double) -> Int64 {
        let largest = Self.largest
        let number = number.isNaN ? largest : max(-largest, min(number, largest))
        let scaled = number * 4_294_967_296, whole = Int64(scaled)
        // The same as rounded(), which is a call.
        let rest = scaled - Double(whole)
        let rounded = rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
        let position = rounded + Int64(1 << 31) / Int64(PIXEL_WARP_PHASES)
        return maps == 1 ? position : position & (-1 << Int64(PIXEL_WARP_UNUSED))
    }
}
