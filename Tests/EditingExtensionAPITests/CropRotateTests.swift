// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import FoundationEssentials
import Testing

@Suite("crop and rotate extension: exact moves")
struct CropRotateTests {
    private let plugin: TestPlugin

    init() throws { plugin = try TestPlugin.cropRotate.get() }

    /// The source of the result's pixel at (x, y), by the definition of each operation.
    private static func origin(
        _ x: Int, _ y: Int, turns: Int, flip: String, width: Int, height: Int
    ) -> (Int, Int) {
        let (turnedX, turnedY) =
            switch turns {
            case 1: (y, height - 1 - x)
            case 2: (width - 1 - x, height - 1 - y)
            case 3: (width - 1 - y, x)
            default: (x, y)
            }
        return switch flip {
        case "horizontal": (width - 1 - turnedX, turnedY)
        case "vertical": (turnedX, height - 1 - turnedY)
        default: (turnedX, turnedY)
        }
    }

    @Test(
        "turns and flips move pixels and change none",
        arguments: [(5, 4), (4, 5), (1, 7), (6, 1), (1, 1)],
        [(BandFormat.uchar, 3), (.uchar, 4), (.ushort, 3), (.ushort, 4)])
    func moves(size: (Int, Int), layout: (BandFormat, Int)) throws {
        let ((width, height), (format, bands)) = (size, layout)
        let (image, numbers) = try Pictures.make(
            width: width, height: height, bands: bands, format: format)
        for turns in 0...3 {
            for flip in ["none", "horizontal", "vertical"] {
                let result = try plugin.edit(
                    image, "{\"turns\": \(turns), \"flip\": \"\(flip)\"}")
                let turned = turns % 2 == 1 ? (height, width) : (width, height)
                #expect((result.width, result.height) == turned)
                var expected: [UInt16] = []
                for y in 0..<turned.1 {
                    for x in 0..<turned.0 {
                        let (fromX, fromY) = Self.origin(
                            x, y, turns: turns, flip: flip, width: width, height: height)
                        let start = (fromY * width + fromX) * bands
                        expected += numbers[start..<start + bands]
                    }
                }
                #expect(try result.samples() == expected, "turns \(turns), flip \(flip)")
            }
        }
    }

    @Test(
        "both edges of a crop are rounded, and at least one pixel is left",
        arguments: [
            ((0.0, 0.0, 1.0, 1.0), (0, 0, 7, 5)), ((0.5, 0.5, 0.5, 0.5), (4, 3, 3, 2)),
            ((0.1, 0.1, 0.3, 0.3), (1, 1, 2, 1)), ((0.0, 0.0, 0.01, 0.01), (0, 0, 1, 1)),
            ((0.99, 0.99, 0.01, 0.01), (6, 4, 1, 1)), ((0.25, 0.0, 0.5, 1.0), (2, 0, 3, 5)),
        ])
    func crop(unit: (Double, Double, Double, Double), pixels: (Int, Int, Int, Int)) throws {
        let (image, numbers) = try Pictures.make(width: 7, height: 5, bands: 3)
        let result = try plugin.edit(
            image,
            "{\"crop\": {\"x\": \(unit.0), \"y\": \(unit.1), \"width\": \(unit.2), "
                + "\"height\": \(unit.3)}}")
        #expect((result.width, result.height) == (pixels.2, pixels.3))
        var expected: [UInt16] = []
        for y in pixels.1..<pixels.1 + pixels.3 {
            let start = (y * 7 + pixels.0) * 3
            expected += numbers[start..<start + pixels.2 * 3]
        }
        #expect(try result.samples() == expected)
    }

    @Test("the crop applies to the rotated picture")
    func cropAfterTurn() throws {
        let image = try Pictures.make(
            (0..<18).map { UInt16($0) }, width: 3, height: 2, bands: 3)
        let result = try plugin.edit(
            image,
            "{\"turns\": 1, \"crop\": {\"x\": 0, \"y\": 0, \"width\": 0.5, \"height\": 0.34}}")
        #expect((result.width, result.height) == (1, 1))
        // Clockwise: the lower left pixel moves to the upper left.
        #expect(try result.samples() == [9, 10, 11])
    }

    @Test("without changes the output is the input image")
    func identity() throws {
        let (image, _) = try Pictures.make(width: 5, height: 5, bands: 3)
        let session = try plugin.session(TestInput(image))
        #expect(try session.finish().image?.pointer == image.pointer)
    }

    @Test(
        "random access is requested only if the recipe needs it",
        arguments: [
            ("{}", EE_ACCESS_SEQUENTIAL), ("{\"flip\": \"horizontal\"}", EE_ACCESS_SEQUENTIAL),
            (
                "{\"crop\": {\"x\": 0, \"y\": 0.5, \"width\": 1, \"height\": 0.5}}",
                EE_ACCESS_SEQUENTIAL
            ),
            ("{\"flip\": \"vertical\"}", EE_ACCESS_RANDOM), ("{\"turns\": 2}", EE_ACCESS_RANDOM),
            ("{\"angle\": 1}", EE_ACCESS_RANDOM),
        ])
    func access(parameters: String, access: Int) throws {
        let (image, _) = try Pictures.make(width: 5, height: 5, bands: 3)
        let input = TestInput(image)
        let session = try plugin.session(input)
        try session.set(parameters)
        _ = try session.finish()
        #expect(input.fullSizeRequests == [ee_access(access)])
    }

    @Test("the recipe has every parameter, and reopening continues it")
    func recipe() throws {
        let (image, _) = try Pictures.make(width: 40, height: 30, bands: 3)
        let session = try plugin.session(TestInput(image))
        try session.set("{\"angle\": 3, \"turns\": 1}")
        let recipe = try session.finish().recipe
        let text =
            "{\"angle\":3,\"crop\":{\"height\":1,\"width\":1,\"x\":0,\"y\":0},"
            + "\"expand\":false,\"flip\":\"none\",\"turns\":1}"
        #expect(String(decoding: recipe.data, as: UTF8.self) == text)
        let again = try plugin.session(TestInput(image, recipe: recipe))
        #expect(again.asksBeforeCancel)
        #expect(try again.parameters() == text)
        try again.set("{\"angle\": 5}")
        let reopened = try again.finish().image.unwrapped().samples()
        let once = try plugin.edit(image, "{\"angle\": 5, \"turns\": 1}").samples()
        #expect(reopened == once)
    }

    @Test(
        "out-of-range values are errors",
        arguments: [
            "{\"turns\": 4}", "{\"angle\": 46}",
            "{\"crop\": {\"x\": 0.5, \"y\": 0, \"width\": 0.6, \"height\": 1}}",
            "{\"crop\": {\"x\": 0, \"y\": 0, \"width\": 0, \"height\": 1}}",
        ])
    func range(parameters: String) throws {
        let (image, _) = try Pictures.make(width: 5, height: 5, bands: 3)
        let session = try plugin.session(TestInput(image))
        try session.set(parameters)
        let failure = #expect(throws: TestFailure.self) { try session.preview() }
        #expect(failure?.status == ee_status(EE_BAD_PARAMETER))
    }
}
