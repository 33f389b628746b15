// SPDX-License-Identifier: Apache-2.0

import Testing
import Vips

@Suite("images from arrays and matrices")
struct ImageArrayTests {
    init() throws { try VipsLibrary.initialize() }

    @Test("8-bit and 16-bit numbers become the image's samples, row by row")
    func integers() throws {
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255]
        let colors = try Image(samples: bytes, width: 2, height: 2, bands: 3)
        #expect(try colors.pixels() == bytes)
        #expect((colors.width, colors.height, colors.bands) == (2, 2, 3))
        #expect(colors.format == .uchar && colors.interpretation == .srgb && !colors.hasAlpha)

        let words: [UInt16] = [1, 256, 40_000, 65_535]
        let deep = try Image(samples: words, width: 1, height: 1, bands: 4)
        #expect(try deep.samples() == words)
        #expect(deep.format == .ushort && deep.interpretation == .rgb16 && deep.hasAlpha)

        let mask = try Image(samples: words, width: 4, height: 1, bands: 1)
        #expect(mask.interpretation == .gray16)
        #expect(try Image(samples: bytes, width: 6, height: 1, bands: 2).interpretation == .gray)
        #expect(
            try Image(samples: bytes, width: 1, height: 2, bands: 6).interpretation == .multiband)
        let lab = try Image(
            samples: words, width: 4, height: 1, bands: 1, interpretation: .histogram)
        #expect(lab.interpretation == .histogram)
    }

    @Test("floating point keeps non-finite values")
    func floats() throws {
        let numbers: [Float] = [-1.5, 0, 1e30, .infinity, 0.1, -0.0]
        let image = try Image(samples: numbers, width: 3, height: 2, bands: 1)
        #expect(image.format == .float && image.interpretation == .multiband)
        let back = try image.pixels().withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(back.map(\.bitPattern) == numbers.map(\.bitPattern))
    }

    @Test("a count that does not match the size is an error, and so is an invalid size")
    func wrongCounts() throws {
        let sizes = [
            (2, 2, 1), (3, 2, 2), (0, 5, 1), (5, 0, 1), (5, 1, 0), (-5, -1, 1), (.max, .max, 2),
            (Int(Int32.max) + 1, 1, 1), (1, 1, 4), (6, 1, 1),
        ]
        for (width, height, bands) in sizes {
            let samples = [[UInt16](repeating: 1, count: 5), []]
            for numbers in samples {
                let error = #expect(throws: VipsError.self, "\(width) \(height) \(bands)") {
                    try Image(samples: numbers, width: width, height: height, bands: bands)
                }
                #expect(error?.code == .invalidValue)
            }
        }
    }

    @Test("a matrix is a convolution kernel with scale and offset")
    func matrix() throws {
        let kernel = try Image(matrix: [[0, 2, 0], [2, 4, 2]], scale: 5, offset: 3)
        #expect((kernel.width, kernel.height, kernel.bands) == (3, 2, 1))
        #expect(kernel.format == .double && kernel.interpretation == .matrix)
        let numbers = try kernel.pixels().withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
        #expect(numbers == [0, 2, 0, 2, 4, 2])

        // For a flat image, each sum is 10 times its number.
        let flat = try Image(
            samples: [UInt8](repeating: 7, count: 25), width: 5, height: 5, bands: 1)
        let result = try flat.applying("conv", ["mask": .image(kernel)])
        #expect(try result.applying("cast", ["format": "uchar"]).pixels().allSatisfy { $0 == 17 })

        let single = try Image(matrix: [[1]])
        #expect(
            try flat.applying("conv", ["mask": .image(single)]).applying(
                "cast", ["format": "uchar"]
            )
            .pixels() == flat.pixels())
    }

    @Test("an invalid matrix is an error with the reason")
    func noMatrix() {
        let cases: [([[Double]], Double, Double, String)] = [
            ([], 1, 0, "empty"), ([[]], 1, 0, "empty"), ([[], []], 1, 0, "empty"),
            ([[1, 2], [3]], 1, 0, "row 1"), ([[1], [2, 3]], 1, 0, "row 1"),
            ([[1, .nan]], 1, 0, "finite"), ([[.infinity]], 1, 0, "finite"),
            ([[1]], 0, 0, "scale"), ([[1]], .nan, 0, "scale"), ([[1]], 1, .infinity, "offset"),
        ]
        for (matrix, scale, offset, word) in cases {
            let error = #expect(throws: VipsError.self) {
                try Image(matrix: matrix, scale: scale, offset: offset)
            }
            #expect(error?.code == .invalidValue)
            #expect(error?.message.contains(word) == true, "\(matrix) \(scale) \(offset)")
        }
    }
}
