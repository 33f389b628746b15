// SPDX-License-Identifier: Apache-2.0

import CPixelBlocks
import TestSupport
import Testing
import Vips

@Suite("color matrices")
struct ColorMatrixTests {
    private static let sepia = [0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131]

    /// Sepia, the identity, sums that are clamped at both ends, halves, and rows at the limit.
    private static let matrices: [[Double]] = [
        sepia, [1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0.5, 0, 0, 0.5, 0.5, 0, 0.25, 0.25, 0.25], [-0.5, 1, 0, 1, -1, 0.5, -1, -1, -1],
        [7.5, 0, 0, -7.5, 0, 0, 2.5, -2.5, 2.5], [2.5, 2.5, 2.5, -2.5, -2.5, -2.5, 0, 0, 7.5],
        [1.5, -0.25, -0.25, 1e-9, -1e-9, 1 - 1e-9, 1.0 / 3, 1.0 / 3, 1.0 / 3],
    ]

    /// The product in 64-bit integers, which loses no precision.
    private static func product(
        _ matrix: [Double], _ pixel: ArraySlice<UInt16>, _ format: BandFormat
    ) -> [UInt16] {
        let (bits, largest): (Int64, Int64) = format == .uchar ? (16, 255) : (24, 65535)
        let unit = Double(Int64(1) << bits)
        let colors = Array(pixel)
        let products = (0..<3).map { row -> UInt16 in
            var sum: Int64 = 1 << (bits - 1)
            for column in 0..<3 {
                let coefficient = Int64((matrix[row * 3 + column] * unit).rounded())
                sum += coefficient * Int64(colors[column])
            }
            return UInt16(max(0, min(sum >> bits, largest)))
        }
        return products + pixel.dropFirst(3)
    }

    /// All combinations of the extremes, the middle and their neighbours, then random numbers.
    private static func numbers(_ format: BandFormat, bands: Int, pixels: Int) -> [UInt16] {
        let largest: UInt16 = format == .uchar ? 255 : 65535
        let edges = [0, 1, 2, largest / 2, largest / 2 + 1, largest - 1, largest]
        var generator = SeededGenerator(seed: TestSeed.seed())
        var result: [UInt16] = []
        for red in edges {
            for green in edges {
                for blue in edges {
                    result += [red, green, blue] + Array(repeating: green, count: bands - 3)
                }
            }
        }
        while result.count < pixels * bands {
            result.append(UInt16.random(in: 0...largest, using: &generator))
        }
        return Array(result.prefix(pixels * bands))
    }

    @Test(
        "every sample equals exact arithmetic, bit for bit",
        arguments: [BandFormat.uchar, .ushort], [3, 4, 5])
    func exactly(format: BandFormat, bands: Int) throws {
        try VipsLibrary.initialize()
        for (width, height) in [(1, 400), (343, 1), (37, 11), (512, 1), (601, 3)] {
            let numbers = Self.numbers(format, bands: bands, pixels: width * height)
            let image =
                format == .uchar
                ? try Image(
                    samples: numbers.map { UInt8($0) }, width: width, height: height, bands: bands)
                : try Image(samples: numbers, width: width, height: height, bands: bands)
            for matrix in Self.matrices {
                let expected = stride(from: 0, to: numbers.count, by: bands).flatMap {
                    Self.product(matrix, numbers[$0..<$0 + bands], format)
                }
                let result = try image.mapping(ColorMatrix(matrix)).samples()
                #expect(
                    result == expected, "\(width) by \(height), \(matrix), seed \(TestSeed.seed())")
            }
        }
    }

    @Test("every value of each color is correct", arguments: [BandFormat.uchar, .ushort])
    func everyNumber(format: BandFormat) throws {
        try VipsLibrary.initialize()
        let largest = format == .uchar ? 255 : 65535
        for band in 0..<3 {
            var numbers = [UInt16](repeating: 0, count: 3 * (largest + 1))
            for number in 0...largest { numbers[3 * number + band] = UInt16(number) }
            let image =
                format == .uchar
                ? try Image(
                    samples: numbers.map { UInt8($0) }, width: largest + 1, height: 1, bands: 3)
                : try Image(samples: numbers, width: largest + 1, height: 1, bands: 3)
            let result = try image.mapping(ColorMatrix(Self.sepia)).samples()
            let expected = stride(from: 0, to: numbers.count, by: 3).flatMap {
                Self.product(Self.sepia, numbers[$0..<$0 + 3], format)
            }
            #expect(result == expected)
        }
    }

    @Test("images with fewer than three bands are unchanged", arguments: [1, 2])
    func gray(bands: Int) throws {
        let (image, numbers) = try Pictures.make(width: 40, height: 2, bands: bands)
        #expect(try image.mapping(ColorMatrix(Self.sepia)).samples() == numbers)
    }

    @Test("an invalid or overflowing matrix is rejected")
    func refusals() {
        for coefficients in [
            [], Array(repeating: 0.1, count: 8), Array(repeating: 0.1, count: 10),
            [0, 0, 0, 7.51, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 4, -3.6, 0],
            [.nan, 0, 0, 0, 0, 0, 0, 0, 0], [0, .infinity, 0, 0, 0, 0, 0, 0, 0],
            [0, -.infinity, 0, 0, 0, 0, 0, 0, 0],
        ] {
            let error = #expect(throws: VipsError.self) { try ColorMatrix(coefficients) }
            #expect(error?.code == .invalidValue)
        }
    }

    @Test("processors without AVX2 give the same result", arguments: [3, 4, 5])
    func plain(bands: Int) {
        let capacity = Int(PIXEL_BLOCK_CAPACITY)
        let matrix = Self.sepia.map { Int32(($0 * 16_777_216).rounded()) }
        let numbers = Self.numbers(.ushort, bands: bands, pixels: 241)
        let bytes = numbers.map { UInt8(truncatingIfNeeded: $0) }
        for pixels in [1, 15, 16, 33, 240, 241] {
            var wide = [UInt16](repeating: 0, count: bands * capacity)
            var narrow = wide
            pixel_block_split_16(numbers, &wide, bands, pixels)
            pixel_block_plain_split_16(numbers, &narrow, bands, pixels)
            #expect(wide == narrow)
            pixel_block_multiply_16(&wide, matrix, pixels)
            pixel_block_plain_multiply_16(&narrow, matrix, pixels)
            var (ours, theirs) = (numbers, numbers)
            pixel_block_join_16(wide, &ours, bands, pixels)
            pixel_block_plain_join_16(narrow, &theirs, bands, pixels)
            #expect(ours == theirs)
            #expect(ours.dropFirst(bands * pixels) == numbers.dropFirst(bands * pixels))

            var wideBytes = [UInt8](repeating: 0, count: bands * capacity)
            var narrowBytes = wideBytes
            pixel_block_split_8(bytes, &wideBytes, bands, pixels)
            pixel_block_plain_split_8(bytes, &narrowBytes, bands, pixels)
            #expect(wideBytes == narrowBytes)
            pixel_block_multiply_8(&wideBytes, matrix.map { $0 >> 8 }, pixels)
            pixel_block_plain_multiply_8(&narrowBytes, matrix.map { $0 >> 8 }, pixels)
            var (oursInBytes, theirsInBytes) = (bytes, bytes)
            pixel_block_join_8(wideBytes, &oursInBytes, bands, pixels)
            pixel_block_plain_join_8(narrowBytes, &theirsInBytes, bands, pixels)
            #expect(oursInBytes == theirsInBytes)
            #expect(oursInBytes.dropFirst(bands * pixels) == bytes.dropFirst(bands * pixels))
        }
    }
}
