// SPDX-License-Identifier: Apache-2.0

import Testing
import Vips

/// Inverts all bands except a fourth.
private struct Negative: PixelKernel {
    let companion: Companion?

    func transform<Sample: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ source: UnsafePointer<Sample>, to destination: UnsafeMutablePointer<Sample>,
        pixels: Int, bands: Int
    ) {
        for index in 0..<pixels * bands {
            let isAlpha = bands == 4 && index % 4 == 3
            destination[index] = isAlpha ? source[index] : .max - source[index]
        }
    }
}

/// An object whose release a test can observe.
private final class Companion: Sendable {}

@Suite("pixel kernels")
struct PixelKernelTests {
    @Test(
        "a kernel computes every pixel of 8 and 16 bit, with and without alpha",
        arguments: [BandFormat.uchar, .ushort], [3, 4])
    func everyPixel(format: BandFormat, bands: Int) throws {
        // Larger than a tile in both directions, and not a multiple of one.
        let (image, numbers) = try Pictures.make(
            width: 701, height: 519, bands: bands, format: format)
        let result = try image.mapping(Negative(companion: nil))
        let largest: UInt16 = format == .uchar ? 255 : 65535
        let expected = numbers.enumerated().map { index, number in
            bands == 4 && index % 4 == 3 ? number : largest - number
        }
        #expect(try result.samples() == expected)
        #expect(result.format == format)
        #expect(result.bands == bands)
    }

    @Test("a kernel works inside a longer pipeline and on a single row or column")
    func pipeline() throws {
        for (width, height) in [(1, 1), (1, 300), (3000, 1)] {
            let (image, numbers) = try Pictures.make(width: width, height: height, bands: 3)
            let negative = Negative(companion: nil)
            let result = try image.mapping(negative)
                .applying("flip", ["direction": "vertical"])
                .mapping(negative)
                .applying("flip", ["direction": "vertical"])
            #expect(try result.samples() == numbers)
        }
    }

    @Test("several images are computed concurrently")
    func concurrently() async throws {
        let (image, numbers) = try Pictures.make(width: 640, height: 480, bands: 3)
        let expected = numbers.map { 255 - $0 }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try image.mapping(Negative(companion: nil)).samples() == expected
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test("kernel and source live exactly as long as the image")
    func lifetime() throws {
        weak var companion: Companion?
        var (image, numbers): (Image?, [UInt16]) = try Pictures.make(
            width: 300, height: 200, bands: 3)
        weak let source = image
        var result: Image?
        do {
            let strong = Companion()
            companion = strong
            result = try image?.mapping(Negative(companion: strong))
        }
        image = nil
        #expect(companion != nil)
        #expect(source != nil)
        #expect(try result?.samples() == numbers.map { 255 - $0 })
        result = nil
        #expect(companion == nil)
        #expect(source == nil)
    }

    @Test("metadata is passed through")
    func metadata() throws {
        let (image, _) = try Pictures.make(width: 4, height: 4, bands: 3)
        let tagged = try image.copying { $0.set("orientation", to: 6) }
        #expect(try tagged.mapping(Negative(companion: nil)).integer("orientation") == 6)
    }

    @Test("other band formats are rejected")
    func otherFormats() throws {
        let (image, _) = try Pictures.make(width: 4, height: 4, bands: 3)
        let float = try image.applying("cast", ["format": "float"])
        let error = #expect(throws: VipsError.self) {
            try float.mapping(Negative(companion: nil))
        }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.message.contains("float") == true)
    }
}
