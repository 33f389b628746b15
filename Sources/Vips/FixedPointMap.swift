// SPDX-License-Identifier: Apache-2.0

import CPixelBlocks

/// An affine map with 32 fractional bits, so that the position of a pixel does not depend on the tile it is
/// computed in.
struct FixedPointMap: WarpLines {
    let maps = 1
    private let x: (step: Int64, rowStep: Int64, start: Int64)
    private let y: (step: Int64, rowStep: Int64, start: Int64)

    /// The largest magnitude of a position or a step, in pixels. The remaining bits are needed for sums and for
    /// neighbours.
    private static let largest = Double(1 << 28)

    /// Converts the map of an image of a given size, or returns nil if its numbers are not finite or exceed 2^28.
    init?(_ map: AffineMap, width: Int, height: Int) {
        let (right, bottom) = (Double(width - 1), Double(height - 1))
        let corners = [(0, 0), (right, 0), (0, bottom), (right, bottom)].flatMap { x, y in
            let position = map.position(ofX: x, y: y)
            return [position.x, position.y]
        }
        let numbers = corners + [map.xx, map.xy, map.yx, map.yy]
        guard numbers.allSatisfy({ $0.magnitude <= Self.largest }) else { return nil }
        // Rounds positions to the nearest phase instead of down.
        let half = Int64(1 << 31) / Int64(PIXEL_WARP_PHASES)
        x = (Self.fixed(map.xx), Self.fixed(map.xy), Self.fixed(map.x) + half)
        y = (Self.fixed(map.yx), Self.fixed(map.yy), Self.fixed(map.y) + half)
    }

    func lines(of block: PixelArea) -> [pixel_warp_line] {
        (0..<block.height).map { line(column: block.left, row: block.top + $0, block.width) }
    }

    func positions(of block: PixelArea) -> [pixel_warp_position] { [] }

    private func line(column: Int, row: Int, _ columns: Int) -> pixel_warp_line {
        let (column, row) = (Int64(column), Int64(row))
        return pixel_warp_line(
            x: x.step &* column &+ x.rowStep &* row &+ x.start,
            y: y.step &* column &+ y.rowStep &* row &+ y.start, x_step: x.step, y_step: y.step,
            columns: columns)
    }

    private static func fixed(_ number: Double) -> Int64 {
        Int64((number * 4_294_967_296).rounded())
    }
}
