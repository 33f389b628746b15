// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import FoundationEssentials
import Glibc
import Testing

@Suite("sepia extension")
struct SepiaTests {
    private let plugin: TestPlugin

    init() throws { plugin = try TestPlugin.sepia.get() }

    /// The sepia() of W3C Filter Effects, in floating point.
    private static func sepia(_ pixel: [Double], _ amount: Double, _ largest: Double) -> [Double] {
        let rest = 1 - amount
        let matrix = [
            [0.393 + 0.607 * rest, 0.769 - 0.769 * rest, 0.189 - 0.189 * rest],
            [0.349 - 0.349 * rest, 0.686 + 0.314 * rest, 0.168 - 0.168 * rest],
            [0.272 - 0.272 * rest, 0.534 - 0.534 * rest, 0.131 + 0.869 * rest],
        ]
        return matrix.map { row in
            min(zip(row, pixel).map { $0 * $1 }.reduce(0, +), largest)
        } + pixel.dropFirst(3)
    }

    @Test(
        "every sample is the formula's value, rounded",
        arguments: [BandFormat.uchar, .ushort], [3, 4])
    func formula(format: BandFormat, bands: Int) throws {
        let (image, numbers) = try Pictures.make(
            width: 131, height: 67, bands: bands, format: format)
        let largest = format == .uchar ? 255.0 : 65535.0
        for intensity in [1, 0.5, 0.2, 0.01] {
            let result = try plugin.edit(image, "{\"intensity\": \(intensity)}").samples()
            var worst = 0.0
            for pixel in 0..<numbers.count / bands {
                let slice = numbers[pixel * bands..<(pixel + 1) * bands]
                let expected = Self.sepia(slice.map(Double.init), intensity, largest)
                for band in 0..<bands {
                    worst = max(worst, abs(Double(result[pixel * bands + band]) - expected[band]))
                }
            }
            #expect(worst <= 0.51, "intensity \(intensity)")
        }
    }

    /// Sepia in 64-bit integers, with coefficients of 16 or 24 fractional bits and sums rounded half up.
    private static func exact(
        _ pixel: ArraySlice<UInt16>, _ amount: Double, _ format: BandFormat
    ) -> [UInt16] {
        let (bits, largest): (UInt64, UInt64) = format == .uchar ? (16, 255) : (24, 65535)
        let unit = Double(UInt64(1) << bits)
        let rest = 1 - amount
        let matrix = [
            [0.393 + 0.607 * rest, 0.769 - 0.769 * rest, 0.189 - 0.189 * rest],
            [0.349 - 0.349 * rest, 0.686 + 0.314 * rest, 0.168 - 0.168 * rest],
            [0.272 - 0.272 * rest, 0.534 - 0.534 * rest, 0.131 + 0.869 * rest],
        ]
        let products = matrix.map { row -> UInt16 in
            var sum: UInt64 = 1 << (bits - 1)
            for (coefficient, number) in zip(row, pixel) {
                sum += UInt64((coefficient * unit).rounded()) * UInt64(number)
            }
            return UInt16(min(sum >> bits, largest))
        }
        return products + pixel.dropFirst(3)
    }

    @Test(
        "every sample equals exact arithmetic, bit for bit, at any width",
        arguments: [BandFormat.uchar, .ushort], [3, 4])
    func exactly(format: BandFormat, bands: Int) throws {
        // Whole and partial vectors, whole and partial blocks.
        for (width, height) in [(1, 9), (15, 3), (33, 2), (256, 2), (257, 3), (1021, 20)] {
            let (image, numbers) = try Pictures.make(
                width: width, height: height, bands: bands, format: format)
            for intensity in [1, 0.73, 1e-9] {
                let result = try plugin.edit(image, "{\"intensity\": \(intensity)}").samples()
                let expected = stride(from: 0, to: numbers.count, by: bands).flatMap {
                    Self.exact(numbers[$0..<$0 + bands], intensity, format)
                }
                #expect(result == expected, "\(width) by \(height), intensity \(intensity)")
            }
        }
    }

