// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import TestSupport
import Testing
import Vips

/// Texts drawn by the extension Watermark. The glyphs belong to the fonts of the system, so the tests compare where the
/// ink is, and its colour.
@Suite("Watermark: texts")
struct WatermarkTextTests {
    /// The pixels with ink.
    private struct Ink {
        var left = Int.max
        var top = Int.max
        var right = -1
        var bottom = -1
        /// The sum of all pixels, of which 1 is white.
        var sum = 0.0

        var width: Int { right - left + 1 }
        var height: Int { bottom - top + 1 }

        /// Finds the edges of the pixels that are brighter than an eighth.
        init(_ picture: TestPicture) {
            for y in 0..<picture.height {
                for x in 0..<picture.width {
                    let first = (y * picture.width + x) * picture.bands
                    let level = picture.samples[first..<first + 3].max() ?? 0
                    sum += Double(level) / 255
                    guard level > 32 else { continue }
                    (left, top) = (min(left, x), min(top, y))
                    (right, bottom) = (max(right, x), max(bottom, y))
                }
            }
        }
    }

    private static func black(_ width: Int = 400, _ height: Int = 300) -> TestPicture {
        TestPicture(
            width: width, height: height, bands: 3,
            samples: [UInt8](repeating: 0, count: width * height * 3))
    }

    @Test("the ink keeps the margin at each edge, and the size is that of the font")
    func places() async throws {
        let studio = try WatermarkImageTests.studio()
        let asset = try await studio.add(Self.black())
        for position in ["top-left", "top-right", "bottom-left", "bottom-right", "center"] {
            try await studio.edit(
                asset, "watermark",
                [
                    "text": "HELLO", "size": "0.2", "margin": "0.1", "position": position,
                    "opacity": "1",
                ], reset: true)
            let ink = Ink(try studio.current(asset))
            // The margin is 30 pixels. Pixels that the ink covers by less than an eighth are not seen.
            if position.hasSuffix("left") { #expect(abs(ink.left - 30) <= 1, "\(ink)") }
            if position.hasSuffix("right") { #expect(abs(ink.right - 369) <= 1, "\(ink)") }
            if position.hasPrefix("top") { #expect(abs(ink.top - 30) <= 1, "\(ink)") }
            if position.hasPrefix("bottom") { #expect(abs(ink.bottom - 269) <= 1, "\(ink)") }
            if position == "center" {
                #expect(abs(ink.left - (399 - ink.right)) <= 2, "\(ink)")
                #expect(abs(ink.top - (299 - ink.bottom)) <= 2, "\(ink)")
            }
            // Capitals have about 0.7 of the size, which is 60 pixels.
            #expect((36...51).contains(ink.height), "\(ink)")
        }
        await studio.host.shutDown()
    }

    @Test("the text has the colour and the opacity")
    func color() async throws {
        let studio = try WatermarkImageTests.studio()
        let asset = try await studio.add(Self.black())
        for (color, opacity, expected) in [
            ("#c86432", 1.0, [200, 100, 50]), ("#c86432", 0.5, [100, 50, 25]),
            ("#c8643280", 0.5, [50, 25, 13]),
        ] {
            // A full block of ink.
            try await studio.edit(
                asset, "watermark",
                [
                    "text": "\u{2588}", "size": "0.5", "color": color, "opacity": "\(opacity)",
                    "position": "center",
                ], reset: true)
            let samples = try studio.current(asset).samples
            let middle = (150 * 400 + 200) * 3
            let found = samples[middle..<middle + 3].map(Int.init)
            let difference = zip(found, expected).map { abs($0 - $1) }.max() ?? 0
            #expect(difference <= 1, "\(color) \(opacity): \(found)")
        }
        await studio.host.shutDown()
    }

    @Test("markup is drawn as it is written")
    func markup() async throws {
        let studio = try WatermarkImageTests.studio()
        let asset = try await studio.add(Self.black())
        func width(_ text: String) async throws -> Int {
            try await studio.edit(
                asset, "watermark", ["text": text, "size": "0.1", "opacity": "1"], reset: true)
            return Ink(try studio.current(asset)).width
        }
        let plain = try await width("bold")
        for text in ["<b>bold</b>", "bold&amp;", "bold & <", "<span size='1'>bold", "bold&#65;"] {
            #expect(try await width(text) > plain + 10, "\(text)")
        }
        await studio.host.shutDown()
    }

    @Test(
        "other scripts, missing glyphs, lines, and long texts stay inside the margin",
        arguments: [
            "مرحبا بالعالم", "שלום © 2026", "漢字かな", "🎉", "two\nlines\tand a tab", "\u{10FFFD}",
            "a\u{FFFE}b", "e\u{301}", String(repeating: "long ", count: 51),
            String(repeating: "\u{FDFD}", count: 256),
            "o" + String(repeating: "\u{20DD}", count: 255),
            String(repeating: "line\n", count: 15) + "last",
        ])
    func texts(text: String) async throws {
        let studio = try WatermarkImageTests.studio()
        let asset = try await studio.add(Self.black())
        for size in ["0.05", "1"] {
            try await studio.edit(
                asset, "watermark",
                ["text": text, "size": size, "opacity": "1", "margin": "0.1"], reset: true)
            let ink = Ink(try studio.current(asset))
            #expect(ink.sum > 0)
            #expect(ink.left >= 30 && ink.right <= 369, "\(ink)")
            #expect(ink.top >= 30 && ink.bottom <= 269, "\(ink)")
        }
        await studio.host.shutDown()
    }

    @Test(
        "texts that cannot be drawn are errors that name the parameter",
        arguments: [
            "a\u{1}", "\u{200D}", "a\rb", String(repeating: "x", count: 257),
            String(repeating: "x\n", count: 17),
        ])
    func unusable(text: String) async throws {
        let studio = try WatermarkImageTests.studio()
        let asset = try await studio.add(Self.black())
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "watermark", ["text": text])
        }
        #expect(
            error?.code == .badParameter && error?.message.contains("text ") == true,
            "\(error as Any)")
        await studio.host.shutDown()
    }

    @Test("a font whose name cannot be one is an error that names the parameter")
    func font() async throws {
        let studio = try WatermarkImageTests.studio()
        let asset = try await studio.add(Self.black())
        for font in ["Sans\n", String(repeating: "x", count: 257)] {
            let error = await #expect(throws: HostError.self) {
                try await studio.edit(asset, "watermark", ["text": "x", "font": font])
            }
            #expect(error?.message.contains("font must be") == true, "\(error as Any)")
        }
        // Fontconfig finds another font for an unknown one.
        try await studio.edit(asset, "watermark", ["text": "x", "font": "No such font 12, &<>"])
        #expect(Ink(try studio.current(asset)).sum > 0)
        await studio.host.shutDown()
    }

