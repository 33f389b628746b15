// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import TestSupport
import Testing
import Vips

/// Pixels without libvips: `ee_pixels`. Expected values come from plain arithmetic.
@Suite("pixels in the memory of a plug-in")
struct PixelCapabilityTests {
    /// An example in one language.
    enum Example: String, CaseIterable, Sendable {
        case c = "ExposureC"
        case rust = "ExposureRust"

        var name: String { self == .c ? "exposure" : "exposurerust" }

        var canBeBuilt: Bool {
            self == .c || (try? runProgram("/usr/bin/env", ["rustc", "--version"]).status) == 0
        }

        /// Builds the example as a reader would.
        func build(_ folder: String) throws {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            let made = try runProgram(
                "/usr/bin/env",
                [
                    "make", "--silent", "-C",
                    "\(BuildProducts.packageFolder)/Examples/\(rawValue)", "OUTPUT=\(folder)",
                ])
            try #require(made.status == 0 && made.errors.isEmpty, "\(made.errors)")
        }
    }

    /// The curve of IEC 61966-2-1.
    private static func light(_ level: Double) -> Double {
        level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
    }

    private static func level(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    private static func exposed(_ sample: UInt8, _ stops: Double) -> UInt8 {
        let light = min(1, light(Double(sample) / 255) * exp2(stops))
        return UInt8((level(light) * 255).rounded())
    }

    /// The expected output. Alpha does not change.
    private static func exposed(_ picture: TestPicture, _ stops: Double) -> TestPicture {
        var result = picture
        for index in result.samples.indices where picture.bands == 3 || index % 4 < 3 {
            result.samples[index] = exposed(picture.samples[index], stops)
        }
        return result
    }

    // MARK: - The examples

    @Test("the C example edits in linear light without libvips", arguments: [true, false])
    func c(isTrusted: Bool) async throws { try await expectExposed(.c, isTrusted: isTrusted) }

    @Test(
        "the Rust example, compiled by rustc alone, edits in linear light",
        .enabled(if: Example.rust.canBeBuilt, "rustc is not installed here"),
        arguments: [true, false])
    func rust(isTrusted: Bool) async throws { try await expectExposed(.rust, isTrusted: isTrusted) }

    private func expectExposed(_ example: Example, isTrusted: Bool) async throws {
        let studio = try TestStudio(extensions: example.build, trusted: isTrusted)
        for bands in [3, 4] {
            let picture = TestPicture.gradient(width: 301, height: 207, bands: bands)
            let asset = try await studio.add(picture)
            try await studio.edit(asset, example.name, ["stops": "1"])
            #expect(try studio.current(asset) == Self.exposed(picture, 1))
            // The recipe is read again, and the input is the original.
            let again = try await studio.edit(asset, example.name, ["stops": "-1.5"])
            #expect(again.input == .original)
            #expect(try studio.current(asset) == Self.exposed(picture, -1.5))
            #expect(try studio.recipe(asset) == #"{"stops":-1.5}"#)
        }
        await studio.host.shutDown()
    }

    @Test("the C example needs neither libvips nor GLib")
    func needs() throws {
        let folder = try TemporaryFolder()
        try Example.c.build(folder.file("extensions"))
        let library = folder.file("extensions/Exposure.editingextension/libexposure.so")
        let needed = try runProgram("/usr/bin/env", ["readelf", "-d", library])
        #expect(needed.status == 0 && needed.output.contains("libc.so"))
        #expect(!needed.output.contains("vips") && !needed.output.contains("glib"))
    }

    @Test("a preview of the C example has the pixels of its output")
    func preview() async throws {
        let studio = try TestStudio(extensions: Example.c.build)
        let picture = TestPicture.gradient(width: 120, height: 80)
        let asset = try await studio.add(picture)
        let session = try await studio.open(asset, "exposure", ["stops": "0.5"])
        #expect(try await session.preview().picture == Self.exposed(picture, 0.5))
        _ = try await session.finish()
        #expect(try studio.current(asset) == Self.exposed(picture, 0.5))
        await studio.host.shutDown()
    }

    // MARK: - Layouts

    private static let layouts = (0..<3).flatMap { samples in (0..<2).map { (samples, $0) } }

    /// The values that the plug-in logs for a level and a layout.
    private static func logged(
        _ level: Double, _ samples: Int, _ isLinear: Bool, _ curve: (Double) -> Double
    ) -> Double {
        let value = isLinear ? curve(level) : level
        return switch samples {
        case 0: (value * 255).rounded()
        case 1: (value * 65535).rounded()
        default: value
        }
    }

    /// Compares what the plug-in read in all layouts with the samples of two pixels below each other.
    private func expectRead(
        _ pixels: [[Int]], greatest: Int, in lines: [String],
        curve: (Double) -> Double = Self.light
    ) throws {
        for (samples, encoding) in Self.layouts {
            for bands in 3...4 {
                let beginning = "read \(samples) \(encoding) \(bands): 0 "
                let line = try #require(lines.first { $0.contains(beginning) }, "\(lines)")
                let found = try #require(line.components(separatedBy: beginning).last)
                    .split(separator: " ").compactMap { Double($0) }
                let expected = pixels.flatMap { pixel in
                    (0..<bands).map { band in
                        let level =
                            band < pixel.count ? Double(pixel[band]) / Double(greatest) : 1
                        return Self.logged(level, samples, encoding == 1 && band < 3, curve)
                    }
                }
                try #require(found.count == expected.count)
                for (own, other) in zip(found, expected) {
                    // Integers are exact, except that a curve in a profile has fixed-point parameters.
                    let tolerance = samples == 2 ? 2e-5 : encoding == 1 ? 1.01 : 0
                    #expect(abs(own - other) <= tolerance, "\(line): \(own) is not \(other)")
                }
            }
        }
    }

    @Test("pixels are read in each layout, and invalid calls fail", arguments: [3, 4])
    func read(bands: Int) async throws {
        let studio = try TestStudio { try TestExtension.buildLayouts(in: $0) }
        let picture = TestPicture.gradient(width: 33, height: 21, bands: bands)
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "layouts")
        #expect(try studio.current(asset) == picture)
        let lines = studio.log.lines
        let facts = "facts 33x21, samples 0, bands \(bands), access 1, linear 1, profile 0"
        #expect(lines.contains { $0.hasSuffix(facts) }, "\(lines)")
        let pixels = [2, 3].map { y in
            (0..<bands).map { Int(picture.samples[(y * 33 + 1) * bands + $0]) }
        }
        try expectRead(pixels, greatest: 255, in: lines)
        let refused = "misuse 7:" + String(repeating: " 4", count: 13)
        #expect(lines.contains { $0.hasSuffix(refused) }, "\(lines)")
        await studio.host.shutDown()
        #expect(studio.log.lines.contains { $0.hasSuffix("freed") }, "\(studio.log.lines)")
    }

