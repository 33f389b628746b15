// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestSupport
import Testing
import Vips

/// Sequential pictures whose rows are skipped a few at a time.
@Suite("skipped rows")
struct SteppedImageTests {
    private let picture = TestPicture.gradient(width: 60, height: 5000)

    private func sequential(_ format: String) throws -> Image {
        let file = try picture.encoded(
            format, options: format == "tiff" ? ["compression": "deflate"] : [:])
        return try Image(
            source: try ImageSource(bytes: Array(file)), loader: "\(format)load_source",
            options: ["access": "sequential"])
    }

    @Test(
        "a crop far down and the full image have the correct pixels",
        arguments: ["png", "tiff"], [1, 7, 64, 100_000])
    func pixels(_ format: String, _ rows: Int) throws {
        let whole = try sequential(format).skippingRows(inStepsOf: rows)
        #expect(try whole.pixels() == picture.samples)
        for top in [0, 1, 500, 3217, 4990] {
            let crop = try sequential(format).skippingRows(inStepsOf: rows).applying(
                "extract_area",
                ["left": 3, "top": .integer(top), "width": 50, "height": 10])
            var expected: [UInt8] = []
            for y in top..<top + 10 {
                let start = (y * 60 + 3) * 3
                expected += picture.samples[start..<start + 150]
            }
            #expect(try crop.pixels() == expected, "\(top)")
        }
    }

    @Test("progress is reported about every 64 MiB, including skipped rows")
    func progress() throws {
        let height = 3 * (64 << 20) / (3 * 4096) + 200
        let black = try ImageOperation("black")
        for (name, value) in [("width", 4096), ("height", height), ("bands", 3)] {
            try black.set(name, to: .integer(value))
        }
        try black.run()
        let image = try black.image()
        for top in [0, height - 10] {
            let count = Count()
            let crop = try image.skippingRows(inStepsOf: 64) {
                count.calls.add(1, ordering: .relaxed)
            }
            .applying(
                "extract_area",
                [
                    "left": 0, "top": .integer(top), "width": 4096,
                    "height": .integer(height - top),
                ])
            let average = try ImageOperation("avg")
            try average.set("in", to: .image(crop))
            try average.run()
            #expect((2...3).contains(count.calls.load(ordering: .relaxed)), "\(top)")
        }
    }

    private final class Count: Sendable {
        let calls = Atomic(0)
    }
}
