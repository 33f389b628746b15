// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing
import Vips

/// The files of Color LUT: forms that it reads, and errors.
@Suite("files of Color LUT")
struct ColorLUTFileTests {
    /// A cube of 2 points that exchanges red and blue.
    private static let swapped = ColorLUTOracle.cube(size: 2) { [$0[2], $0[1], $0[0]] }

    static let forms: [(String, String)] = [
        ("comments and a title", "# first\nTITLE \"a # b\"\n\n" + swapped.text + "# last\n"),
        ("CRLF", swapped.text.replacingOccurrences(of: "\n", with: "\r\n")),
        ("CR", swapped.text.replacingOccurrences(of: "\n", with: "\r")),
        ("a byte order mark", "\u{FEFF}" + swapped.text),
        ("no end of the last line", String(swapped.text.dropLast())),
        ("tabs and spaces", swapped.text.replacingOccurrences(of: " ", with: " \t ")),
        ("exponents", swapped.text.replacingOccurrences(of: "1.0", with: "+10000e-4")),
        ("lower case", swapped.text.lowercased()),
        (
            "many digits",
            swapped.text.replacingOccurrences(of: "0.0", with: ".00000000000000000000001")
        ),
        ("a domain after the size", swapped.text + "DOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1 1\n"),
    ]

    @Test("all forms of a cube give the same picture", arguments: forms)
    func form(name: String, text: String) async throws {
        let studio = try ColorLUTTests.studio()
        let before = TestPicture.gradient(width: 64, height: 48)
        let asset = try await studio.add(before)
        let path = try studio.folder.write(Data(text.utf8), to: "form.cube")
        try await studio.edit(asset, "colorlut", ["lut": path])
        let after = try studio.current(asset)
        var expected = before.samples
        for pixel in stride(from: 0, to: expected.count, by: 3) {
            expected.swapAt(pixel, pixel + 2)
        }
        #expect(after.samples == expected && after != before)
        await studio.host.shutDown()
    }

    @Test("the largest tables are read: 129 points of a cube, 65536 of a curve")
    func largest() async throws {
        let studio = try ColorLUTTests.studio()
        let asset = try await studio.add(.gradient())
        for (index, (head, rows)) in [
            ("LUT_3D_SIZE 129\n", 129 * 129 * 129), ("LUT_1D_SIZE 65536\n", 65536),
        ].enumerated() {
            let text = head + String(repeating: ".5 .5 .5\n", count: rows)
            let path = try studio.folder.write(Data(text.utf8), to: "\(index).cube")
            try await studio.edit(asset, "colorlut", ["lut": path], reset: true)
            #expect(try studio.current(asset).samples.allSatisfy { $0 == 128 }, "\(head)")
        }
        await studio.host.shutDown()
    }

    /// Unusable texts, and a part of the error.
    static let unusableTexts: [(String, String)] = [
        ("LUT_3D_SIZE 1\n0 0 0\n", "line 1: LUT_3D_SIZE must be a whole number from 2 to 129"),
        ("LUT_3D_SIZE 257\n", "line 1: LUT_3D_SIZE must be"),
        ("LUT_3D_SIZE 2.5\n", "line 1: LUT_3D_SIZE must be"),
        ("LUT_3D_SIZE 1e300\n", "line 1: 1e+300 is beyond"),
        ("LUT_1D_SIZE 65537\n", "LUT_1D_SIZE must be a whole number from 2 to 65536"),
        ("LUT_3D_SIZE 2\nLUT_3D_SIZE 2\n", "line 2: LUT_3D_SIZE is repeated"),
        ("LUT_3D_SIZE 2\n" + String(repeating: "0 0 0\n", count: 7), "has 7 of the 8 rows"),
        (swapped.text + "1 1 1\n", "line 10: there are more rows than the 8"),
        (swapped.text.replacingOccurrences(of: "1.0 1.0 1.0", with: "1 nan 1"), "line 9: a number"),
        (swapped.text.replacingOccurrences(of: "1.0 1.0 1.0", with: "nan 1 1"), "line 9: \"nan\""),
        (swapped.text.replacingOccurrences(of: "1.0 1.0 1.0", with: "1 inf 1"), "line 9: a number"),
        (swapped.text.replacingOccurrences(of: "1.0 1.0 1.0", with: "1 1e300 1"), "line 9: 1e+300"),
        (
            swapped.text.replacingOccurrences(of: "1.0 1.0 1.0", with: "1 1e999 1"),
            "line 9: a number"
        ),
        (swapped.text.replacingOccurrences(of: "1.0 1.0 1.0", with: "1 1"), "line 9: a number"),
        (
            swapped.text.replacingOccurrences(of: "1.0 1.0 1.0", with: "1 1 1 1"),
            "line 9: there are"
        ),
        (swapped.text.replacingOccurrences(of: "1.0", with: "1,0"), "a number is missing"),
        ("DOMAIN_MIN 0 1 0\nDOMAIN_MAX 1 0 1\n" + swapped.text, "DOMAIN_MAX must be greater"),
        (
            "LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 1 0\n",
            "line 2: the range of input goes from 1.0 to 0.0"
        ),
        ("0 0 0\n" + swapped.text, "line 1: numbers come before"),
        ("LUT_IN_VIDEO_RANGE\n" + swapped.text, "line 1: \"LUT_IN_VIDEO_RANGE\" is neither"),
        ("\u{1B}[1m\0\n", "line 1: \"?[1m?\" is neither"),
        ("\n", "the file has no LUT_1D_SIZE or LUT_3D_SIZE"),
    ]