    @Test(
        "reading and filling in the same layout changes no pixel", arguments: [0, 1, 2], [0, 1])
    func unchanged(samples: Int, encoding: Int) async throws {
        let studio = try TestStudio {
            try TestExtension.buildLayouts(
                defines: ["SAMPLES=\(samples)", "ENCODING=\(encoding)"], in: $0)
        }
        // Linear light in 8 bits has fewer values than the picture.
        let isExact = samples > 0 || encoding == 0
        for bands in [3, 4] {
            let picture = TestPicture.gradient(width: 256, height: 130, bands: bands)
            let asset = try await studio.add(picture)
            try await studio.edit(asset, "layouts")
            #expect(try (studio.current(asset) == picture) == isExact)
        }
        await studio.host.shutDown()
    }

    @Test("16-bit photos are read and filled exactly, in linear light too", arguments: [0, 1])
    func deep(encoding: Int) async throws {
        try VipsLibrary.initialize()
        let studio = try TestStudio {
            try TestExtension.buildLayouts(
                defines: ["SAMPLES=2", "ENCODING=\(encoding)"], in: $0)
        }
        // Each 16-bit value once.
        let samples = (0..<256 * 256 * 3).map { UInt16(truncatingIfNeeded: $0 / 3 &* 257) }
        let image = try Image(
            bytes: samples.withUnsafeBytes(Array.init), width: 256, height: 256, bands: 3,
            format: .ushort, interpretation: .rgb16)
        let png = Data(try image.encoded(saver: "pngsave_buffer", options: ["bitdepth": 16]))
        let asset = try await studio.add(png)
        try await studio.edit(asset, "layouts")
        let current = try Image(
            source: try ImageSource(bytes: Array(studio.currentBytes(asset))))
        #expect(try current.samples() == samples)
        let pixels = [2, 3].map { y in
            (0..<3).map { Int(samples[(y * 256 + 1) * 3 + $0]) }
        }
        try expectRead(pixels, greatest: 65535, in: studio.log.lines)
        await studio.host.shutDown()
    }

