// SPDX-License-Identifier: Apache-2.0

import CRetouch
import EditHost
import EditingModel
import Foundation
import TestSupport
import Testing
import Vips

/// The pixels of Retouch, compared with plain arithmetic in double precision.
@Suite("Retouch")
struct RetouchTests {
    private static func studio(trusted: Bool = true) throws -> TestStudio {
        try TestStudio(
            extensions: { try TestExtension.assemble("Retouch", in: $0) }, trusted: trusted)
    }

    private static let (width, height) = (180, 100)

    /// Texture that repeats every 60 columns, on a surface that Laplace's equation has as a solution. The spot at (50, 50)
    /// has another colour.
    private static func picture(bands: Int, greatest: Double, hasSpot: Bool) -> [UInt16] {
        var samples: [UInt16] = []
        for y in 0..<height {
            for x in 0..<width {
                let (right, down) = (Double(x - 50) / 100, Double(y - 50) / 100)
                let surface = 0.4 + 0.2 * right - 0.1 * down + 0.1 * (right * right - down * down)
                let texture = 0.05 * Double((x % 60) * 7 % 11) / 11
                let isSpot = hasSpot && hypot(Double(x - 50), Double(y - 50)) < 8
                for band in 0..<bands {
                    let level = isSpot && band == 1 ? 0.9 : surface + texture
                    samples.append(band == 3 ? UInt16(greatest) : UInt16(level * greatest))
                }
            }
        }
        return samples
    }

    private static func point(_ x: Int, _ y: Int) -> String {
        "[\((Double(x) + 0.5) / Double(width)),\((Double(y) + 0.5) / Double(height))]"
    }

    private static func add(
        _ samples: [UInt16], bands: Int, isDeep: Bool, to studio: TestStudio
    ) async throws -> String {
        try await studio.add(
            LightAndColorTests.png(
                LightAndColorTests.image(samples, width: width, bands: bands, isDeep: isDeep)))
    }

    @Test(
        "healing restores a harmonic surface and the texture of the source", arguments: [3, 4],
        [false, true])
    func heal(bands: Int, isDeep: Bool) async throws {
        let studio = try Self.studio()
        let greatest = isDeep ? 65535.0 : 255
        let before = Self.picture(bands: bands, greatest: greatest, hasSpot: true)
        let expected = Self.picture(bands: bands, greatest: greatest, hasSpot: false)
        let asset = try await Self.add(before, bands: bands, isDeep: isDeep, to: studio)
        try await studio.edit(
            asset, "retouch",
            [
                "targets": "[\(Self.point(50, 50))]", "sources": "[\(Self.point(110, 50))]",
                "radius": "0.1",
            ])
        let after = try LightAndColorTests.current(asset, in: studio)
        try #require(after.count == before.count)
        var largest = 0
        for index in before.indices {
            let (x, y) = (index / bands % Self.width, index / bands / Self.width)
            if hypot(Double(x - 50), Double(y - 50)) < 18 {
                largest = max(largest, abs(Int(after[index]) - Int(expected[index])))
            } else {
                #expect(after[index] == before[index], "pixels around the spot have changed")
            }
        }
        // The samples are rounded down, on both sides of the difference.
        #expect(largest <= (isDeep ? 8 : 2), "\(largest) levels off")
        await studio.host.shutDown()
    }

    @Test("cloning copies the source and fades at the edge", arguments: [false, true])
    func clone(isDeep: Bool) async throws {
        let studio = try Self.studio()
        let greatest = isDeep ? 65535 : 255
        let before = LightAndColorTests.samples(
            width: Self.width, height: Self.height, bands: 3, greatest: greatest)
        let asset = try await Self.add(before, bands: 3, isDeep: isDeep, to: studio)
        try await studio.edit(
            asset, "retouch",
            [
                "mode": "clone", "targets": "[\(Self.point(40, 30))]",
                "sources": "[\(Self.point(120, 70))]", "rims": "[\(Self.point(50, 30))]",
                "feather": "0.5",
            ])
        let after = try LightAndColorTests.current(asset, in: studio)
        var largest = 0.0
        for index in before.indices {
            let (x, y) = (index / 3 % Self.width, index / 3 / Self.width)
            // The radius is 10, and the last 5 pixels fade.
            let t = min(max((10 - hypot(Double(x - 40), Double(y - 30))) / 5, 0), 1)
            guard t > 0 else {
                #expect(after[index] == before[index], "pixels around the spot have changed")
                continue
            }
            let source = Double(before[index + 3 * (40 * Self.width + 80)])
            let share = t * t * (3 - 2 * t)
            let level = Double(before[index]) * (1 - share) + source * share
            largest = max(largest, abs(Double(after[index]) - level))
        }
        #expect(largest <= (isDeep ? 0.6 : 0.51), "\(largest) levels off")
        await studio.host.shutDown()
    }

