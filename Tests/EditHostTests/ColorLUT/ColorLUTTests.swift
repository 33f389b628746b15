// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing
import Vips

/// The pixels of Color LUT, compared with its formulas in double precision.
@Suite("Color LUT")
struct ColorLUTTests {
    static func studio(trusted: Bool = true) throws -> TestStudio {
        try TestStudio(
            extensions: { try TestExtension.assemble("ColorLUT", in: $0) }, trusted: trusted)
    }

    /// A picture of 40 × 30 random colours and grays with alpha, and its samples.
    static func picture(isDeep: Bool, profile: [UInt8]? = nil) throws -> (Data, [UInt16]) {
        let samples = LightAndColorTests.samples(
            width: 40, height: 30, bands: 4, greatest: isDeep ? 65535 : 255)
        var image = try LightAndColorTests.image(samples, width: 40, bands: 4, isDeep: isDeep)
        if let profile { image = try image.copying { $0.set("icc-profile-data", to: profile) } }
        return (try LightAndColorTests.png(image), samples)
    }

    /// Edits a picture and returns the largest difference to expected colours, in levels.
    static func difference(
        _ studio: TestStudio, _ asset: String, _ before: [UInt16], isDeep: Bool,
        _ values: [String: String], _ expected: ([Double]) throws -> [Double]
    ) async throws -> Double {
        try await studio.edit(asset, "colorlut", values, reset: true)
        let after = try LightAndColorTests.current(asset, in: studio)
        try #require(after.count == before.count)
        let greatest = isDeep ? 65535.0 : 255
        var largest = 0.0
        for pixel in stride(from: 0, to: before.count, by: 4) {
            let color = try expected(before[pixel..<pixel + 3].map { Double($0) / greatest })
            for band in 0..<3 {
                let level = min(max(color[band], 0), 1) * greatest
                largest = max(largest, abs(Double(after[pixel + band]) - level))
            }
            #expect(after[pixel + 3] == before[pixel + 3], "alpha has changed")
        }
        return largest
    }

    static func mixed(_ before: [Double], _ after: [Double], _ amount: Double) -> [Double] {
        zip(before, after).map { $0 * (1 - amount) + $1 * amount }
    }

    @Test(
        "cubes are interpolated tetrahedrally, within half a level of 8 bits and 4 of 16",
        arguments: [false, true])
    func cubes(isDeep: Bool) async throws {
        let studio = try Self.studio()
        let (picture, before) = try Self.picture(isDeep: isDeep)
        let asset = try await studio.add(picture)
        for (size, amount) in [(2, 1.0), (5, 0.37), (33, 1), (34, 0.8)] {
            let oracle = ColorLUTOracle.random(size: size, seed: UInt64(size))
            let path = try studio.folder.write(Data(oracle.text.utf8), to: "\(size).cube")
            let largest = try await Self.difference(
                studio, asset, before, isDeep: isDeep, ["lut": path, "amount": "\(amount)"]
            ) { Self.mixed($0, oracle.color($0), amount) }
            #expect(largest <= (isDeep ? 4 : 0.51), "\(size) points: \(largest) levels off")
        }
        await studio.host.shutDown()
    }

