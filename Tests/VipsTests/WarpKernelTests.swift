// SPDX-License-Identifier: Apache-2.0

import CPixelBlocks
import TestSupport
import Testing

@Suite("kernels of warps")
struct WarpKernelTests {
    private static nonisolated(unsafe) let weights = {
        let weights = UnsafeMutablePointer<pixel_warp_weights>.allocate(capacity: 1)
        pixel_warp_fill(weights)
        return weights
    }()

    /// Random steps and starts, with more than a whole circle and shrinking among them. Rows have one line, or several
    /// of these columns.
    private static func lines(
        rows: Int, columns: [Int], _ generator: inout SeededGenerator
    ) -> [pixel_warp_line] {
        let steps = -3 << 32...Int64(3 << 32)
        let starts = -8 << 32...Int64(40 << 32)
        return (0..<rows * columns.count).map { index in
            pixel_warp_line(
                x: .random(in: starts, using: &generator),
                y: .random(in: starts, using: &generator),
                x_step: .random(in: steps, using: &generator),
                y_step: .random(in: steps, using: &generator),
                columns: columns[index % columns.count])
        }
    }

    /// The number of rows of a block.
    private static let rows = 16

    /// The positions of the corners of cells.
    private struct Cells {
        var positions: [pixel_warp_position]
        var left: Int
        var top: Int
    }

    /// The bytes of a block of a 32 × 32 picture. The lines or positions are those of all maps.
    private static func warp(
        _ picture: [UInt8], _ lines: [pixel_warp_line], _ cells: Cells? = nil, maps: Int = 1,
        columns: Int, bands: Int, bytes: Int, repeatsEdges: Bool, storedBands: UInt32 = .max,
        _ code: pixel_warp_code
    ) -> [UInt8] {
        let area =
            cells.map { pixel_warp_cell_source($0.positions, $0.positions.count) }
            ?? pixel_warp_source(lines, lines.count)
        var space = [Float](
            repeating: .nan, count: Int(area.width * area.height) * Int(PIXEL_WARP_SPACE) / 4)
        var result = [UInt8](repeating: 0xa5, count: rows * columns * bands * bytes)
        // The part of the area inside the picture, or the nearest pixels.
        let left = max(0, min(area.left, 31)), top = max(0, min(area.top, 31))
        let right = max(1, min(area.left + area.width, 32))
        let bottom = max(1, min(area.top + area.height, 32))
        let part = pixel_warp_area(
            left: left, top: top, width: right - left, height: bottom - top)
        let positions = cells?.positions ?? []
        picture.withUnsafeBytes { picture in
            lines.withUnsafeBufferPointer { lines in
                positions.withUnsafeBufferPointer { positions in
                    space.withUnsafeMutableBytes { space in
                        result.withUnsafeMutableBytes { result in
                            var block = pixel_warp_block(
                                weights: weights, maps: maps, stored_bands: storedBands,
                                rows: rows, columns: columns,
                                lines: cells == nil ? lines.baseAddress : nil,
                                lines_per_row: lines.count / (maps * rows),
                                positions: positions.baseAddress, left: cells?.left ?? 0,
                                top: cells?.top ?? 0, bands: bands, bytes_per_sample: bytes,
                                area: area, part: part,
                                source: picture.baseAddress?.advanced(
                                    by: Int(top * 32 + left) * bands * bytes),
                                source_bytes_per_row: 32 * bands * bytes,
                                repeats_edges: repeatsEdges, space: space.baseAddress,
                                destination: result.baseAddress,
                                destination_bytes_per_row: columns * bands * bytes)
                            pixel_warp(&block, code)
                        }
                    }
                }
            }
        }
        return result
    }

    /// Random samples, with extremes in a third of the pixels.
    private static func picture(
        bands: Int, bytes: Int, _ generator: inout SeededGenerator
    ) -> [UInt8] {
        var picture: [UInt8] = []
        for index in 0..<32 * 32 * bands * bytes {
            switch index / (bands * bytes) % 6 {
            case 0: picture.append(0)
            case 1: picture.append(255)
            default: picture.append(.random(in: 0...255, using: &generator))
            }
        }
        return picture
    }

