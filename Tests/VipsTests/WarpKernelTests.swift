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

    /// Random steps and starts, with more than a whole circle and shrinking among them.
    private static func lines(
        rows: Int, _ generator: inout SeededGenerator
    ) -> [pixel_warp_line] {
        let steps = -3 << 32...Int64(3 << 32)
        let starts = -8 << 32...Int64(40 << 32)
        return (0..<rows).map { _ in
            pixel_warp_line(
                x: .random(in: starts, using: &generator),
                y: .random(in: starts, using: &generator),
                x_step: .random(in: steps, using: &generator),
                y_step: .random(in: steps, using: &generator))
        }
    }

    /// The bytes of a block of a 32 × 32 picture.
    private static func warp(
        _ picture: [UInt8], _ lines: [pixel_warp_line], columns: Int, bands: Int, bytes: Int,
        repeatsEdges: Bool, _ code: pixel_warp_code
    ) -> [UInt8] {
        let area = pixel_warp_source(lines, lines.count, columns)
        var space = [Float](
            repeating: .nan, count: Int(area.width * area.height) * Int(PIXEL_WARP_SPACE) / 4)
        var result = [UInt8](repeating: 0xa5, count: lines.count * columns * bands * bytes)
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
                                rows: lines.count, columns: columns, bands: bands,
                                bytes_per_sample: bytes, area: area, part: part,
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

    @Test(
        "plain C, baseline vectors and AVX2 give the same bytes", arguments: [3, 4], [1, 2])
    func everyProcessor(bands: Int, bytes: Int) {
        var generator = SeededGenerator(seed: TestSeed.seed())
        let picture = (0..<32 * 32 * bands * bytes).map { index -> UInt8 in
            // Extremes in a third of the pixels.
            switch index / (bands * bytes) % 6 {
            case 0: 0
            case 1: 255
            default: .random(in: 0...255, using: &generator)
            }
        }
        for columns in [1, 2, 3, 7, 8, 31, 63, 64] {
            for repeatsEdges in [false, true] {
                let lines = Self.lines(rows: 16, &generator)
                let results = [PIXEL_WARP_PLAIN, PIXEL_WARP_BASELINE, PIXEL_WARP_BEST].map {
                    Self.warp(
                        picture, lines, columns: columns, bands: bands, bytes: bytes,
                        repeatsEdges: repeatsEdges, $0)
                }
                #expect(results[1] == results[0], "\(columns), seed \(TestSeed.seed())")
                #expect(results[2] == results[0], "\(columns), seed \(TestSeed.seed())")
                #expect(Set(results[0]).count > 1)
            }
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