    /// Expects errors that name the parameter, and no edit.
    private func expectErrors(_ files: [(Data, String)]) async throws {
        let studio = try ColorLUTTests.studio()
        let asset = try await studio.add(.gradient())
        for (data, reason) in files {
            let path = try studio.folder.write(data, to: "unusable")
            let error = await #expect(throws: HostError.self, "\(reason)") {
                try await studio.edit(asset, "colorlut", ["lut": path])
            }
            let message = "\(error as Any)"
            #expect(message.contains("lut: ") && message.contains(reason), "\(message)")
        }
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
        await studio.host.shutDown()
    }

    @Test("an unusable text is an error with the parameter and the line")
    func unusable() async throws {
        try await expectErrors(Self.unusableTexts.map { (Data($0.utf8), $1) })
    }

    @Test("64 MiB of spaces are an error")
    func spaces() async throws {
        try await expectErrors([
            (Data(repeating: 0x20, count: 64 << 20), "line 1: the line is longer")
        ])
    }

    @Test("a PNG that is gray, damaged or no HaldCLUT is an error")
    func unusablePNG() async throws {
        try VipsLibrary.initialize()
        let gray = try Image(
            bytes: [UInt8](repeating: 9, count: 64), width: 8, height: 8, bands: 1, format: .uchar,
            interpretation: .gray)
        let hald = try TestPicture.gradient(width: 64, height: 64).encoded()
        let others = try [(100, 100), (64, 63), (1, 1)].map { width, height in
            (
                try TestPicture.gradient(width: width, height: height).encoded(),
                "\(width) × \(height) pixels"
            )
        }
        try await expectErrors(
            others + [
                (LightAndColorTests.png(gray), "is not red, green and blue"),
                (hald.prefix(hald.count / 2), "the PNG is damaged"),
                (hald.prefix(12), "the PNG cannot be read"),
            ])
    }

    @Test("a session keeps the earlier table if the next file is unusable")
    func session() async throws {
        let studio = try ColorLUTTests.studio()
        let asset = try await studio.add(.gradient())
        let good = try studio.folder.write(Data(Self.swapped.text.utf8), to: "good.cube")
        let bad = try studio.folder.write(Data("LUT_3D_SIZE 1\n".utf8), to: "bad.cube")
        let session = try await studio.open(asset, "colorlut")
        _ = try await session.setParameters(["lut": .string(good)])
        let shown = try await session.preview().picture
        await #expect(throws: HostError.self) {
            _ = try await session.setParameters(["lut": .string(bad)])
        }
        #expect(try await session.preview().picture == shown)
        await session.cancel()
        await studio.host.shutDown()
    }

    @Test("damaged files are errors or tables, and never crash the extension")
    func damaged() async throws {
        let studio = try ColorLUTTests.studio()
        let asset = try await studio.add(.gradient(width: 8, height: 8))
        let session = try await studio.open(asset, "colorlut")
        var random = SeededGenerator(seed: 12)
        let text = Array(("DOMAIN_MIN 0 0 0\n" + Self.swapped.text).utf8)
        let hald = try Array(TestPicture.gradient(width: 8, height: 8).encoded())
        var rejected = 0
        for index in 0..<100 {
            var bytes = index % 4 == 0 ? hald : text
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
                if Bool.random(using: &random) { bytes.removeLast() }
            }
            let path = try studio.folder.write(Data(bytes), to: "\(index).cube")
            do {
                _ = try await session.setParameters(["lut": .string(path)])
                _ = try await session.preview()
            } catch let error as HostError {
                #expect(error.message.contains("lut: "), "\(index): \(error)")
                rejected += 1
            }
        }
        #expect((10..<100).contains(rejected), "\(rejected) are rejected")
        await session.cancel()
        await studio.host.shutDown()
    }
}
