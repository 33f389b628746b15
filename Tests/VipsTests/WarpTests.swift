// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import Vips

@Suite("warped images")
struct WarpTests {
    private static let layouts: [(BandFormat, Int)] = [
        (.uchar, 3), (.uchar, 4), (.ushort, 3), (.ushort, 4),
    ]
    private static let angles = [45.0, -45, 3.5, -0.01, 90]

    /// A turn about the centres of two pictures, clockwise.
    private static func turn(
        _ angle: Double, _ from: (Int, Int), _ to: (Int, Int), scale: Double = 1
    ) -> AffineMap {
        let (cosine, sine) = (cos(angle * .pi / 180) * scale, sin(angle * .pi / 180) * scale)
        let centre = (x: Double(from.0 - 1) / 2, y: Double(from.1 - 1) / 2)
        let (right, down) = (Double(to.0 - 1) / 2, Double(to.1 - 1) / 2)
        return AffineMap(
            xx: cosine, xy: sine, x: centre.x - cosine * right - sine * down,
            yx: -sine, yy: cosine, y: centre.y + sine * right - cosine * down)
    }

    /// The cubics of Keys with a = -1/2, by distance.
    private static func weight(_ distance: Double) -> Double {
        let d = abs(distance)
        return d < 1
            ? 1.5 * d * d * d - 2.5 * d * d + 1 : -0.5 * d * d * d + 2.5 * d * d - 4 * d + 2
    }

    /// The formula in double precision for the samples of a pixel, at positions rounded to 1/256 pixel.
    private static func exact(
        _ picture: TestRaster, _ map: AffineMap, _ x: Int, _ y: Int, _ edges: WarpEdges
    ) -> [Double] {
        let position = map.position(ofX: Double(x), y: Double(y))
        let (right, down) = ((position.x * 256).rounded() / 256, (position.y * 256).rounded() / 256)
        let (left, top) = (Int(right.rounded(.down)) - 1, Int(down.rounded(.down)) - 1)
        var sums = [Double](repeating: 0, count: 4)
        for row in top..<top + 4 {
            for column in left..<left + 4 {
                let weight = weight(right - Double(column)) * weight(down - Double(row))
                let pixel = picture.pixel(column, row, edges)
                let alpha = picture.bands == 4 ? pixel[3] : 1
                for band in 0..<3 { sums[band] += weight * pixel[band] * alpha }
                sums[3] += weight * alpha
            }
        }
        guard picture.bands == 4 else { return Array(sums.prefix(3)) }
        return (0..<3).map { sums[3] > 0 ? sums[$0] / sums[3] : 0 } + [sums[3]]
    }

    @Test("the identity returns the same samples", arguments: layouts)
    func identity(format: BandFormat, bands: Int) throws {
        for (width, height) in [(1, 1), (3, 2), (65, 130), (300, 7)] {
            let picture = try TestRaster(
                width: width, height: height, bands: bands, format: format, seed: TestSeed.seed())
            for edges in [WarpEdges.repeated, .empty] {
                let result = try picture.image.warped(
                    by: .identity, width: width, height: height, edges: edges)
                #expect(try result.samples() == picture.visible, "seed \(TestSeed.seed())")
                #expect(result.format == format && result.bands == bands)
                #expect(result.interpretation == picture.image.interpretation)
            }
        }
    }

    @Test(
        "whole steps move pixels, and repeat edges or leave the outside empty", arguments: layouts)
    func wholeSteps(format: BandFormat, bands: Int) throws {
        let picture = try TestRaster(
            width: 70, height: 20, bands: bands, format: format, seed: TestSeed.seed())
        // A quarter turn, moved, and far outside.
        for map in [
            AffineMap(xx: 0, xy: 1, x: -5, yx: -1, yy: 0, y: 22),
            AffineMap(xx: 1, xy: 0, x: 9000, yx: 0, yy: 1, y: -8000),
            AffineMap(xx: -2, xy: 0, x: 80, yx: 0, yy: 3, y: -30),
        ] {
            for edges in [WarpEdges.repeated, .empty] {
                let result = try picture.image.warped(
                    by: map, width: 40, height: 80, edges: edges)
                var expected: [UInt16] = []
                for y in 0..<80 {
                    for x in 0..<40 {
                        let (column, row) = map.position(ofX: Double(x), y: Double(y))
                        let pixel = picture.pixel(Int(column), Int(row), edges)
                        expected += pixel.map { UInt16(bands == 4 && pixel[3] == 0 ? 0 : $0) }
                    }
                }
                #expect(try result.samples() == expected, "\(map), seed \(TestSeed.seed())")
            }
        }
    }