    @Test("the extremes of every format are correct", arguments: [BandFormat.uchar, .ushort])
    func extremes(format: BandFormat) throws {
        let largest: UInt16 = format == .uchar ? 255 : 65535
        let image = try Pictures.make(
            [0, 0, 0, 7, largest, largest, largest, 0], width: 2, height: 1, bands: 4,
            format: format)
        let blue = UInt16((0.937 * Double(largest)).rounded())
        #expect(
            try plugin.edit(image, "{}").samples()
                == [0, 0, 0, 7, largest, largest, blue, 0])
    }

    @Test("intensity 0 is the identity")
    func identity() throws {
        let (image, _) = try Pictures.make(width: 5, height: 5, bands: 3)
        let session = try plugin.session(TestInput(image))
        try session.set("{\"intensity\": 0}")
        #expect(try session.finish().image?.pointer == image.pointer)
    }

    @Test("the recipe is complete, and equal values give equal bytes")
    func recipe() throws {
        let (image, _) = try Pictures.make(width: 5, height: 5, bands: 3)
        let session = try plugin.session(TestInput(image))
        #expect(try session.parameters() == "{\"intensity\":1}")
        try session.set("{\"intensity\": 0.25}")
        let recipe = try session.finish().recipe
        #expect(recipe.formatIdentifier == "org.edithost.sepia")
        #expect(recipe.formatVersion == "1.0")
        #expect(String(decoding: recipe.data, as: UTF8.self) == "{\"intensity\":0.25}")
        let again = try plugin.session(TestInput(image, recipe: recipe))
        #expect(try again.canHandle(recipe))
        #expect(try again.parameters() == "{\"intensity\":0.25}")
        #expect(try again.finish().recipe == recipe)
        #expect(!again.asksBeforeCancel)
    }

    @Test("the full size is read from top to bottom, and only by finish")
    func access() throws {
        let (image, _) = try Pictures.make(width: 5, height: 5, bands: 3)
        let input = TestInput(image)
        let session = try plugin.session(input)
        _ = try session.preview()
        #expect(input.fullSizeRequests == [])
        _ = try session.finish()
        #expect(input.fullSizeRequests == [ee_access(EE_ACCESS_SEQUENTIAL)])
    }

    @Test("an out-of-range value is an error with a message")
    func range() throws {
        let (image, _) = try Pictures.make(width: 5, height: 5, bands: 3)
        let session = try plugin.session(TestInput(image))
        try session.set("{\"intensity\": 1.5}")
        let failure = #expect(throws: TestFailure.self) { try session.finish() }
        #expect(failure?.status == ee_status(EE_BAD_PARAMETER))
        #expect(failure?.message.contains("intensity") == true)
        let text = #expect(throws: TestFailure.self) { try session.set("{\"intensity\": \"x\"}") }
        #expect(text?.status == ee_status(EE_BAD_PARAMETER))
    }

    // Runs only if EDITHOST_CORPUS names the folder of test pictures. librsvg made the reference
    // from the same photo.
    @Test(
        "a photo matches an independent renderer of CSS filters",
        .enabled(if: Corpus.folder != nil, "EDITHOST_CORPUS names no folder"))
    func reference() throws {
        let folder = try #require(Corpus.folder)
        let photo = try Corpus.picture(folder + "/reference/chelsea.png")
        let reference = try Corpus.picture(folder + "/reference/css_sepia_1.png")
        let result = try plugin.edit(photo, "{\"intensity\": 1}")
        let (ours, theirs) = (try result.samples(), try reference.samples())
        #expect(ours.count == theirs.count)
        let worst = zip(ours, theirs).map { abs(Int($0) - Int($1)) }.max()
        #expect(try #require(worst) <= 1)
    }
}
