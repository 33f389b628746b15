// SPDX-License-Identifier: Apache-2.0

import CPixelBlocks
import TestSupport
import Testing

@Suite("kernels of warps")
struct WarpKernelTests {
    private static let phases = {
        var phases = [pixel_warp_phase](
            repeating: pixel_warp_phase(), count: Int(PIXEL_WARP_PHASES))
        pixel_warp_fill(&phases)
        return phases
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

    /// The bytes of a block of a 32 × 32 picture.
    private static func warp(
        _ picture: [UInt8], _ lines: [pixel_warp_line], columns: Int, bands: Int, bytes: Int,
        repeatsEdges: Bool, storedBands: UInt32 = .max, _ code: pixel_warp_code
    ) -> [UInt8] {
        let area = pixel_warp_source(lines, lines.count)
        var space = [Float](
            repeating: .nan, count: Int(area.width * area.height) * Int(PIXEL_WARP_SPACE) / 4)
        var result = [UInt8](repeating: 0xa5, count: rows * columns * bands * bytes)
        // The part of the area inside the picture, or the nearest pixels.
        let left = max(0, min(area.left, 31)), top = max(0, min(area.top, 31))
        let right = max(1, min(area.left + area.width, 32))
        let bottom = max(1, min(area.top + area.height, 32))
        let part = pixel_warp_area(
            left: left, top: top, width: right - left, height: bottom - top)
        picture.withUnsafeBytes { picture in
            lines.withUnsafeBufferPointer { lines in
                phases.withUnsafeBufferPointer { phases in
                    space.withUnsafeMutableBytes { space in
                        result.withUnsafeMutableBytes { result in
                            var block = pixel_warp_block(
                                phases: phases.baseAddress, lines: lines.baseAddress,
                                rows: rows, columns: columns,
                                lines_per_row: lines.count / rows, bands: bands,
                                bytes_per_sample: bytes, area: area, part: part,
                                source: picture.baseAddress?.advanced(
                                    by: Int(top * 32 + left) * bands * bytes),
                                source_bytes_per_row: 32 * bands * bytes,
                                repeats_edges: repeatsEdges, space: space.baseAddress,
                                destination: result.baseAddress,
                                destination_bytes_per_row: columns * bands * bytes,
                                stored_bands: storedBands & (1 << bands - 1))
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

    @Test("the weights of each phase add up to one, and are those of the formula")
    func weights() {
        for (number, phase) in Self.phases.enumerated() {
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