    @Test("no text, blank text and no opacity return the input exactly", arguments: [false, true])
    func neutral(isDeep: Bool) async throws {
        let studio = try WatermarkImageTests.studio()
        let before = LightAndColorTests.samples(
            width: 40, height: 30, bands: 4, greatest: isDeep ? 65535 : 255)
        let asset = try await studio.add(
            LightAndColorTests.png(
                LightAndColorTests.image(before, width: 40, bands: 4, isDeep: isDeep)))
        for values in [["size": "0.2"], ["text": " \n"], ["text": "x", "opacity": "0"]] {
            try await studio.edit(asset, "watermark", values, reset: true)
            #expect(try LightAndColorTests.current(asset, in: studio) == before, "\(values)")
        }
        await studio.host.shutDown()
    }

    @Test("pictures of one pixel, row or column can be marked")
    func narrow() async throws {
        let studio = try WatermarkImageTests.studio()
        for (width, height) in [(1, 1), (900, 1), (1, 900), (2, 3)] {
            let asset = try await studio.add(Self.black(width, height))
            for values in [
                ["margin": "0.5"], ["size": "1"], ["angle": "33"], ["tile": "true"],
                ["tile": "true", "margin": "0", "size": "0.005"],
            ] {
                try await studio.edit(
                    asset, "watermark", values.merging(["text": "Text", "opacity": "1"]) { $1 },
                    reset: true)
                let after = try studio.current(asset)
                #expect(after.width == width && after.height == height)
            }
        }
        await studio.host.shutDown()
    }

    @Test("a small picture has the text at the same place as a large one, also turned")
    func scale() async throws {
        let studio = try WatermarkImageTests.studio()
        for angle in ["0", "-30"] {
            var found: [Ink] = []
            for factor in [1, 4] {
                let asset = try await studio.add(Self.black(200 * factor, 150 * factor))
                try await studio.edit(
                    asset, "watermark",
                    ["text": "© Example", "size": "0.08", "opacity": "1", "angle": angle])
                found.append(Ink(try studio.current(asset)))
            }
            let (small, large) = (found[0], found[1])
            for (one, four) in [
                (small.left, large.left), (small.top, large.top), (small.right, large.right),
                (small.bottom, large.bottom),
            ] { #expect(abs(Double(one) - Double(four) / 4) <= 2, "\(small), \(large)") }
            // Both sides are rounded to whole pixels.
            #expect(abs(large.sum / 16 / small.sum - 1) < 0.05, "\(small), \(large)")
        }
        await studio.host.shutDown()
    }

    @Test("untrusted extensions draw the same text")
    func untrusted() async throws {
        var results: [TestPicture] = []
        for trusted in [true, false] {
            let studio = try WatermarkImageTests.studio(trusted: trusted)
            let asset = try await studio.add(.gradient(width: 300, height: 200))
            try await studio.edit(
                asset, "watermark", ["text": "Sandbox", "size": "0.2", "font": "Serif Bold"])
            results.append(try studio.current(asset))
            await studio.host.shutDown()
        }
        #expect(results[0] == results[1])
        #expect(results[0] != .gradient(width: 300, height: 200))
    }
}
