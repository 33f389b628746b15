// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import TestSupport
import Testing
import Vips

/// Pictures whose profile is a table. Extensions that work in light convert them to ProPhoto RGB.
@Suite("pictures with a table as profile")
struct TableProfileTests {
    private static let (width, height) = (24, 20)

    /// Samples of 8 bits with alpha. In 16 bits, they are multiplied by 257.
    ///
    /// - Parameter least: The least level of a colour.
    private static func samples(least: UInt8 = 0) -> [UInt8] {
        var random = SeededGenerator(seed: 11)
        var samples: [UInt8] = [255, 255, 255, 255, least, least, least, 0]
        while samples.count < 4 * width * height {
            for band in 0..<4 {
                samples.append(UInt8.random(in: (band < 3 ? least : 0)...255, using: &random))
            }
        }
        return samples
    }

    private static func image(
        _ samples: [UInt8], bands: Int = 4, isDeep: Bool, profile: [UInt8] = TableProfile.bytes
    ) throws -> Image {
        try LightAndColorTests.image(
            samples.map { UInt16($0) * (isDeep ? 257 : 1) }, width: width, bands: bands,
            isDeep: isDeep
        ).copying { $0.set("icc-profile-data", to: profile) }
    }

    private static func current(_ asset: String, in studio: TestStudio) throws -> Image {
        try Image(source: try ImageSource(bytes: Array(studio.currentBytes(asset))))
    }

