// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing
import Vips

/// The interpretation of TIFF samples.
@Suite("TIFF colours")
struct TIFFColorTests {
    private static func decoded(_ bytes: [UInt8]) throws -> (samples: [Double], bands: Int) {
        let (file, _) = try Reencoded.file(
            try TestFile(bytes), EncodeSettings(format: .png, bitsPerSample: 16))
        let image = try file.image()
        let scale = image.format == .ushort ? 257.0 : 1
        return (try image.samples().map { Double($0) / scale }, image.bands)
    }

    private static func failure(_ bytes: [UInt8]) throws -> RunnerFailure {
        let file = try TestFile(bytes)
        let job = RenderJob(input: RenderInput(base: .encoded(.tiff)), output: .facts)
        let reply = try withExtendedLifetime(file) {
            try TestRunner().request(.run(job), [(.base, file.number)])
        }
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        return failure
    }

    private static func isNear(_ found: [Double], _ wanted: [Double], _ limit: Double = 0.6) -> Bool
    {
        found.count == wanted.count && zip(found, wanted).allSatisfy { abs($0 - $1) <= limit }
    }

    // MARK: - Floating point

    @Test("floating-point 0 is black and 1 is white; values outside are clipped")
    func floats() throws {
        let values: [Float] = [0, 0.25, 0.5, 0.75, 1, 2, -1, 0.1, 0.9, .nan, 1e30, -.infinity]
        let wanted = values.prefix(9).map { Double(max(0, min(1, $0))) * 255 }
        let rgb = try Self.decoded(
            TIFFFile.bytes(
                width: 4, height: 1, bits: [32, 32, 32], photometric: 2, format: 3,
                pixels: TIFFFile.floats(values)))
        #expect(rgb.bands == 3 && Self.isNear(Array(rgb.samples.prefix(9)), wanted))
        let gray = try Self.decoded(
            TIFFFile.bytes(
                width: 9, height: 1, bits: [32], photometric: 1, format: 3,
                pixels: TIFFFile.floats(Array(values.prefix(9)))))
        #expect(Self.isNear(gray.samples, wanted.flatMap { [$0, $0, $0] }))
    }

    @Test("floating-point alpha is 0 to 1, premultiplied or not")
    func floatingAlpha() throws {
        let color: [Float] = [0.8, 0.4, 0.2]
        for (kind, scale) in [(2, 1), (1, 0.5)] as [(Int, Float)] {
            let file = TIFFFile.bytes(
                width: 1, height: 1, bits: [32, 32, 32, 32], photometric: 2, format: 3,
                [(338, 3, [kind])], pixels: TIFFFile.floats(color.map { $0 * scale } + [0.5]))
            let found = try Self.decoded(file)
            #expect(found.bands == 4)
            #expect(Self.isNear(found.samples, [204, 102, 51, 127.5]), "\(found.samples)")
        }
    }

    @Test("32-bit integer alpha is kept, premultiplied or not", arguments: [2, 1])
    func deepAlpha(kind: Int) throws {
        // 0.8, 0.4, 0.2 and 0.5 of the largest integer.
        let color = [3_435_973_836, 1_717_986_918, 858_993_459]
        let samples = color.map { kind == 1 ? $0 / 2 : $0 } + [2_147_483_648]
        let rgb = try Self.decoded(
            TIFFFile.bytes(
                width: 1, height: 1, bits: [32, 32, 32, 32], photometric: 2, [(338, 3, [kind])],
                pixels: samples.flatMap { FileNumber.little($0, 4) }))
        #expect(Self.isNear(rgb.samples, [204, 102, 51, 127.5]), "\(rgb.samples)")
        // The alpha of gray follows another extra sample.
        let gray = try Self.decoded(
            TIFFFile.bytes(
                width: 1, height: 1, bits: [32, 32, 32], photometric: 1, [(338, 3, [0, kind])],
                pixels: [samples[0], 7, samples[3]].flatMap { FileNumber.little($0, 4) }))
        #expect(Self.isNear(gray.samples, [204, 204, 204, 127.5]), "\(gray.samples)")
    }

    @Test("a picture keeps its profile for any sample format", arguments: [3, 1])
    func profile(format: Int) throws {
        try VipsLibrary.initialize()
        let wide = try TestPicture.image(width: 4, height: 1).applying(
            "icc_transform", ["output_profile": "p3", "input_profile": "srgb"])
        let profile = try #require(wide.blob("icc-profile-data"))
        let pixels =
            format == 3
            ? TIFFFile.floats([40, 200, 40].map { $0 / 255 })
            : [40, 200, 40].flatMap { FileNumber.little($0 * 16_843_009, 4) }
        let plain = TIFFFile.bytes(
            width: 1, height: 1, bits: [32, 32, 32], photometric: 2, format: format,
            pixels: pixels)
        let image = try TestFile(plain).image().copying {
            $0.set("icc-profile-data", to: profile)
        }
        let file = try TestFile(try image.encoded(saver: "tiffsave_buffer"))
        #expect(try file.image().format == (format == 3 ? .float : .uint))
        let space = SpaceFormulas(
            points: SpaceFormulas.displayP3, light: SpaceFormulas.standardLight)
        let wanted = space.sRGB([40, 200, 40].map { $0 / 255 })
        #expect(Self.isNear(try Reencoded.inSRGB(file), wanted, 1.5))
    }

