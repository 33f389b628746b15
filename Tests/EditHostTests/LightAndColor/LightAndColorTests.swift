// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import TestSupport
import Testing
import Vips

/// The pixels of Light and Color, compared with its formulas in double precision.
@Suite("Light and Color")
struct LightAndColorTests {
    static func studio(trusted: Bool = true) throws -> TestStudio {
        try TestStudio(
            extensions: { try TestExtension.assemble("LightAndColor", in: $0) }, trusted: trusted)
    }

    /// Random colours, and grays from black to white. The same samples each time.
    static func samples(width: Int, height: Int, bands: Int, greatest: Int) -> [UInt16] {
        var random = SeededGenerator(seed: 39)
        return (0..<width * height).flatMap { pixel -> [UInt16] in
            let gray = UInt16(greatest * pixel / (width * height - 1))
            let isGray = pixel % 4 == 0
            return (0..<bands).map { band in
                isGray && band < 3 ? gray : UInt16.random(in: 0...UInt16(greatest), using: &random)
            }
        }
    }

    static func image(_ samples: [UInt16], width: Int, bands: Int, isDeep: Bool) throws -> Image {
        try VipsLibrary.initialize()
        return try Image(
            bytes: isDeep ? samples.withUnsafeBytes(Array.init) : samples.map { UInt8($0) },
            width: width, height: samples.count / width / bands, bands: bands,
            format: isDeep ? .ushort : .uchar, interpretation: isDeep ? .rgb16 : .srgb)
    }

    static func png(_ image: Image) throws -> Data {
        Data(
            try image.encoded(
                saver: "pngsave_buffer",
                options: ["bitdepth": .integer(image.format == .ushort ? 16 : 8)]))
    }

    static func current(_ asset: String, in studio: TestStudio) throws -> [UInt16] {
        try Image(source: try ImageSource(bytes: Array(studio.currentBytes(asset)))).samples()
    }

    /// Each slider alone, and all of them.
    static let edits: [[String: Double]] = [
        ["exposure": 1], ["exposure": -2.5], ["contrast": 0.7], ["contrast": -1],
        ["brightness": 1], ["brightness": -0.6], ["blackPoint": 1], ["blackPoint": -0.5],
        ["saturation": -1], ["saturation": 0.8], ["vibrance": 1], ["vibrance": -0.7],
        ["warmth": 1], ["warmth": -1], ["tint": 1], ["tint": -0.5],
        [
            "exposure": 0.3, "contrast": 0.4, "brightness": -0.2, "blackPoint": 0.3,
            "saturation": 0.2, "vibrance": -0.3, "warmth": 0.25, "tint": -0.2,
        ],
    ]

    static func oracle(_ values: [String: Double]) -> LightAndColorOracle {
        func value(_ name: String) -> Double { values[name] ?? 0 }
        return LightAndColorOracle(
            exposure: value("exposure"), brilliance: value("brilliance"),
            highlights: value("highlights"), shadows: value("shadows"),
            contrast: value("contrast"), brightness: value("brightness"),
            blackPoint: value("blackPoint"), saturation: value("saturation"),
            vibrance: value("vibrance"), warmth: value("warmth"), tint: value("tint"))
    }

    @Test(
        "each global slider follows its formula, within half a level of 8 bits and 4 of 16",
        arguments: [false, true])
    func formulas(isDeep: Bool) async throws {
        let studio = try Self.studio()
        let greatest = isDeep ? 65535 : 255
        let before = Self.samples(width: 40, height: 30, bands: 4, greatest: greatest)
        let asset = try await studio.add(
            Self.png(Self.image(before, width: 40, bands: 4, isDeep: isDeep)))
        for values in Self.edits {
            try await studio.edit(
                asset, "lightandcolor", values.mapValues { "\($0)" }, reset: true)
            let after = try Self.current(asset, in: studio)
            try #require(after.count == before.count)
            let oracle = Self.oracle(values)
            var largest = 0.0
            for pixel in stride(from: 0, to: before.count, by: 4) {
                let expected = oracle.edited(
                    before[pixel..<pixel + 3].map { Double($0) / Double(greatest) })
                for band in 0..<3 {
                    let level = min(max(expected[band], 0), 1) * Double(greatest)
                    largest = max(largest, abs(Double(after[pixel + band]) - level))
                }
                #expect(after[pixel + 3] == before[pixel + 3], "alpha has changed")
            }
            #expect(largest <= (isDeep ? 4 : 0.53), "\(values): \(largest) levels off")
        }
        await studio.host.shutDown()
    }

