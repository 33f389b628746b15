// SPDX-License-Identifier: Apache-2.0

import Testing
import Vips

@Suite("operations")
struct OperationTests {
    @Test("flip moves pixels")
    func flip() throws {
        let (image, numbers) = try Pictures.make(width: 5, height: 3, bands: 3)
        let result = try image.applying("flip", ["direction": "horizontal"]).samples()
        for y in 0..<3 {
            for x in 0..<5 {
                for band in 0..<3 {
                    #expect(
                        result[(y * 5 + x) * 3 + band] == numbers[(y * 5 + 4 - x) * 3 + band])
                }
            }
        }
    }

    @Test("arguments may be arrays of numbers and images, integers and enumerations")
    func arguments() throws {
        let (image, numbers) = try Pictures.make(width: 3, height: 2, bands: 1)
        let linear = try image.applying("linear", ["a": [2], "b": 1, "uchar": true])
        #expect(try linear.samples() == numbers.map { min(255, 2 * $0 + 1) })
        let operation = try ImageOperation("bandjoin")
        try operation.set("in", to: .images([image, linear]))
        try operation.run()
        let joined = try operation.image()
        #expect(joined.bands == 2)
        #expect(
            try joined.samples() == zip(numbers, numbers).flatMap { [$0, min(255, 2 * $1 + 1)] })
        let larger = try image.applying(
            "affine", ["matrix": [2, 0, 0, 2], "interpolate": "nearest"])
        #expect(larger.width == 6)
    }

    @Test("outputs may be numbers and arrays of numbers")
    func outputs() throws {
        let (image, numbers) = try Pictures.make(width: 4, height: 4, bands: 3)
        let point = try ImageOperation("getpoint")
        for (name, value) in [("x", OperationValue.integer(1)), ("y", 2)] {
            try point.set(name, to: value)
        }
        try point.set("in", to: .image(image))
        try point.run()
        #expect(try point.doubles("out-array") == (27..<30).map { Double(numbers[$0]) })
        let average = try ImageOperation("avg")
        try average.set("in", to: .image(image))
        try average.run()
        let sum = numbers.reduce(0) { $0 + Int($1) }
        #expect(abs(try average.double("out") - Double(sum) / 48) < 1e-9)
    }

    @Test("an operation leaks no references")
    func references() throws {
        weak var seen: Image?
        do {
            let (image, _) = try Pictures.make(width: 8, height: 8, bands: 3)
            let before = referenceCount(image)
            for _ in 0..<10 {
                _ = try image.applying("flip", ["direction": "vertical"]).pixels()
                _ = try image.copying { $0.remove("orientation") }.pixels()
                _ = try image.encoded(saver: "pngsave_buffer")
            }
            #expect(referenceCount(image) == before)
            #expect(before == 1)
            seen = image
        }
        #expect(seen == nil)
    }
}

private func referenceCount(_ image: Image) -> UInt32 {
    UInt32(image.pointer.pointee.parent_instance.parent_instance.ref_count)
}

/// libvips has one error buffer per process, so tests that read messages run serially.
@Suite("failing operations", .serialized)
struct OperationErrorTests {
    private let image: Image

    init() throws {
        image = try Pictures.make(width: 4, height: 4, bands: 3).image
    }

    @Test("the error carries libvips' message")
    func message() throws {
        let error = #expect(throws: VipsError.self) {
            try image.applying(
                "extract_area", ["left": 3, "top": 0, "width": 4, "height": 4])
        }
        #expect(error?.code == .operationFailed)
        #expect(error?.operation == "extract_area")
        #expect(error?.message.contains("bad extract area") == true)
    }

    @Test("unknown operations, unknown arguments and wrong values have distinct errors")
    func codes() throws {
        let cases: [(String, [String: OperationValue], VipsError.Code)] = [
            ("no_such_operation", [:], .unknownOperation),
            ("flip", ["colour": 1], .unknownArgument),
            ("flip", ["direction": "sideways"], .invalidValue),
            ("flip", ["direction": 17], .invalidValue),
            ("flip", ["direction": 0.5], .invalidValue),
            ("extract_area", ["left": "x"], .invalidValue),
            ("extract_area", ["width": -1], .invalidValue),
            ("flip", [:], .operationFailed),
        ]
        for (operation, options, code) in cases {
            let error = #expect(throws: VipsError.self) {
                try image.applying(operation, options)
            }
            #expect(error?.code == code, "\(operation) \(options)")
            #expect(error?.message.isEmpty == false)
        }
    }

    @Test("a failed operation leaks no references")
    func references() throws {
        let picture = try Pictures.make(width: 8, height: 8, bands: 3).image
        for _ in 0..<10 {
            #expect(throws: VipsError.self) {
                try picture.applying(
                    "extract_area", ["left": 9, "top": 9, "width": 1, "height": 1])
            }
        }
        #expect(referenceCount(picture) == 1)
    }

    @Test("a killed image gives an error instead of pixels and works again afterwards")
    func killed() throws {
        let flipped = try image.applying("flip", ["direction": "horizontal"])
        flipped.setKilled(true)
        #expect(throws: VipsError.self) { try flipped.pixels() }
        flipped.setKilled(false)
        #expect(try flipped.pixels().count == 48)
    }

    @Test("a truncated file is an error with fail_on")
    func truncated() throws {
        let large = try Pictures.make(width: 200, height: 200, bands: 3).image
        let whole = try large.encoded(saver: "jpegsave_buffer", options: ["Q": 90])
        let half = Array(whole.prefix(whole.count / 2))
        #expect(throws: VipsError.self) {
            try Image(source: ImageSource(bytes: half), options: ["fail_on": "truncated"]).pixels()
        }
    }
}