    // MARK: - Profiles

    /// The profile of Display P3 with another transfer curve for all bands.
    private static func profile(curve: [UInt8]) throws -> [UInt8] {
        var profile = try TestProfile.named("p3")
        while !profile.count.isMultiple(of: 4) { profile.append(0) }
        func number(_ value: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
        }
        let place = profile.count
        profile += curve
        for entry in stride(from: 132, to: 132 + Int(profile[131]) * 12, by: 12) {
            let name = String(decoding: profile[entry..<entry + 4], as: UTF8.self)
            guard ["rTRC", "gTRC", "bTRC"].contains(name) else { continue }
            profile.replaceSubrange(
                entry + 4..<entry + 12, with: number(place) + number(curve.count))
        }
        profile.replaceSubrange(0..<4, with: number(profile.count))
        return profile
    }

    @Test(
        "linear light follows the curve of the profile",
        arguments: [
            // Gamma 1.8 in fixed point with 8 bits after the point, and a table of three values.
            ([0, 0, 0, 1, 0x01, 0xCD, 0, 0], true),
            ([0, 0, 0, 3, 0, 0, 0x20, 0, 0xFF, 0xFF, 0, 0], false),
        ] as [([UInt8], Bool)])
    func curves(curve: [UInt8], isGamma: Bool) async throws {
        let studio = try TestStudio {
            try TestExtension.buildLayouts(defines: ["SAMPLES=2", "ENCODING=1"], in: $0)
        }
        let profile = try Self.profile(curve: Array("curv".utf8) + [0, 0, 0, 0] + curve)
        let picture = TestPicture.gradient(width: 64, height: 40)
        let asset = try await studio.add(
            try picture.encoded { $0.set("icc-profile-data", to: profile) })
        try await studio.edit(asset, "layouts")
        let current = try Image(
            source: try ImageSource(bytes: Array(studio.currentBytes(asset))))
        #expect(try current.pixels() == picture.samples)
        #expect(current.blob("icc-profile-data") == profile)
        let facts = "linear 1, profile \(profile.count)"
        #expect(studio.log.lines.contains { $0.hasSuffix(facts) }, "\(studio.log.lines)")
        let pixels = [2, 3].map { y in
            (0..<3).map { Int(picture.samples[(y * 64 + 1) * 3 + $0]) }
        }
        let middle = 0x2000 / 65535.0
        try expectRead(pixels, greatest: 255, in: studio.log.lines) { level in
            guard !isGamma else { return pow(level, 461.0 / 256) }
            return level < 0.5
                ? middle * level * 2 : middle + (1 - middle) * (level - 0.5) * 2
        }
        await studio.host.shutDown()
    }

    @Test(
        "linear light keeps black, white and all values that a curve with flat parts distinguishes",
        arguments: [1, 2])
    func flatCurve(samples: Int) async throws {
        let studio = try TestStudio {
            try TestExtension.buildLayouts(defines: ["SAMPLES=\(samples)", "ENCODING=1"], in: $0)
        }
        // Five points: the first and the last quarter are flat.
        let curve: [UInt8] = [0, 0, 0, 5, 0, 0, 0, 0, 0x40, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0]
        let profile = try Self.profile(curve: Array("curv".utf8) + [0, 0, 0, 0] + curve)
        // Each 8-bit value once in every row.
        let picture = TestPicture(
            width: 256, height: 16, bands: 3,
            samples: (0..<256 * 16 * 3).map { UInt8($0 / 3 % 256) })
        let asset = try await studio.add(
            try picture.encoded { $0.set("icc-profile-data", to: profile) })
        try await studio.edit(asset, "layouts")
        let current = try Image(
            source: try ImageSource(bytes: Array(studio.currentBytes(asset))))
        // 63 is the last value before 255 / 4, and 192 is the first one after 255 * 3 / 4.
        let expected = picture.mapped { $0 <= 63 ? 0 : $0 >= 192 ? 255 : $0 }
        #expect(try current.pixels() == expected.samples)
        await studio.host.shutDown()
    }

    // MARK: - Limits