    @Test(
        "plain C, baseline vectors and AVX2 give the same bytes", arguments: [3, 4], [1, 2])
    func everyProcessor(bands: Int, bytes: Int) {
        var generator = SeededGenerator(seed: TestSeed.seed())
        let picture = Self.picture(bands: bands, bytes: bytes, &generator)
        for columns in [[1], [2], [3], [7], [8], [31], [63], [64], [16, 16], [5, 16, 16, 16, 11]] {
            for repeatsEdges in [false, true] {
                let lines = Self.lines(rows: Self.rows, columns: columns, &generator)
                let results = [PIXEL_WARP_PLAIN, PIXEL_WARP_BASELINE, PIXEL_WARP_BEST].map {
                    Self.warp(
                        picture, lines, columns: columns.reduce(0, +), bands: bands, bytes: bytes,
                        repeatsEdges: repeatsEdges, $0)
                }
                #expect(results[1] == results[0], "\(columns), seed \(TestSeed.seed())")
                #expect(results[2] == results[0], "\(columns), seed \(TestSeed.seed())")
                #expect(Set(results[0]).count > 1)
            }
        }
    }

    @Test("a line gives the same bytes in one piece and in several", arguments: [3, 4], [1, 2])
    func pieces(bands: Int, bytes: Int) {
        var generator = SeededGenerator(seed: TestSeed.seed())
        let picture = Self.picture(bands: bands, bytes: bytes, &generator)
        let whole = Self.lines(rows: Self.rows, columns: [64], &generator)
        let pieces = whole.flatMap { line in
            [(0, 5), (5, 16), (21, 16), (37, 16), (53, 11)].map { start, columns in
                pixel_warp_line(
                    x: line.x + line.x_step * Int64(start),
                    y: line.y + line.y_step * Int64(start), x_step: line.x_step,
                    y_step: line.y_step, columns: columns)
            }
        }
        let results = [whole, pieces].map {
            Self.warp(
                picture, $0, columns: 64, bands: bands, bytes: bytes, repeatsEdges: true,
                PIXEL_WARP_BEST)
        }
        #expect(results[0] == results[1], "seed \(TestSeed.seed())")
    }

    @Test("only the chosen bands are written", arguments: [3, 4], [1, 2])
    func storedBands(bands: Int, bytes: Int) {
        var generator = SeededGenerator(seed: TestSeed.seed())
        let picture = Self.picture(bands: bands, bytes: bytes, &generator)
        let lines = Self.lines(rows: Self.rows, columns: [31], &generator)
        let results = [UInt32.max, 0b0010, 0b1100].map {
            Self.warp(
                picture, lines, columns: 31, bands: bands, bytes: bytes, repeatsEdges: true,
                storedBands: $0, PIXEL_WARP_BEST)
        }
        for index in results[0].indices {
            let band = index / bytes % bands
            #expect(results[1][index] == (band == 1 ? results[0][index] : 0xa5))
            #expect(results[2][index] == (band >= 2 ? results[0][index] : 0xa5))
        }
    }

    /// Random positions of three maps, less than a number of pixels apart, at the corners of the cells of a block.
    private static func cells(
        left: Int, top: Int, columns: Int, within: Int64, _ generator: inout SeededGenerator
    ) -> Cells {
        let perRow = (left % 8 + columns - 1) / 8 + 2
        let count = 3 * perRow * ((top % 8 + rows - 1) / 8 + 2)
        let used: Int64 = -1 << Int64(PIXEL_WARP_UNUSED)
        let range = -8 << 32...within << 32
        let positions = (0..<count).map { _ in
            pixel_warp_position(
                x: .random(in: range, using: &generator) & used,
                y: .random(in: range, using: &generator) & used)
        }
        return Cells(positions: positions, left: left, top: top)
    }

    @Test(
        "colours with three maps have the bytes of each map, on every processor",
        arguments: [3, 4], [1, 2])
    func colors(bands: Int, bytes: Int) {
        var generator = SeededGenerator(seed: TestSeed.seed())
        let picture = Self.picture(bands: bands, bytes: bytes, &generator)
        // The last area is larger than the code for AVX2 accepts.
        for (left, top, columns, within) in [
            (0, 0, 1, 40), (23, 7, 1, 40), (16, 8, 64, 40), (13, 3, 64, 40), (8, 1, 9, 300),
            (15, 5, 31, 40), (8, 0, 16, 700),
        ] {
            for repeatsEdges in [false, true] {
                let cells = Self.cells(
                    left: left, top: top, columns: columns, within: Int64(within), &generator)
                let single = (0..<3).map { map in
                    let count = cells.positions.count / 3
                    let lines = Self.lines(
                        between: Array(cells.positions[map * count..<(map + 1) * count]),
                        left: left, top: top, columns: columns)
                    return Self.warp(
                        picture, lines, columns: columns, bands: bands, bytes: bytes,
                        repeatsEdges: repeatsEdges, PIXEL_WARP_PLAIN)
                }
                var expected = single[1]
                for index in expected.indices {
                    let band = index / bytes % bands
                    expected[index] = single[band == 3 ? 1 : band][index]
                }
                for code in [PIXEL_WARP_PLAIN, PIXEL_WARP_BASELINE, PIXEL_WARP_BEST] {
                    let result = Self.warp(
                        picture, [], cells, maps: 3, columns: columns, bands: bands, bytes: bytes,
                        repeatsEdges: repeatsEdges, code)
                    #expect(result == expected, "\(columns), seed \(TestSeed.seed())")
                }
            }
        }
    }