    @Test("noise is rounded to the level nearest to the formula", arguments: layouts, angles)
    func noise(layout: (BandFormat, Int), angle: Double) throws {
        let (format, bands) = layout
        let picture = try TestRaster(
            width: 90, height: 75, bands: bands, format: format, seed: TestSeed.seed())
        let largest: Double = format == .uchar ? 255 : 65535
        // Half a level, and the rounding of sums; 16 bits times alpha exceed a floating-point mantissa.
        let tolerance = format == .ushort && bands == 4 ? 1.0 : 0.6
        for (edges, scale) in [
            (WarpEdges.repeated, 1.0), (.empty, 0.3), (.repeated, 9), (.empty, 40),
        ] {
            let map = Self.turn(angle, (90, 75), (80, 70), scale: scale)
            let samples = try picture.image.warped(by: map, width: 80, height: 70, edges: edges)
                .samples()
            var farthest = 0.0
            for pixel in stride(from: 0, to: 80 * 70, by: 7) {
                let expected = Self.exact(picture, map, pixel % 80, pixel / 80, edges)
                // A colour of little opacity is a quotient of small numbers.
                let isFaint = bands == 4 && expected[3] < largest / 50
                for band in (isFaint ? 3 : 0)..<bands {
                    let exact = max(0, min(expected[band], largest))
                    farthest = max(farthest, abs(Double(samples[pixel * bands + band]) - exact))
                }
            }
            #expect(farthest <= tolerance, "\(edges), \(scale), seed \(TestSeed.seed())")
        }
    }

    @Test("a smooth pattern is as close to its function as bicubic interpolation allows")
    func analytic() throws {
        func pattern(_ x: Double, _ y: Double) -> Double { 128 + 60 * sin(x / 3) + 60 * cos(y / 4) }
        let picture = try TestRaster(width: 120, height: 100, bands: 3, format: .uchar) { x, y, _ in
            UInt16(pattern(Double(x), Double(y)).rounded())
        }
        let map = Self.turn(3.5, (120, 100), (100, 80))
        let samples = try picture.image.warped(by: map, width: 100, height: 80).samples()
        var sum = 0.0
        for pixel in 0..<100 * 80 {
            let (x, y) = map.position(ofX: Double(pixel % 100), y: Double(pixel / 100))
            let difference = Double(samples[3 * pixel]) - pattern(x, y)
            #expect(abs(difference) < 3)
            sum += difference * difference
        }
        // Rounding twice is 0.4; a shift by a tenth of a pixel is more than 1.4.
        #expect((sum / 8000).squareRoot() < 0.6)
    }

    @Test("every tile has the same samples as the whole", arguments: layouts)
    func tiles(format: BandFormat, bands: Int) throws {
        let picture = try TestRaster(
            width: 211, height: 307, bands: bands, format: format, seed: TestSeed.seed())
        for (map, edges) in [
            (Self.turn(31, (211, 307), (290, 270)), WarpEdges.empty),
            (Self.turn(-3.5, (211, 307), (290, 270), scale: 3), .repeated),
        ] {
            let result = try picture.image.warped(by: map, width: 290, height: 270, edges: edges)
            let whole = try result.samples()
            for (left, top, width, height) in [
                (0, 0, 1, 1), (289, 269, 1, 1), (63, 64, 3, 130), (17, 101, 260, 7),
                (0, 5, 290, 66),
            ] {
                let tile = try result.applying(
                    "extract_area",
                    [
                        "left": .integer(left), "top": .integer(top), "width": .integer(width),
                        "height": .integer(height),
                    ])
                var expected: [UInt16] = []
                for row in top..<top + height {
                    let start = (row * 290 + left) * bands
                    expected += whole[start..<start + width * bands]
                }
                #expect(try tile.samples() == expected, "seed \(TestSeed.seed())")
            }
        }
    }