    @Test(
        "a source may overlap its target in any direction",
        arguments: [(4, 0), (-4, 0), (0, 4), (0, -4), (3, 2), (-3, -2), (-2, 3)])
    func overlapping(right: Int, down: Int) async throws {
        let studio = try Self.studio()
        // More rows than are retouched at a time.
        let side = 300
        let before = LightAndColorTests.samples(width: side, height: side, bands: 3, greatest: 255)
        let asset = try await studio.add(
            LightAndColorTests.png(
                LightAndColorTests.image(before, width: side, bands: 3, isDeep: false)))
        func point(_ x: Int, _ y: Int) -> String {
            "[[\((Double(x) + 0.5) / Double(side)),\((Double(y) + 0.5) / Double(side))]]"
        }
        try await studio.edit(
            asset, "retouch",
            [
                "mode": "clone", "targets": point(150, 150), "rims": point(225, 150),
                "sources": point(150 + right, 150 + down), "feather": "0",
            ])
        let after = try LightAndColorTests.current(asset, in: studio)
        for index in before.indices {
            let (x, y) = (index / 3 % side, index / 3 / side)
            // Pixels on the edge fade in.
            guard hypot(Double(x - 150), Double(y - 150)) < 74 else { continue }
            try #require(after[index] == before[index + 3 * (down * side + right)], "\(x), \(y)")
        }
        await studio.host.shutDown()
    }

    @Test("a large spot is retouched in parts, between which it can be cancelled")
    func parts() throws {
        try VipsLibrary.initialize()
        let samples = [UInt8](repeating: 90, count: 3 * 1000 * 1000)
        let image = try Image(
            bytes: samples, width: 1000, height: 1000, bands: 3, format: .uchar,
            interpretation: .srgb)
        let layer = try #require(rt_layer_make(image.pointer))
        defer { rt_layer_free(layer) }
        var spot = rt_spot(
            x: 500, y: 500, radius: 250, feather: 0.25, right: 30, down: -20, is_healed: true)
        for limit in [2, 100] {
            let work = try #require(rt_work_make(layer, &spot))
            defer { rt_work_free(work) }
            var parts = 1
            while parts < limit, rt_work_continue(work) == 1 { parts += 1 }
            #expect(parts == min(limit, 8))
        }
    }

    @Test("a transparent source makes a transparent spot, without its hidden colour")
    func alpha() async throws {
        let studio = try Self.studio()
        var before: [UInt16] = []
        for pixel in 0..<Self.width * Self.height {
            let isClear = pixel % Self.width >= 90
            before += isClear ? [255, 0, 255, 0] : [20, 120, 40, 255]
        }
        let asset = try await Self.add(before, bands: 4, isDeep: false, to: studio)
        try await studio.edit(
            asset, "retouch",
            [
                "mode": "clone", "targets": "[\(Self.point(40, 50))]",
                "sources": "[\(Self.point(140, 50))]", "radius": "0.1", "feather": "1",
            ])
        let after = try LightAndColorTests.current(asset, in: studio)
        for x in 25...55 {
            let pixel = Array(after[4 * (50 * Self.width + x)..<4 * (50 * Self.width + x) + 4])
            #expect(pixel[3] > 0 ? Array(pixel[..<3]) == [20, 120, 40] : x == 40, "\(x): \(pixel)")
        }
        #expect(after[4 * (50 * Self.width + 40) + 3] == 0)
        await studio.host.shutDown()
    }

    @Test("spots are applied in order, each on top of those before")
    func order() async throws {
        let studio = try Self.studio()
        var before: [UInt16] = []
        for pixel in 0..<Self.width * Self.height {
            let level = UInt16(pixel % Self.width / 60 * 100)
            before += [level, level, level]
        }
        let asset = try await Self.add(before, bands: 3, isDeep: false, to: studio)
        let (first, second, third) = (
            Self.point(30, 50), Self.point(90, 50), Self.point(150, 50)
        )
        // The first third becomes the second one before that becomes the third one.
        for (targets, sources, expected) in [
            ("\(first),\(second)", "\(second),\(third)", [100, 200, 200]),
            ("\(second),\(first)", "\(third),\(second)", [200, 200, 200]),
        ] {
            try await studio.edit(
                asset, "retouch",
                ["mode": "clone", "targets": "[\(targets)]", "sources": "[\(sources)]"])
            let after = try LightAndColorTests.current(asset, in: studio)
            let levels = [30, 90, 150].map { Int(after[3 * (50 * Self.width + $0)]) }
            #expect(levels == expected)
        }
        await studio.host.shutDown()
    }