    @Test("floating point with other than 32 bits is rejected by name", arguments: [16, 64])
    func otherFloats(bits: Int) throws {
        let failure = try Self.failure(
            TIFFFile.bytes(
                width: 1, height: 1, bits: [bits, bits, bits], photometric: 2, format: 3,
                pixels: [UInt8](repeating: 0, count: bits / 8 * 3)))
        #expect(failure.code == .blockedFormat)
        #expect(failure.message.contains("floating point numbers of \(bits) bits"))
    }

    // MARK: - Extra samples

    @Test(
        "of several extra samples alpha is kept, and others are dropped",
        arguments: [
            (2, [0, 2], [200, 120, 40, 9, 128], [200, 120, 40, 128]),
            (2, [2, 0], [200, 120, 40, 128, 9], [200, 120, 40, 128]),
            (2, [0, 1], [100, 60, 20, 9, 128], [199, 120, 40, 128]),
            (2, [0, 0, 0], [200, 120, 40, 1, 2, 3], [200, 120, 40]),
            (1, [2, 0], [90, 128, 7], [90, 90, 90, 128]),
            (1, [0, 0], [90, 6, 7], [90, 90, 90]),
            (1, [0, 0, 1], [45, 6, 7, 128], [90, 90, 90, 128]),
        ] as [(Int, [Int], [UInt8], [Double])])
    func extras(_ photometric: Int, _ kinds: [Int], _ pixel: [UInt8], _ wanted: [Double]) throws {
        let bits = [Int](repeating: 8, count: pixel.count)
        let found = try Self.decoded(
            TIFFFile.bytes(
                width: 1, height: 1, bits: bits, photometric: photometric, [(338, 3, kinds)],
                pixels: pixel))
        #expect(Self.isNear(found.samples, wanted, 1), "\(found)")
        let deep = try Self.decoded(
            TIFFFile.bytes(
                width: 1, height: 1, bits: bits.map { $0 * 2 }, photometric: photometric,
                [(338, 3, kinds)], pixels: pixel.flatMap { [$0, $0] }))
        #expect(Self.isNear(deep.samples, wanted, 1), "\(deep)")
    }

    // MARK: - YCbCr

    @Test("YCbCr without JPEG is converted by the file's coefficients and reference levels")
    func yCbCr() throws {
        let colors: [[Double]] = [[200, 40, 40], [40, 200, 40], [40, 40, 200], [128, 128, 128]]
        for luminance in [[0.299, 0.587, 0.114], [0.2126, 0.7152, 0.0722]] {
            for isNarrow in [false, true] {
                let pixels = colors.flatMap { color -> [UInt8] in
                    let y = zip(color, luminance).reduce(0) { $0 + $1.0 * $1.1 }
                    let b = (color[2] - y) / (2 - 2 * luminance[2])
                    let r = (color[0] - y) / (2 - 2 * luminance[0])
                    let values =
                        isNarrow
                        ? [16 + y * 219 / 255, 128 + b * 112 / 127, 128 + r * 112 / 127]
                        : [y, 128 + b, 128 + r]
                    return values.map { UInt8($0.rounded()) }
                }
                let references =
                    isNarrow ? [16, 235, 128, 240, 128, 240] : [0, 255, 128, 255, 128, 255]
                let found = try Self.decoded(
                    TIFFFile.bytes(
                        width: 4, height: 1, bits: [8, 8, 8], photometric: 6,
                        [
                            (529, 5, luminance.map { Int(($0 * 1000).rounded()) }),
                            (530, 3, [1, 1]), (532, 5, references.map { $0 * 1000 }),
                        ], pixels: pixels))
                #expect(
                    Self.isNear(found.samples, Array(colors.joined()), 2.5), "\(found.samples)")
            }
        }
    }

    @Test("subsampled YCbCr without JPEG is rejected by name", arguments: [[2, 2], [2, 1], []])
    func subsampled(_ factors: [Int]) throws {
        let entries: [TIFFFile.Entry] = factors.isEmpty ? [] : [(530, 3, factors)]
        let failure = try Self.failure(
            TIFFFile.bytes(
                width: 4, height: 4, bits: [8, 8, 8], photometric: 6, entries,
                pixels: [UInt8](repeating: 100, count: 48)))
        #expect(failure.code == .blockedFormat)
        #expect(failure.message.contains("YCbCr"))
    }
}