    @Test(
        "the steepest tone curves follow their formula near black and white, within 4 levels of 16 bits",
        arguments: [(1.0, 1.0, -1.0), (0.7, 1, -1), (1, 1, 0), (0.5, -1, -1), (-1, -1, -1)])
    func steep(blackPoint: Double, brightness: Double, contrast: Double) async throws {
        let studio = try Self.studio()
        let (width, height) = (512, 4)
        // The level below the black point.
        let black = Int(0.15 * max(blackPoint, 0) * 65535)
        var before: [UInt16] = []
        for pixel in 0..<width * height {
            let step = pixel % (width * height / 2)
            let level = UInt16(pixel == step ? black + step : 65535 - step)
            before += [level, level, level]
        }
        let asset = try await studio.add(
            Self.png(Self.image(before, width: width, bands: 3, isDeep: true)))
        let values = ["blackPoint": blackPoint, "brightness": brightness, "contrast": contrast]
        try await studio.edit(asset, "lightandcolor", values.mapValues { "\($0)" })
        let after = try Self.current(asset, in: studio)
        let oracle = Self.oracle(values)
        var largest = 0.0
        for index in stride(from: 0, to: before.count, by: 3) {
            let expected = oracle.toned(Double(before[index]) / 65535) * 65535
            largest = max(largest, abs(Double(after[index]) - expected))
        }
        #expect(largest <= 4, "\(largest) levels off")
        await studio.host.shutDown()
    }

    @Test("local sliders follow the guided filter's formula", arguments: [false, true])
    func local(isDeep: Bool) async throws {
        let studio = try Self.studio()
        let (width, height, greatest) = (100, 60, isDeep ? 65535 : 255)
        // Bright and dark areas with an edge between them, and detail.
        var random = SeededGenerator(seed: 5)
        let before = (0..<width * height).flatMap { pixel -> [UInt16] in
            let level = pixel % width < 40 ? 0.1 : 0.75
            return (0..<3).map { _ in
                UInt16((level + Double.random(in: -0.08...0.2, using: &random)) * Double(greatest))
            }
        }
        let asset = try await studio.add(
            Self.png(Self.image(before, width: width, bands: 3, isDeep: isDeep)))
        let shares = LightAndColorOracle.Primaries.sRGB.luminance
        var luma: [Double] = []
        for pixel in stride(from: 0, to: before.count, by: 3) {
            var sum = 0.0
            for band in 0..<3 { sum += shares[band] * Double(before[pixel + band]) }
            luma.append(sum / Double(greatest))
        }
        let base = GuidedFilter(radius: 3, edge: 0.01, width: width, height: height)
            .filtered(luma)
        for values in [
            ["shadows": 1.0], ["shadows": -0.6], ["highlights": -1], ["highlights": 0.5],
            ["brilliance": 1],
            ["shadows": 0.5, "highlights": -0.7, "exposure": 0.6, "contrast": 0.3],
        ] {
            try await studio.edit(
                asset, "lightandcolor", values.mapValues { "\($0)" }, reset: true)
            let after = try Self.current(asset, in: studio)
            let oracle = Self.oracle(values)
            var largest = 0.0
            for pixel in 0..<width * height {
                let expected = oracle.edited(
                    before[3 * pixel..<3 * pixel + 3].map { Double($0) / Double(greatest) },
                    base: base[pixel])
                for band in 0..<3 {
                    let level = min(max(expected[band], 0), 1) * Double(greatest)
                    largest = max(largest, abs(Double(after[3 * pixel + band]) - level))
                }
            }
            #expect(largest <= (isDeep ? 4 : 0.53), "\(values): \(largest) levels off")
        }
        await studio.host.shutDown()
    }

    @Test("neutral values return the input exactly", arguments: [false, true])
    func neutral(isDeep: Bool) async throws {
        let studio = try Self.studio()
        let before = Self.samples(
            width: 40, height: 30, bands: 4, greatest: isDeep ? 65535 : 255)
        let asset = try await studio.add(
            Self.png(Self.image(before, width: 40, bands: 4, isDeep: isDeep)))
        try await studio.edit(asset, "lightandcolor", ["exposure": "0"])
        #expect(try Self.current(asset, in: studio) == before)
        await studio.host.shutDown()
    }

