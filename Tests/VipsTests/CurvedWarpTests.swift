// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing
import Vips

@Suite("warped images with curved maps")
struct CurvedWarpTests {
    /// A barrel about the centre of a picture of 160 × 140 pixels, with a factor for its strength.
    private struct Barrel: WarpMap {
        var strength = 1.0

        func position(ofX column: Double, y row: Double) -> (x: Double, y: Double) {
            let (right, down) = (column - 79.5, row - 69.5)
            let factor = 1 - strength * 4e-6 * (right * right + down * down)
            return (79.5 + right * factor, 69.5 + down * factor)
        }
    }

    /// Barrels of red, green and blue.
    private struct Barrels: ColorWarpMap {
        var strengths = (1.0, 1.1, 1.2)

        func positions(
            ofX column: Double, y row: Double
        ) -> (red: Position, green: Position, blue: Position) {
            let (red, green, blue) = strengths
            return (
                Barrel(strength: red).position(ofX: column, y: row),
                Barrel(strength: green).position(ofX: column, y: row),
                Barrel(strength: blue).position(ofX: column, y: row)
            )
        }
    }

    /// Any map of a position.
    private struct AnyMap: WarpMap {
        let map: @Sendable (Double, Double) -> (x: Double, y: Double)

        func position(ofX column: Double, y row: Double) -> (x: Double, y: Double) {
            map(column, row)
        }
    }

    @Test("a smooth pattern is as close to its function as bicubic interpolation allows")
    func analytic() throws {
        func pattern(_ x: Double, _ y: Double) -> Double {
            32768 + 15000 * sin(x / 9) + 15000 * cos(y / 11)
        }
        let picture = try TestRaster(width: 160, height: 140, bands: 3, format: .ushort) {
            x, y, _ in UInt16(pattern(Double(x), Double(y)).rounded())
        }
        let map = Barrel()
        let samples = try picture.image.warped(by: map, width: 160, height: 140).samples()
        var farthest = 0.0
        for y in 4..<136 {
            for x in 4..<156 {
                let position = map.position(ofX: Double(x), y: Double(y))
                let expected = pattern(position.x, position.y)
                farthest = max(farthest, abs(Double(samples[3 * (160 * y + x)]) - expected))
            }
        }
        // The slope is up to 1700 per pixel in each direction. The position is half of 1/256 pixel off by its phase, and
        // up to 0.03 by the grid, because the picture is small.
        #expect(farthest < 60)
    }

    @Test("a straight map gives the samples of the affine map", arguments: [3, 4])
    func straight(bands: Int) throws {
        let picture = try TestRaster(
            width: 90, height: 75, bands: bands, format: .uchar, seed: TestSeed.seed())
        // Multiples of the fixed point, so that no position is rounded.
        let affine = AffineMap(xx: 0.75, xy: 0.125, x: -3.5, yx: -0.25, yy: 1.5, y: 7.25)
        let straight = AnyMap { affine.position(ofX: $0, y: $1) }
        for edges in [WarpEdges.repeated, .empty] {
            let expected = try picture.image.warped(
                by: affine, width: 100, height: 70, edges: edges)
            let result = try picture.image.warped(
                by: straight, width: 100, height: 70, edges: edges)
            #expect(try result.samples() == expected.samples(), "seed \(TestSeed.seed())")
        }
    }

    @Test("every tile has the same samples as the whole", arguments: [3, 4])
    func tiles(bands: Int) throws {
        let picture = try TestRaster(
            width: 160, height: 140, bands: bands, format: .uchar, seed: TestSeed.seed())
        let result = try picture.image.warped(byColors: Barrels(), width: 160, height: 140)
        let whole = try result.samples()
        for (left, top, width, height) in [
            (0, 0, 1, 1), (159, 139, 1, 1), (63, 61, 3, 70), (17, 101, 130, 7), (0, 5, 160, 66),
        ] {
            let tile = try result.applying(
                "extract_area",
                [
                    "left": .integer(left), "top": .integer(top), "width": .integer(width),
                    "height": .integer(height),
                ])
            var expected: [UInt16] = []
            for row in top..<top + height {
                let start = (row * 160 + left) * bands
                expected += whole[start..<start + width * bands]
            }
            #expect(try tile.samples() == expected, "seed \(TestSeed.seed())")
        }
    }