    /// FFmpeg computes in floating point, too, but truncates instead of rounding.
    @Test("a cube gives the colours of FFmpeg's filter lut3d, or one level more")
    func otherProgram() async throws {
        let studio = try Self.studio()
        let samples = LightAndColorTests.samples(width: 160, height: 120, bands: 3, greatest: 255)
        let picture = try LightAndColorTests.png(
            LightAndColorTests.image(samples, width: 160, bands: 3, isDeep: false))
        let asset = try await studio.add(picture)
        let source = try studio.folder.write(picture, to: "source.png")
        for size in [2, 17, 33] {
            let table = ColorLUTOracle.random(size: size, seed: UInt64(size))
            let path = try studio.folder.write(Data(table.text.utf8), to: "\(size).cube")
            let output = studio.folder.file("\(size).rgb")
            let result = try runProgram(
                "/usr/bin/env",
                [
                    "ffmpeg", "-nostdin", "-v", "error", "-i", source, "-vf",
                    "lut3d=file=\(path):interp=tetrahedral", "-f", "rawvideo", "-pix_fmt",
                    "rgb24", output,
                ])
            try #require(result.status == 0, "\(result.errors)")
            let other = try Data(contentsOf: URL(fileURLWithPath: output))
            try await studio.edit(asset, "colorlut", ["lut": path], reset: true)
            let after = try LightAndColorTests.current(asset, in: studio)
            try #require(other.count == after.count)
            var differences: [Int: Int] = [:]
            for (own, other) in zip(after, other) {
                differences[Int(own) - Int(other), default: 0] += 1
            }
            #expect(Set(differences.keys).isSubset(of: [0, 1]), "\(differences)")
        }
        await studio.host.shutDown()
    }

    @Test("curves, domains, and curves before a cube follow their formulas")
    func curves() async throws {
        let studio = try Self.studio()
        let (picture, before) = try Self.picture(isDeep: true)
        let asset = try await studio.add(picture)
        var curve = ColorLUTOracle()
        curve.curve = ColorLUTOracle.Grid(
            size: 7, start: [0.1, -0.5, 0], end: [0.9, 1.5, 4],
            colors: ColorLUTOracle.randomColors(7, 1))
        let domain = "DOMAIN_MIN 0.1 -0.5 0\nDOMAIN_MAX 0.9 1.5 4\n"
        var cube = ColorLUTOracle.random(size: 4, seed: 2)
        (cube.cube.start, cube.cube.end) = (curve.curve.start, curve.curve.end)
        var both = ColorLUTOracle.random(size: 3, seed: 3)
        (both.cube.start, both.cube.end) = ([-1, -1, -1], [0.75, 0.75, 0.75])
        both.curve = ColorLUTOracle.Grid(
            size: 6, start: [-1, -1, -1], end: [3, 3, 3],
            colors: ColorLUTOracle.randomColors(6, 4))
        let head = """
            LUT_1D_SIZE 6
            LUT_1D_INPUT_RANGE -1.0 3.0
            LUT_3D_SIZE 3
            LUT_3D_INPUT_RANGE -1.0 0.75

            """
        // In a file with two tables, the domain is that of the curves.
        var other = both
        (other.curve.start, other.curve.end) = (curve.curve.start, curve.curve.end)
        for (name, oracle, text) in [
            ("domain", other, domain + head + other.rows), ("curve", curve, domain + curve.text),
            ("cube", cube, cube.text + domain),
            ("both", both, head + both.rows),
        ] {
            let path = try studio.folder.write(Data(text.utf8), to: "\(name).cube")
            let largest = try await Self.difference(
                studio, asset, before, isDeep: true, ["lut": path]
            ) { oracle.color($0) }
            #expect(largest <= 4, "\(name): \(largest) levels off")
        }
        await studio.host.shutDown()
    }

    @Test("a HaldCLUT of 8 or 16 bits gives the colours of its pixels", arguments: [false, true])
    func hald(isDeep: Bool) async throws {
        let studio = try Self.studio()
        let (picture, before) = try Self.picture(isDeep: true)
        let asset = try await studio.add(picture)
        // Level 3: 27 × 27 pixels for a cube of 9 points.
        let greatest = isDeep ? 65535.0 : 255
        let oracle = ColorLUTOracle.cube(size: 9) { color in
            [1 - color[2], color[0] * color[1], color[0].squareRoot()].map {
                ($0 * greatest).rounded() / greatest
            }
        }
        let samples = oracle.cube.colors.joined().map { UInt16(($0 * greatest).rounded()) }
        let image = try LightAndColorTests.image(samples, width: 27, bands: 3, isDeep: isDeep)
        let path = try studio.folder.write(LightAndColorTests.png(image), to: "hald.png")
        let largest = try await Self.difference(
            studio, asset, before, isDeep: true, ["lut": path]
        ) { oracle.color($0) }
        #expect(largest <= 4, "\(largest) levels off")
        await studio.host.shutDown()
    }

