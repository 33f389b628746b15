// SPDX-License-Identifier: Apache-2.0

import CYCbCr
import TestSupport
import Testing

/// Conversion between YCbCr and RGB, checked in floating point by the formulas of Rec. ITU-R BT.709 and BT.601.
@Suite("YCbCr conversion")
struct ConversionTests {
    /// Sizes with one block and several, with whole and partial vectors, and with chroma only at the edges.
    static let sizes = [(2, 2), (4, 6), (34, 10), (258, 12), (2050, 6), (4110, 4)]
    static let codings = [
        coding(0.2126, 0.0722, isFull: false), coding(0.2126, 0.0722, isFull: true),
        coding(0.299, 0.114, isFull: false), coding(0.2627, 0.0593, isFull: true),
    ]

    static func coding(_ red: Double, _ blue: Double, isFull: Bool) -> ycbcr_coding {
        ycbcr_coding(red: red, blue: blue, is_full: isFull, is_halved: true, is_left: true)
    }

    // MARK: - To RGB

    @Test(
        "4:2:0 becomes RGB by Catmull-Rom interpolation and the matrix", arguments: sizes,
        [true, false])
    func toRGB(size: (Int, Int), isLeft: Bool) {
        for var coding in Self.codings {
            coding.is_left = isLeft
            let picture = YCbCr(width: size.0, height: size.1)
            let expected = picture.expectedRGB(coding)
            let found = picture.rgb(coding, plain: false)
            #expect(
                found == picture.rgb(coding, plain: true),
                "AVX2 gives something else, \(YCbCr.seed)")
            expectNear(found, expected, within: 1.75)
        }
    }

    @Test("an odd last column and row have chroma", arguments: [(3, 3), (33, 9), (2049, 3)])
    func odd(size: (Int, Int)) {
        let picture = YCbCr(width: size.0, height: size.1)
        let coding = Self.codings[0]
        let found = picture.rgb(coding, plain: false)
        #expect(
            found == picture.rgb(coding, plain: true), "AVX2 gives something else, \(YCbCr.seed)")
        expectNear(found, picture.expectedRGB(coding), within: 1.75)
    }

    @Test("4:4:4 becomes RGB by the matrix, rounded to nearest")
    func fullChroma() {
        for var coding in Self.codings {
            coding.is_halved = false
            let picture = YCbCr(width: 300, height: 7, isHalved: false)
            let found = picture.rgb(coding, plain: false)
            #expect(
                found == picture.rgb(coding, plain: true),
                "AVX2 gives something else, \(YCbCr.seed)")
            expectNear(found, picture.expectedRGB(coding), within: 0.51)
        }
    }

    // MARK: - From RGB

    @Test("RGB becomes BT.709 4:2:0 with chroma reduced by the same cubic", arguments: sizes)
    func fromRGB(size: (Int, Int)) {
        let (width, height) = size
        var generator = SeededGenerator(seed: YCbCr.seedNumber)
        let rgb = (0..<width * height * 3).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let found = YCbCr(rgb: rgb, width: width, height: height, plain: false)
        let plain = YCbCr(rgb: rgb, width: width, height: height, plain: true)
        #expect(found.planes == plain.planes, "AVX2 gives something else, \(YCbCr.seed)")
        let expected = Reduction(rgb: rgb, width: width, height: height)
        expectNear(found.planes[0], expected.luma, within: 0.52)
        expectNear(found.planes[1], expected.blue, within: 0.7)
        expectNear(found.planes[2], expected.red, within: 0.7)
    }

    @Test("black, white, gray and the primaries match BT.709 and round-trip")
    func colors() {
        let colors: [[UInt8]] = [
            [0, 0, 0], [255, 255, 255], [128, 128, 128], [255, 0, 0], [0, 255, 0], [0, 0, 255],
        ]
        // Rec. ITU-R BT.709, 3.5: 16 to 235, 16 to 240.
        let expected: [[UInt8]] = [
            [16, 128, 128], [235, 128, 128], [126, 128, 128], [63, 102, 240], [173, 42, 26],
            [32, 240, 118],
        ]
        for (color, expected) in zip(colors, expected) {
            let rgb = Array(repeating: color, count: 64 * 8).flatMap(\.self)
            let converted = YCbCr(rgb: rgb, width: 64, height: 8, plain: false)
            for (plane, sample) in zip(converted.planes, expected) {
                #expect(plane.allSatisfy { $0 == sample }, "\(color): \(plane[0]), not \(sample)")
            }
            let back = converted.rgb(Self.codings[0], plain: false)
            expectNear(back, rgb.map(Double.init), within: 2)
        }
    }

    private func expectNear(
        _ found: [UInt8], _ expected: [Double], within tolerance: Double,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(found.count == expected.count, sourceLocation: sourceLocation)
        let worst = zip(found, expected).map { abs(Double($0) - $1) }.max() ?? 0
        #expect(worst <= tolerance, "\(YCbCr.seed)", sourceLocation: sourceLocation)
    }
}