    @Test(
        "each colour follows its own map, and alpha that of green",
        arguments: [BandFormat.uchar, .ushort], [3, 4])
    func colors(format: BandFormat, bands: Int) throws {
        let largest: UInt16 = format == .uchar ? 255 : 65535
        let noise = try TestRaster(
            width: 160, height: 140, bands: 3, format: format, seed: TestSeed.seed())
        let opaque = try noise.image.samples()
        let picture = try TestRaster(width: 160, height: 140, bands: bands, format: format) {
            x, y, band in band == 3 ? largest : opaque[3 * (160 * y + x) + band]
        }
        let maps = [Barrel(strength: 0.9), Barrel(), Barrel(strength: 1.2)]
        let result = try picture.image.warped(
            byColors: Barrels(strengths: (0.9, 1, 1.2)), width: 160, height: 140
        ).samples()
        for band in 0..<3 {
            let expected = try picture.image.warped(by: maps[band], width: 160, height: 140)
                .samples()
            var (farthest, others) = (0, 0)
            for index in stride(from: band, to: result.count, by: bands) {
                let difference = abs(Int(result[index]) - Int(expected[index]))
                farthest = max(farthest, difference)
                // Products with two sums of alpha are rounded differently.
                if difference > (bands == 4 ? 1 : 0) { others += 1 }
            }
            // Positions of three maps have fewer bits, so that some are rounded to the phase before.
            #expect(farthest <= largest / 85, "band \(band), seed \(TestSeed.seed())")
            #expect(others <= 160 * 140 / 100, "band \(band), seed \(TestSeed.seed())")
        }
        for index in stride(from: 3, to: bands == 4 ? result.count : 0, by: 4) {
            #expect(result[index] == largest)
        }
    }

    @Test("positions that are not finite or far away are outside")
    func outside() throws {
        let picture = try TestRaster(width: 20, height: 20, bands: 3, format: .uchar) { _, _, _ in
            200
        }
        for number in [Double.nan, .infinity, -.infinity, 1e300, -1e10] {
            let map = AnyMap { x, _ in (number, x) }
            let empty = try picture.image.warped(by: map, width: 40, height: 40, edges: .empty)
            #expect(try empty.samples().allSatisfy { $0 == 0 })
            let filled = try picture.image.warped(by: map, width: 40, height: 40)
            #expect(try filled.samples().allSatisfy { $0 == 200 })
        }
        // From one end of the range to the other within a cell.
        let torn = AnyMap { x, y in (x < 16 ? -1e300 : 1e300, y) }
        let result = try picture.image.warped(by: torn, width: 40, height: 40)
        #expect(try result.samples().allSatisfy { $0 == 200 })
    }

    @Test("colours that are far apart are those of their own maps", arguments: [3, 4])
    func farColors(bands: Int) throws {
        let picture = try TestRaster(width: 300, height: 300, bands: bands, format: .uchar) {
            x, _, band in band == 3 ? 255 : UInt16(x < 150 ? 10 + band : 100 + band)
        }
        struct Apart: ColorWarpMap {
            func positions(
                ofX column: Double, y row: Double
            ) -> (red: Position, green: Position, blue: Position) {
                ((column - 1000, row - 1000), (150, row), (1e9, -1e9))
            }
        }
        let result = try picture.image.warped(byColors: Apart(), width: 10, height: 5).samples()
        let pixel: [UInt16] = bands == 4 ? [10, 101, 102, 255] : [10, 101, 102]
        #expect(result == (0..<50).flatMap { _ in pixel })
    }

    /// Counts the pixels that are computed.
    private final class CountingFiller: AreaFiller {
        private let counted = Mutex(0)
        var count: Int { counted.withLock { $0 } }

        func fill(
            _ area: PixelArea, _ pixels: UnsafeMutableRawPointer, bytesPerRow: Int
        ) -> String? {
            counted.withLock { $0 += area.width * area.height }
            for row in 0..<area.height {
                memset(pixels + row * bytesPerRow, 100, 3 * area.width)
            }
            return nil
        }
    }

    @Test("pixels of a lazy source are computed about once, also for three maps")
    func lazySource() throws {
        let (width, height) = (640, 512)
        let (image, _) = try Pictures.make(width: width, height: height, bands: 3)
        let filler = CountingFiller()
        let lazy = try image.filled(width: width, height: height, bands: 3, by: filler)
        struct Fringes: ColorWarpMap {
            func positions(
                ofX column: Double, y row: Double
            ) -> (red: Position, green: Position, blue: Position) {
                ((column * 0.9995, row * 0.9995), (column, row), (column * 0.999, row * 0.999))
            }
        }
        let samples = try lazy.warped(byColors: Fringes(), width: width, height: height).samples()
        #expect(samples.allSatisfy { $0 == 100 })
        // Neighbouring tiles share a few pixels.
        #expect(Double(filler.count) < 1.1 * Double(width * height), "\(filler.count)")
    }
}