    @Test("narrow pictures can be turned by any angle", arguments: layouts, angles)
    func narrow(layout: (BandFormat, Int), angle: Double) throws {
        let (format, bands) = layout
        let largest: UInt16 = format == .uchar ? 255 : 65535
        for (width, height) in [(1, 1), (1, 20000), (20000, 1)] {
            let picture = try TestRaster(
                width: width, height: height, bands: bands, format: format
            ) { _, _, _ in largest }
            let map = Self.turn(angle, (width, height), (150, 130))
            let filled = try picture.image.warped(by: map, width: 150, height: 130)
            #expect(try filled.samples().allSatisfy { $0 == largest })
            let empty = try picture.image.warped(by: map, width: 150, height: 130, edges: .empty)
            let corner = try empty.samples().prefix(bands)
            #expect(corner.allSatisfy { $0 == 0 })
        }
    }

    @Test("a transparent colour does not bleed", arguments: [BandFormat.uchar, .ushort])
    func bleeding(format: BandFormat) throws {
        let largest: UInt16 = format == .uchar ? 255 : 65535
        let red: UInt16 = format == .uchar ? 200 : 51400
        let picture = try TestRaster(width: 40, height: 40, bands: 4, format: format) {
            x, _, band in
            x < 20 ? [red, 0, 0, largest][band] : [0, largest, 0, 0][band]
        }
        let map = Self.turn(20, (40, 40), (40, 40))
        let samples = try picture.image.warped(by: map, width: 40, height: 40).samples()
        var mixed = 0
        for pixel in stride(from: 0, to: samples.count, by: 4) where samples[pixel + 3] > 0 {
            mixed += samples[pixel + 3] < largest ? 1 : 0
            #expect(samples[pixel + 1] == 0)
            // A colour of little opacity is a quotient of small numbers.
            let difference = abs(Int(samples[pixel]) - Int(red))
            #expect(difference * Int(samples[pixel + 3]) <= Int(largest))
        }
        #expect(mixed > 20)
    }

    @Test("maps and pictures out of range are rejected")
    func refusals() throws {
        let (image, _) = try Pictures.make(width: 4, height: 4, bands: 3)
        for map in [
            AffineMap(xx: .nan, xy: 0, x: 0, yx: 0, yy: 1, y: 0),
            AffineMap(xx: 1, xy: 0, x: .infinity, yx: 0, yy: 1, y: 0),
            AffineMap(xx: 1, xy: 0, x: 0, yx: 0, yy: 1, y: -3e8),
            AffineMap(xx: 1, xy: 1e8, x: 0, yx: 0, yy: 1, y: 0),
        ] {
            let error = #expect(throws: VipsError.self) {
                try image.warped(by: map, width: 4, height: 4)
            }
            #expect(error?.code == .invalidValue)
        }
        for (width, height) in [(0, 1), (1, -1), (10_000_001, 1), (1, .max)] {
            let error = #expect(throws: VipsError.self) {
                try image.warped(by: .identity, width: width, height: height)
            }
            #expect(error?.code == .invalidValue)
        }
        let (gray, _) = try Pictures.make(width: 4, height: 4, bands: 1)
        let numbers = try Image(
            samples: [Float](repeating: 1, count: 3), width: 1, height: 1, bands: 3)
        for image in [gray, numbers] {
            let error = #expect(throws: VipsError.self) {
                try image.warped(by: .identity, width: 4, height: 4)
            }
            #expect(error?.code == .unsupportedFormat)
        }
    }
}