    /// The lines of one of three maps.
    private static func lines(
        between positions: [pixel_warp_position], maps: Int = 3, left: Int, top: Int, columns: Int,
        rows: Int = rows
    ) -> [pixel_warp_line] {
        let cells = (left % 8 + columns - 1) / 8 + 1
        var lines = [pixel_warp_line](
            repeating: .init(x: 0, y: 0, x_step: 0, y_step: 0, columns: 0), count: rows * cells)
        pixel_warp_interpolate(positions, maps, left, top, columns, rows, &lines)
        return lines
    }

    @Test("a pixel has the same position in every block of cells", arguments: [1, 3])
    func cells(maps: Int) {
        var generator = SeededGenerator(seed: TestSeed.seed())
        let positions = (0..<4 * 5).map { _ in
            pixel_warp_position(
                x: .random(in: -8 << 32...40 << 32, using: &generator),
                y: .random(in: -8 << 32...40 << 32, using: &generator))
        }
        // The pixels 16 to 47 of the rows 8 to 31.
        func places(_ left: Int, _ top: Int, _ columns: Int, _ rows: Int) -> [[Int64]] {
            let corners = (top / 8...(top + rows - 1) / 8 + 1).flatMap { row in
                (left / 8...(left + columns - 1) / 8 + 1).map { positions[5 * (row - 1) + $0 - 2] }
            }
            let lines = Self.lines(
                between: corners, maps: maps, left: left, top: top, columns: columns, rows: rows)
            return lines.flatMap { line in
                (0..<Int64(line.columns)).map {
                    [line.x + $0 * line.x_step, line.y + $0 * line.y_step]
                }
            }
        }
        let whole = places(16, 8, 32, 24)
        for (left, top, columns, rows) in [
            (16, 8, 1, 1), (47, 31, 1, 1), (18, 9, 3, 5), (23, 15, 2, 2), (17, 12, 31, 20),
        ] {
            var expected: [[Int64]] = []
            for row in top..<top + rows {
                let start = (row - 8) * 32 + left - 16
                expected += whole[start..<start + columns]
            }
            let block = places(left, top, columns, rows)
            #expect(block == expected, "seed \(TestSeed.seed())")
        }
        // Corners are positions themselves.
        #expect(whole[0] == [positions[0].x, positions[0].y])
        #expect(whole[8 * 32 + 16] == [positions[7].x, positions[7].y])
    }

    @Test("the weights of each phase add up to one, and are those of the formula")
    func weights() {
        let phases = withUnsafeBytes(of: Self.weights.pointee.phases) {
            Array($0.bindMemory(to: pixel_warp_phase.self))
        }
        for (number, phase) in phases.enumerated() {
            let fixed = [phase.fixed.0, phase.fixed.2, phase.fixed.4, phase.fixed.6]
            let twice = [phase.fixed.1, phase.fixed.3, phase.fixed.5, phase.fixed.7]
            let numbers = [phase.number.0, phase.number.1, phase.number.2, phase.number.3]
            #expect(fixed == twice)
            #expect(fixed.reduce(0) { $0 + Int($1) } == 1 << 14)
            let t = Double(number) / 256
            let exact = [
                (-t * t * t + 2 * t * t - t) / 2, (3 * t * t * t - 5 * t * t + 2) / 2,
                (-3 * t * t * t + 4 * t * t + t) / 2, (t * t * t - t * t) / 2,
            ]
            for pixel in 0..<4 {
                #expect(abs(Double(fixed[pixel]) / 16384 - exact[pixel]) < 2.0 / 16384)
                #expect(abs(Double(numbers[pixel]) - exact[pixel]) < 1e-7)
            }
        }
    }
}