    @Test("a target without a source is covered from beside it, towards the middle")
    func automaticSource() async throws {
        let studio = try Self.studio()
        let before = LightAndColorTests.samples(
            width: Self.width, height: Self.height, bands: 3, greatest: 255)
        let asset = try await Self.add(before, bands: 3, isDeep: false, to: studio)
        try await studio.edit(
            asset, "retouch",
            [
                "mode": "clone", "targets": "[\(Self.point(40, 30)),\(Self.point(140, 30))]",
                "rims": "[\(Self.point(50, 30)),\(Self.point(148, 30))]",
            ])
        let after = try LightAndColorTests.current(asset, in: studio)
        for (x, distance) in [(40, 25), (140, -20)] {
            let place = 3 * (30 * Self.width + x)
            #expect(after[place] == before[place + 3 * distance])
        }
        await studio.host.shutDown()
    }

    @Test(
        "without targets, the output is the input exactly",
        arguments: [
            [:], ["sources": "[[0.5,0.5],[0.1,0.2]]"], ["rims": "[[0.5,0.5]]", "radius": "0.25"],
        ])
    func neutral(values: [String: String]) async throws {
        let studio = try Self.studio()
        for isDeep in [false, true] {
            let before = LightAndColorTests.samples(
                width: Self.width, height: Self.height, bands: 4, greatest: isDeep ? 65535 : 255)
            let asset = try await Self.add(before, bands: 4, isDeep: isDeep, to: studio)
            try await studio.edit(asset, "retouch", values.merging(["feather": "0.5"]) { $1 })
            #expect(try LightAndColorTests.current(asset, in: studio) == before)
        }
        await studio.host.shutDown()
    }

    @Test(
        "spots at the edges and in narrow pictures are covered",
        arguments: [(1, 1), (1, 3000), (3000, 1), (700, 300)])
    func edges(width: Int, height: Int) async throws {
        let studio = try Self.studio()
        let picture = TestPicture.gradient(width: width, height: height)
        let asset = try await studio.add(picture)
        for mode in ["heal", "clone"] {
            try await studio.edit(
                asset, "retouch",
                [
                    "mode": mode, "targets": "[[0,0],[1,1],[0.5,0.5],[0.2,1]]",
                    "sources": "[[1,1],[0.4,0.3],[0,0.6],[0.9,0]]", "radius": "0.25",
                ])
            let after = try studio.current(asset)
            #expect(after.width == width && after.height == height)
            #expect((after != picture) == (width * height > 1))
        }
        await studio.host.shutDown()
    }

    @Test("untrusted extensions render the same bytes, with other numbers of threads too")
    func untrusted() async throws {
        let picture = TestPicture.gradient(width: 700, height: 500)
        let values = [
            "targets": "[[0.3,0.4],[0.35,0.5],[0.9,0.1]]",
            "sources": "[[0.6,0.4],[0.3,0.4],[0.5,0.9]]", "radius": "0.08",
        ]
        var results: [TestPicture] = []
        for threads in [1, 8] {
            let studio = try TestStudio(
                extensions: { try TestExtension.assemble("Retouch", in: $0) },
                trusted: threads == 1
            ) { $0.threadsPerRunner = threads }
            let asset = try await studio.add(picture)
            try await studio.edit(asset, "retouch", values)
            results.append(try studio.current(asset))
            await studio.host.shutDown()
        }
        #expect(results[0] == results[1] && results[0] != picture)
    }

    @Test("a preview looks like the reduced result, within 2 levels of 8 bits")
    func preview() async throws {
        let studio = try Self.studio()
        let (width, height) = (900, 600)
        var before: [UInt16] = []
        for y in 0..<height {
            for x in 0..<width {
                let wave = 40 * sin(Double(x) / 60) * cos(Double(y) / 45)
                for band in 0..<3 { before.append(UInt16(257 * (100 + 10 * Double(band) + wave))) }
            }
        }
        let values = [
            "targets": "[[0.3,0.4],[0.7,0.6]]", "sources": "[[0.6,0.4],[0.3,0.5]]",
            "radius": "0.08",
        ]
        let difference = try await studio.differenceOfPreview(
            before, width: width, "retouch", values)
        #expect(difference <= 2)
        await studio.host.shutDown()
    }
}