    @Test(
        "without a file, with amount 0 and with an identity, the output is the input exactly",
        arguments: [false, true])
    func neutral(isDeep: Bool) async throws {
        let studio = try Self.studio()
        let (picture, before) = try Self.picture(isDeep: isDeep)
        let asset = try await studio.add(picture)
        let random = try studio.folder.write(
            Data(ColorLUTOracle.random(size: 3, seed: 1).text.utf8), to: "random.cube")
        let identity = try studio.folder.write(
            Data(ColorLUTOracle.cube(size: 12) { $0 }.text.utf8), to: "identity.cube")
        for values in [
            ["amount": "0.5"], ["lut": random, "amount": "0"], ["lut": identity],
            ["lut": identity, "space": "display-p3"], ["lut": identity, "space": "rec-709"],
        ] {
            try await studio.edit(asset, "colorlut", values, reset: true)
            #expect(try LightAndColorTests.current(asset, in: studio) == before, "\(values)")
        }
        await studio.host.shutDown()
    }

    @Test("untrusted extensions render the same bytes")
    func untrusted() async throws {
        let (picture, before) = try Self.picture(isDeep: false)
        var results: [[UInt16]] = []
        for trusted in [true, false] {
            let studio = try Self.studio(trusted: trusted)
            let path = try studio.folder.write(
                Data(ColorLUTOracle.random(size: 6, seed: 8).text.utf8), to: "look.cube")
            let asset = try await studio.add(picture)
            try await studio.edit(
                asset, "colorlut", ["lut": path, "space": "adobe-rgb", "amount": "0.7"])
            results.append(try LightAndColorTests.current(asset, in: studio))
            await studio.host.shutDown()
        }
        #expect(results[0] == results[1] && results[0] != before)
    }

    @Test("a session that changes the file shows the colours of each, also from the cache")
    func cache() async throws {
        let studio = try Self.studio()
        let asset = try await studio.add(.gradient())
        let paths = try (0..<2).map { index in
            let level = 0.25 + 0.5 * Double(index)
            let oracle = ColorLUTOracle.cube(size: 2) { _ in [level, level, level] }
            return try studio.folder.write(Data(oracle.text.utf8), to: "\(index).cube")
        }
        let session = try await studio.open(asset, "colorlut")
        for (path, level) in [(paths[0], 64), (paths[1], 191), (paths[0], 64)] {
            _ = try await session.setParameters(["lut": .string(path)])
            let picture = try await session.preview().picture
            #expect(picture.samples.allSatisfy { abs(Int($0) - level) <= 1 }, "\(level)")
        }
        await session.cancel()
        await studio.host.shutDown()
    }

    @Test("the frames of videos and both parts of Live Photos are edited")
    func moving() async throws {
        let studio = try Self.studio()
        let asset = try await studio.addLivePhoto()
        let gray = ColorLUTOracle.cube(size: 2) { _ in [0.4, 0.4, 0.4] }
        let path = try studio.folder.write(Data(gray.text.utf8), to: "gray.cube")
        let result = try await studio.edit(asset, "colorlut", ["lut": path])
        #expect(result.warnings.isEmpty, "\(result.warnings)")
        #expect(try studio.current(asset).samples.allSatisfy { abs(Int($0) - 102) <= 3 })
        let resources = try AssetResource.assetResources(
            for: studio.library.asset(withLocalIdentifier: asset), in: studio.library)
        let motion = try #require(resources.first { $0.type == .fullSizePairedVideo }?.blob)
        let frames = try TestVideo.frames(studio.blobPath(motion))
        #expect(frames.count == 25)
        for frame in frames { #expect(frame.allSatisfy { abs(Int($0) - 102) <= 3 }) }
        await studio.host.shutDown()
    }
}