    @Test("filled pixels are clipped, and NaN becomes 0", arguments: [true, false])
    func clipped(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: {
                try TestExtension.buildLayouts(
                    defines: ["SAMPLES=2", "BANDS=3", "SIZE=20"], in: $0)
            }, trusted: isTrusted)
        let asset = try await studio.add(.gradient(width: 64, height: 48, bands: 3))
        try await studio.edit(asset, "layouts")
        let found = try studio.current(asset)
        #expect((found.width, found.height) == (20, 20))
        let expected = (0..<400).flatMap { _ in [0, 0, 255] as [UInt8] }
        #expect(found.samples == expected)
        await studio.host.shutDown()
    }

    @Test("a failure to fill fails the edit with its message", arguments: [true, false])
    func failure(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildLayouts(defines: ["FAILS"], in: $0) },
            trusted: isTrusted)
        let asset = try await studio.add(.gradient())
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "layouts")
        }
        #expect(error?.code == .extensionFailed)
        #expect(
            error?.description.contains("100% of its colours are missing") == true,
            "\(error as Any)")
        await studio.host.shutDown()
    }

    @Test("an image with sequential access is not read upwards", arguments: [true, false])
    func upwards(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildLayouts(defines: ["UPWARDS"], in: $0) },
            trusted: isTrusted)
        let asset = try await studio.add(.gradient(width: 16, height: 3000))
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "layouts")
        }
        #expect(error?.code == .extensionFailed, "\(error as Any)")
        let reasons = ["from top to bottom", "out of order"]
        #expect(
            reasons.contains { error?.description.contains($0) == true }, "\(error as Any)")
        await studio.host.shutDown()
    }

    // MARK: - The reduced input

    @Test(
        "the reduced input has equal pixels at the start, in previews and in finish",
        arguments: [true, false], [false, true])
    func reduced(isTrusted: Bool, isInteractive: Bool) async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildLayouts(defines: ["MEASURES"], in: $0) },
            trusted: isTrusted)
        let picture = TestPicture.gradient(width: 1200, height: 802)
        let asset = try await studio.add(try picture.encoded("jpeg"), named: "a.jpg")
        if isInteractive {
            let session = try await studio.open(asset, "layouts")
            _ = try await session.preview()
            _ = try await session.finish()
        } else {
            try await studio.edit(asset, "layouts")
        }
        func measured(_ call: String, _ side: Int) -> [Substring] {
            studio.log.lines.compactMap { line in
                line.components(separatedBy: "\(call) measured \(side): ").dropFirst().first
                    .map { Substring($0) }
            }
        }
        let calls = isInteractive ? ["start", "preview", "finish"] : ["start", "finish"]
        let found = calls.map { measured($0, 60).first }
        let first = try #require(measured("start", 60).first)
        #expect(first.hasPrefix("0, 60x40, access 1, "), "\(first)")
        #expect(found.allSatisfy { $0 == first }, "\(studio.log.lines)")
        // Never enlarged, and never empty.
        let sizes = [(Int(UInt32.max), "0, 1200x802, "), (0, "0, 1x1, ")]
        for (side, beginning) in sizes {
            #expect(
                measured("finish", side).contains { $0.hasPrefix(beginning) },
                "\(studio.log.lines)")
        }

        // A controller that renders gets none.
        try await studio.host.rerender([asset], in: studio.library, force: true, jobs: 1) { _ in }
        #expect(measured("finish", 60).last?.hasPrefix("4, ") == true, "\(studio.log.lines)")
        await studio.host.shutDown()
    }

    @Test("the reduced input of a JPEG is decoded at reduced size, and resembles the picture")
    func cheap() async throws {
        let studio = try TestStudio {
            try TestExtension.buildLayouts(defines: ["MEASURES"], in: $0)
        }
        let picture = TestPicture.plain(width: 1600, height: 1200)
        let asset = try await studio.add(try picture.encoded("jpeg"), named: "a.jpg")
        let before = studio.host.decodes
        let session = try await studio.open(asset, "layouts")
        #expect(studio.host.decodes.fullSize == before.fullSize)
        // The sum of the plain picture's reduction, whose pixels are all alike.
        let decoded = try TestPicture(decoding: try picture.encoded("jpeg"))
        var sum: UInt32 = 0
        for index in 0..<3 * 60 * 45 { sum = sum &* 31 &+ UInt32(decoded.samples[index % 3]) }
        let expected = "start measured 60: 0, 60x45, access 1, sum \(sum)"
        #expect(studio.log.lines.contains { $0.hasSuffix(expected) }, "\(studio.log.lines)")
        await session.cancel()
        await studio.host.shutDown()
    }
}