    @Test("a wide gamut keeps its colours and has luminance and white balance of its own")
    func wideGamut() async throws {
        let studio = try Self.studio()
        let profile = try TestProfile.named("p3")
        // Most of these colours are outside sRGB.
        var before: [UInt16] = [255, 0, 0, 0, 255, 0, 10, 250, 240, 255, 30, 200]
        before += Self.samples(width: 40, height: 4, bands: 3, greatest: 255)
        let image = try Self.image(before, width: 4, bands: 3, isDeep: false)
            .copying { $0.set("icc-profile-data", to: profile) }
        let asset = try await studio.add(Self.png(image))
        for values in [
            ["exposure": -1.0], ["saturation": 0.4], ["warmth": 0.7, "tint": -0.4],
            ["vibrance": 0.8, "contrast": 0.3],
        ] {
            try await studio.edit(
                asset, "lightandcolor", values.mapValues { "\($0)" }, reset: true)
            let after = try Self.current(asset, in: studio)
            var oracle = Self.oracle(values)
            oracle.primaries = .displayP3
            var largest = 0.0
            for pixel in stride(from: 0, to: before.count, by: 3) {
                let expected = oracle.edited(before[pixel..<pixel + 3].map { Double($0) / 255 })
                for band in 0..<3 {
                    let level = min(max(expected[band], 0), 1) * 255
                    largest = max(largest, abs(Double(after[pixel + band]) - level))
                }
            }
            // The numbers of the profile have 16 bits.
            #expect(largest <= 0.6, "\(values): \(largest) levels off")
        }
        await studio.host.shutDown()
    }

    @Test("the base layer of a large picture is that of its reduction, enlarged")
    func reducedBase() async throws {
        let studio = try Self.studio()
        let (width, height) = (1100, 24)
        var random = SeededGenerator(seed: 8)
        var before: [UInt16] = []
        for pixel in 0..<width * height {
            let level = pixel % width < 500 ? 6000.0 : 40000
            let gray = UInt16(level + Double.random(in: 0...9000, using: &random))
            before += [gray, gray, gray]
        }
        let asset = try await studio.add(
            Self.png(Self.image(before, width: width, bands: 3, isDeep: true)))
        try await studio.edit(asset, "lightandcolor", ["shadows": "0.8", "highlights": "-0.6"])
        let after = try Self.current(asset, in: studio)
        // Reduced by 2, so that the longer side is 550; 3 percent of 1100 are 16.5 of these pixels, rounded up.
        var small: [Double] = []
        for row in stride(from: 0, to: height, by: 2) {
            for column in stride(from: 0, to: width, by: 2) {
                let first = row * width + column
                var sum = 0.0
                for place in [first, first + 1, first + width, first + width + 1] {
                    sum += Double(before[3 * place])
                }
                small.append(sum / 4 / 65535)
            }
        }
        let filter = GuidedFilter(radius: 17, edge: 0.01, width: width / 2, height: height / 2)
        let (slopes, offsets) = filter.coefficients(of: small)
        let oracle = Self.oracle(["shadows": 0.8, "highlights": -0.6])
        var largest = 0.0
        for pixel in 0..<width * height {
            let x = (Double(pixel % width) + 0.5) / 2 - 0.5
            let y = (Double(pixel / width) + 0.5) / 2 - 0.5
            let level = Double(before[3 * pixel]) / 65535
            let base = filter.value(of: slopes, x, y) * level + filter.value(of: offsets, x, y)
            let expected = oracle.edited([level, level, level], base: base)[0] * 65535
            largest = max(largest, abs(Double(after[3 * pixel]) - expected))
        }
        #expect(largest <= 4, "\(largest) levels off")
        await studio.host.shutDown()
    }

    @Test("lighter shadows, darker highlights and brilliance never turn a ramp around")
    func monotone() async throws {
        let studio = try Self.studio()
        var ramp: [UInt16] = []
        for pixel in 0..<512 * 8 {
            let level = UInt16(pixel % 512 * 65535 / 511)
            ramp += [level, level, level]
        }
        let asset = try await studio.add(
            Self.png(Self.image(ramp, width: 512, bands: 3, isDeep: true)))
        for values in [
            ["shadows": "1", "highlights": "-1", "brilliance": "1"],
            ["shadows": "-1", "highlights": "1", "brilliance": "-1"],
        ] {
            try await studio.edit(asset, "lightandcolor", values, reset: true)
            let after = try Self.current(asset, in: studio)
            let row = stride(from: 0, to: 512 * 3, by: 3).map { after[$0] }
            #expect(zip(row, row.dropFirst()).allSatisfy { $0 <= $1 }, "\(values)")
        }
        await studio.host.shutDown()
    }

    @Test("untrusted extensions render the same bytes")
    func untrusted() async throws {
        let before = Self.samples(width: 300, height: 200, bands: 3, greatest: 255)
        let picture = try Self.png(Self.image(before, width: 300, bands: 3, isDeep: false))
        let values = ["shadows": "0.5", "contrast": "0.4", "warmth": "0.2", "vibrance": "0.5"]
        var results: [[UInt16]] = []
        for trusted in [true, false] {
            let studio = try Self.studio(trusted: trusted)
            let asset = try await studio.add(picture)
            try await studio.edit(asset, "lightandcolor", values)
            results.append(try Self.current(asset, in: studio))
            await studio.host.shutDown()
        }
        #expect(results[0] == results[1] && results[0] != before)
    }
}
