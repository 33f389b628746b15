// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import TestSupport
import Testing
import Vips

/// The pixels of Detail, compared with its formulas in double precision.
@Suite("Detail")
struct DetailTests {
    private static func studio(trusted: Bool = true) throws -> TestStudio {
        try TestStudio(
            extensions: { try TestExtension.assemble("Detail", in: $0) }, trusted: trusted)
    }

    /// A slanted edge, stripes and noise in all bands. The colours are not clipped by weak edits.
    private static func samples(
        width: Int, height: Int, bands: Int, greatest: Double
    ) -> [UInt16] {
        var random = SeededGenerator(seed: 21)
        var samples: [UInt16] = []
        for y in 0..<height {
            for x in 0..<width {
                var level = x + y / 3 < width / 2 ? 0.35 : 0.6
                if y > height / 2 && x % 8 < 3 { level += 0.1 }
                for band in 0..<bands {
                    let noise = Double.random(in: -0.04...0.04, using: &random)
                    samples.append(UInt16((level + 0.05 * Double(band % 3) + noise) * greatest))
                }
            }
        }
        return samples
    }

    private static let edits: [[String: Double]] = [
        ["sharpen": 0.7, "radius": 0.8], ["sharpen": 0.5, "radius": 2.7, "edges": 0.6],
        ["definition": 0.9], ["definition": -1], ["luminanceNoise": 0.6], ["colorNoise": 0.8],
        [
            "sharpen": 0.4, "radius": 1.4, "edges": 1, "definition": 0.3, "luminanceNoise": 1,
            "colorNoise": 0.3,
        ],
    ]

    @Test(
        "each value follows its formula, within 0.53 levels of 8 bits and 4 of 16", arguments: edits
    )
    func formulas(values: [String: Double]) async throws {
        let studio = try Self.studio()
        for isDeep in [false, true] {
            let (width, height, greatest) = (70, 34, isDeep ? 65535.0 : 255)
            let before = Self.samples(width: width, height: height, bands: 4, greatest: greatest)
            let asset = try await studio.add(
                LightAndColorTests.png(
                    LightAndColorTests.image(before, width: width, bands: 4, isDeep: isDeep)))
            try await studio.edit(asset, "detail", values.mapValues { "\($0)" })
            let after = try LightAndColorTests.current(asset, in: studio)
            try #require(after.count == before.count)
            var planes: [[Double]] = [[], [], []]
            for index in before.indices where index % 4 < 3 {
                planes[index % 4].append(Double(before[index]) / greatest)
            }
            let expected = DetailOracle(values).edited(planes, width: width, height: height)
            var largest = 0.0
            for index in before.indices {
                guard index % 4 < 3 else {
                    #expect(after[index] == before[index], "alpha has changed")
                    continue
                }
                let level = min(max(expected[index % 4][index / 4], 0), 1) * greatest
                largest = max(largest, abs(Double(after[index]) - level))
            }
            #expect(largest <= (isDeep ? 4 : 0.53), "\(values): \(largest) levels off")
        }
        await studio.host.shutDown()
    }

    @Test("neutral values return the input exactly", arguments: [false, true])
    func neutral(isDeep: Bool) async throws {
        let studio = try Self.studio()
        let before = LightAndColorTests.samples(
            width: 40, height: 30, bands: 4, greatest: isDeep ? 65535 : 255)
        let asset = try await studio.add(
            LightAndColorTests.png(
                LightAndColorTests.image(before, width: 40, bands: 4, isDeep: isDeep)))
        try await studio.edit(asset, "detail", ["radius": "3", "edges": "1"])
        #expect(try LightAndColorTests.current(asset, in: studio) == before)
        await studio.host.shutDown()
    }

