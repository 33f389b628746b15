// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import Vips

@Suite("images with sequential access")
struct SequentialImageTests {
    /// Taller than the window for any number of threads.
    private let picture = TestPicture.gradient(width: 10, height: 20_000)

    private func whole() throws -> Image {
        try Image(samples: picture.samples, width: 10, height: 20_000, bands: 3)
    }

    private func sequential() throws -> Image { try whole().readingSequentially() }

    private func pixels(top: Int, _ image: Image) throws -> [UInt8] {
        try image.applying(
            "extract_area", ["left": 0, "top": .integer(top), "width": 10, "height": 4]
        ).pixels()
    }

    private func expected(top: Int) -> [UInt8] {
        Array(picture.samples[top * 30..<(top + 4) * 30])
    }

    @Test("they can be read from top to bottom, whole, in parts and reduced")
    func downwards() throws {
        #expect(try sequential().pixels() == picture.samples)
        let image = try sequential()
        for top in [0, 7, 4, 9000, 8800, 19_996] {
            #expect(try pixels(top: top, image) == expected(top: top), "\(top)")
        }
        let reduced = try whole().applying("resize", ["scale": 0.03])
        #expect(try sequential().applying("resize", ["scale": 0.03]).pixels() == reduced.pixels())
        let blurred = try whole().applying("gaussblur", ["sigma": 20.0])
        #expect(
            try sequential().applying("gaussblur", ["sigma": 20.0]).pixels() == blurred.pixels())
    }

    @Test("they cannot be read from bottom to top, or twice")
    func upwards() throws {
        let flipped = try sequential().applying("flip", ["direction": "vertical"])
        #expect(throws: VipsError.self) { try flipped.pixels() }
        let image = try sequential()
        #expect(try image.pixels() == picture.samples)
        let error = #expect(throws: VipsError.self) { try pixels(top: 0, image) }
        #expect(error?.description.contains("row 0 is requested after row 19999") == true)
    }
}