    /// The description in the profile of the current version, as ExifTool reads it.
    private static func profileName(_ asset: String, in studio: TestStudio) throws -> String {
        let path = try studio.folder.write(studio.currentBytes(asset), to: "current")
        let result = try runProgram(
            "/usr/bin/env", ["exiftool", "-s3", "-ICC_Profile:ProfileDescription", path])
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The greatest difference to expected light, in levels of the picture.
    ///
    /// - Parameter expected: The light in ProPhoto RGB of a pixel.
    private static func difference(
        _ after: [UInt16], from samples: [UInt8], isDeep: Bool, _ expected: ([UInt8]) -> [Double]
    ) throws -> Double {
        try #require(after.count == samples.count)
        var largest = 0.0
        for pixel in stride(from: 0, to: samples.count, by: 4) {
            let light = expected(Array(samples[pixel..<pixel + 3]))
            for band in 0..<3 {
                let level = TableProfile.encoded(light[band]) * (isDeep ? 65535 : 255)
                largest = max(largest, abs(Double(after[pixel + band]) - level))
            }
            let alpha = UInt16(samples[pixel + 3]) * (isDeep ? 257 : 1)
            #expect(after[pixel + 3] == alpha, "alpha has changed")
        }
        return largest
    }

    /// LittleCMS rounds the light of tables to 1/32768, which is more than half a level in the shadows.
    @Test(
        "Light and Color edits them in ProPhoto RGB, within a level of 8 bits and 4 of 16",
        arguments: [false, true])
    func light(isDeep: Bool) async throws {
        let studio = try LightAndColorTests.studio()
        let samples = Self.samples(least: isDeep ? 100 : 0)
        let asset = try await studio.add(
            LightAndColorTests.png(Self.image(samples, isDeep: isDeep)))
        try await studio.edit(asset, "lightandcolor", ["exposure": "-0.5", "saturation": "-0.3"])
        let after = try Self.current(asset, in: studio).samples() as [UInt16]
        let weights = TableProfile.luminance
        let largest = try Self.difference(after, from: samples, isDeep: isDeep) { pixel in
            let light = TableProfile.light(of: pixel).map { $0 * exp2(-0.5) }
            let gray = weights[0] * light[0] + weights[1] * light[1] + weights[2] * light[2]
            return light.map { gray + 0.7 * ($0 - gray) }
        }
        #expect(largest <= (isDeep ? 4 : 0.9), "\(largest) levels off")
        #expect(try Self.profileName(asset, in: studio) == "ProPhoto RGB")
        await studio.host.shutDown()
    }

    /// An extension, and values that change some pixels.
    struct Edit: Sendable {
        let name: String
        let values: [String: String]
        let neutral: [String: String]
    }

    private static let lens = [
        "distortion": "false", "lateralColor": "false", "vignetting": "false",
    ]
    private static let edits = [
        Edit(name: "LightAndColor", values: ["warmth": "0.4"], neutral: ["warmth": "0"]),
        Edit(name: "ColorMixer", values: ["redHue": "1"], neutral: ["redHue": "0"]),
        Edit(name: "ColorLUT", values: ["amount": "0.5"], neutral: ["amount": "0"]),
        Edit(name: "Vignette", values: ["amount": "-1"], neutral: ["amount": "0"]),
        Edit(
            name: "LensCorrection", values: lens.merging(["vignetting": "true"]) { $1 },
            neutral: lens),
        Edit(name: "Borders", values: ["width": "0.1"], neutral: ["width": "0"]),
        Edit(name: "Watermark", values: ["text": "A"], neutral: ["text": " "]),
    ]

    @Test(
        "each extension names ProPhoto RGB, and leaves pixels and profile alone if it is neutral",
        arguments: edits, [false, true])
    func extensions(edit: Edit, isDeep: Bool) async throws {
        let studio = try TestStudio { try TestExtension.assemble(edit.name, in: $0) }
        let samples = Self.samples()
        let before = try Self.image(samples, isDeep: isDeep)
        let asset = try await studio.add(
            LensPhoto.tagged(LightAndColorTests.png(before), LensPhoto.fullFrame))
        var table: [String: String] = [:]
        if edit.name == "ColorLUT" {
            let cube = "LUT_1D_SIZE 2\n0 0 0\n0.5 1 1\n"
            table["lut"] = try studio.folder.write(Data(cube.utf8), to: "look.cube")
        }
        let name = edit.name.lowercased()
        try await studio.edit(asset, name, edit.neutral.merging(table) { $1 }, reset: true)
        let neutral = try Self.current(asset, in: studio)
        #expect(try neutral.samples() as [UInt16] == before.samples())
        #expect(neutral.blob("icc-profile-data") == TableProfile.bytes)
        try await studio.edit(asset, name, edit.values.merging(table) { $1 }, reset: true)
        let after = try Self.current(asset, in: studio)
        #expect(after.format == before.format && after.bands == 4)
        #expect(try Self.profileName(asset, in: studio) == "ProPhoto RGB")
        await studio.host.shutDown()
    }

    @Test("pixels that an edit leaves alone are those of the profile's table")
    func conversion() async throws {
        let studio = try TestStudio { try TestExtension.assemble("Vignette", in: $0) }
        let samples = Self.samples()
        let asset = try await studio.add(LightAndColorTests.png(Self.image(samples, isDeep: false)))
        // Darkens nothing inside the corners.
        try await studio.edit(
            asset, "vignette", ["amount": "-1", "radius": "1", "softness": "0"])
        let after = try Self.current(asset, in: studio).samples() as [UInt16]
        let largest = try Self.difference(
            after, from: samples, isDeep: false, TableProfile.light(of:))
        #expect(largest <= 0.7, "\(largest) levels off")
        await studio.host.shutDown()
    }

    @Test("the image of a watermark may have such a profile, too")
    func mark() async throws {
        let studio = try TestStudio { try TestExtension.assemble("Watermark", in: $0) }
        let color: [UInt8] = [210, 90, 140]
        var samples: [UInt8] = []
        for _ in 0..<Self.width * Self.height { samples += color }
        let mark = try studio.folder.write(
            LightAndColorTests.png(Self.image(samples, bands: 3, isDeep: false)), to: "mark.png")
        let asset = try await studio.add(
            LightAndColorTests.png(Self.image(Self.samples(), isDeep: false)))
        try await studio.edit(
            asset, "watermark",
            ["image": mark, "size": "0.5", "opacity": "1", "position": "center"])
        let after = try Self.current(asset, in: studio).samples() as [UInt16]
        let center = (Self.height / 2 * Self.width + Self.width / 2) * 4
        for (band, light) in TableProfile.light(of: color).enumerated() {
            let level = TableProfile.encoded(light) * 255
            #expect(abs(Double(after[center + band]) - level) <= 0.7)
        }
        await studio.host.shutDown()
    }

    @Test("a preview has the profile and the colours of the result, within 2 levels of 8 bits")
    func preview() async throws {
        let studio = try LightAndColorTests.studio()
        let (width, height) = (1200, 300)
        var samples: [UInt16] = []
        for y in 0..<height {
            for x in 0..<width {
                for band in 0..<3 {
                    let wave = sin(Double(x + 90 * band) / 130) * cos(Double(y) / 110)
                    samples.append(UInt16(257 * (130 + 80 * wave)))
                }
            }
        }
        let picture = try LightAndColorTests.image(samples, width: width, bands: 3, isDeep: true)
            .copying { $0.set("icc-profile-data", to: TableProfile.bytes) }
        let asset = try await studio.add(LightAndColorTests.png(picture))
        let session = try await studio.open(
            asset, "lightandcolor", ["exposure": "-0.3", "contrast": "0.2", "shadows": "0.4"],
            displaySize: 400)
        let preview = try await session.preview()
        #expect(preview.profile == .proPhotoRGB && preview.pixelFormat == .rgb16)
        try #require(preview.width == 400 && preview.height == 100)
        let shown = preview.data.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
        // The neutral preview is in the profile of the photo again.
        _ = try await session.setParameters([
            "exposure": .number(0), "contrast": .number(0), "shadows": .number(0),
        ])
        #expect(try await session.preview().profile == .original)
        _ = try await session.setParameters([
            "exposure": .number(-0.3), "contrast": .number(0.2), "shadows": .number(0.4),
        ])
        _ = try await session.finish()
        let whole = try Self.current(asset, in: studio).samples() as [UInt16]
        var largest = 0.0
        for place in 0..<400 * 100 {
            // The middle of three by three pixels, which differ little.
            let first = (place / 400 * 3 + 1) * width + place % 400 * 3 + 1
            for band in 0..<3 {
                let difference = Double(whole[3 * first + band]) - Double(shown[3 * place + band])
                largest = max(largest, abs(difference) / 257)
            }
        }
        #expect(largest <= 2, "\(largest)")
        await studio.host.shutDown()
    }

    @Test("automatic settings measure the picture in light")
    func automatic() async throws {
        let studio = try LightAndColorTests.studio()
        let gray: UInt8 = 60
        let samples = [UInt8](repeating: gray, count: 3 * Self.width * Self.height)
        let asset = try await studio.add(
            LightAndColorTests.png(Self.image(samples, bands: 3, isDeep: false)))
        let session = try await studio.open(asset, "lightandcolor")
        let chosen = try await session.setParameters(["auto": .boolean(true)])
        let light = TableProfile.light(of: [gray, gray, gray])[1]
        guard case .number(let exposure) = chosen["exposure"] else {
            Issue.record("there is no exposure")
            return
        }
        // Half of the way to middle gray, in hundredths; luma has 256 steps.
        #expect(abs(exposure - log2(0.18 / light) / 2) < 0.03, "\(exposure)")
        await session.cancel()
        await studio.host.shutDown()
    }

    @Test("a damaged profile is an error that says what to do")
    func damaged() async throws {
        let studio = try LightAndColorTests.studio()
        var profile = TableProfile.bytes
        let table = try #require(profile.firstRange(of: Array("mft2".utf8)))
        profile.replaceSubrange(table, with: Array("none".utf8))
        let image = try Self.image(Self.samples(), isDeep: false, profile: profile)
        let asset = try await studio.add(
            Data(image.encoded(saver: "tiffsave_buffer")), named: "picture.tif")
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "lightandcolor", ["exposure": "1"])
        }
        let text = error?.description ?? ""
        #expect(text.contains("profile") && text.contains("--profile srgb"), "\(text)")
        try await studio.edit(asset, "lightandcolor", ["exposure": "0"])
        await studio.host.shutDown()
    }

    @Test("untrusted extensions render the same bytes")
    func untrusted() async throws {
        let picture = try LightAndColorTests.png(Self.image(Self.samples(), isDeep: false))
        var results: [[UInt16]] = []
        for trusted in [true, false] {
            let studio = try LightAndColorTests.studio(trusted: trusted)
            let asset = try await studio.add(picture)
            try await studio.edit(asset, "lightandcolor", ["shadows": "0.5", "warmth": "0.2"])
            results.append(try Self.current(asset, in: studio).samples())
            await studio.host.shutDown()
        }
        #expect(results[0] == results[1])
    }
}