    @Test("most of the noise is removed from a flat area, and an edge stays as sharp as it was")
    func noise() async throws {
        let studio = try Self.studio()
        let (width, height) = (200, 60)
        var random = SeededGenerator(seed: 4)
        var before: [UInt16] = []
        for pixel in 0..<width * height {
            for _ in 0..<3 {
                // Nearly Gaussian noise with a standard deviation of 5 levels.
                let noise = (0..<12).reduce(-6.0) { sum, _ in
                    sum + Double.random(in: 0...1, using: &random)
                }
                before.append(UInt16((pixel % width < 100 ? 60 : 180) + 5 * noise))
            }
        }
        let asset = try await studio.add(
            LightAndColorTests.png(
                LightAndColorTests.image(before, width: width, bands: 3, isDeep: false)))
        try await studio.edit(asset, "detail", ["luminanceNoise": "0.7", "colorNoise": "0.7"])
        let after = try LightAndColorTests.current(asset, in: studio)
        var (squares, edge) = (0.0, 0.0)
        for y in 0..<height {
            for x in 20..<80 { squares += pow(Double(after[3 * (y * width + x) + 1]) - 60, 2) }
            edge += Double(after[3 * (y * width + 100)]) - Double(after[3 * (y * width + 99)])
        }
        #expect((squares / Double(height * 60)).squareRoot() < 1.5)
        #expect(edge / Double(height) > 110)
        await studio.host.shutDown()
    }

    @Test("a preview looks like the reduced result, within 2 levels of 8 bits")
    func preview() async throws {
        let studio = try Self.studio()
        let (width, height) = (1800, 600)
        var before: [UInt16] = []
        for y in 0..<height {
            for x in 0..<width {
                let wave = 30 * sin(Double(x) / 38) * cos(Double(y) / 27)
                let edge = 80 / (1 + exp(Double(900 - x) / 18))
                for band in 0..<3 {
                    before.append(UInt16(257 * (60 + 8 * Double(band) + wave + edge)))
                }
            }
        }
        let values = [
            "sharpen": "0.6", "radius": "3", "definition": "0.5", "luminanceNoise": "0.3",
            "colorNoise": "0.5",
        ]
        let difference = try await studio.differenceOfPreview(
            before, width: width, "detail", values)
        #expect(difference <= 2)
        await studio.host.shutDown()
    }

    @Test(
        "pictures of one pixel, one column and one row are edited",
        arguments: [(1, 1), (1, 3000), (3000, 1)])
    func narrow(width: Int, height: Int) async throws {
        let studio = try Self.studio()
        let picture = TestPicture.gradient(width: width, height: height).adding(20)
        let asset = try await studio.add(picture)
        try await studio.edit(
            asset, "detail",
            [
                "sharpen": "1", "radius": "3", "edges": "0.1", "definition": "1",
                "luminanceNoise": "0.2", "colorNoise": "0.2",
            ])
        let after = try studio.current(asset)
        #expect(after.width == width && after.height == height)
        // One pixel has no detail.
        #expect((after != picture) == (width * height > 1))
        await studio.host.shutDown()
    }

    @Test("untrusted extensions render the same bytes, with other numbers of threads too")
    func untrusted() async throws {
        let picture = try TestPicture.gradient(width: 1300, height: 700).encoded("jpeg")
        let values = ["sharpen": "0.5", "luminanceNoise": "0.5", "colorNoise": "0.4"]
        var results: [TestPicture] = []
        for threads in [1, 8] {
            let studio = try TestStudio(
                extensions: { try TestExtension.assemble("Detail", in: $0) }, trusted: threads == 1
            ) { $0.threadsPerRunner = threads }
            let asset = try await studio.add(picture, named: "picture.jpg")
            try await studio.edit(asset, "detail", values)
            results.append(try studio.current(asset))
            await studio.host.shutDown()
        }
        #expect(results[0] == results[1])
    }

    @Test("the frames of videos and both parts of Live Photos are edited")
    func moving() async throws {
        let studio = try Self.studio()
        let asset = try await studio.addLivePhoto()
        let before = try studio.current(asset)
        let result = try await studio.edit(asset, "detail", ["definition": "1", "sharpen": "1"])
        #expect(result.warnings.isEmpty, "\(result.warnings)")
        #expect(try studio.current(asset) != before)
        await studio.host.shutDown()
    }
}
