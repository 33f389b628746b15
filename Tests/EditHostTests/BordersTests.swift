// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import TestSupport
import Testing
import Vips

/// The pixels of the extension Borders, compared with plain arithmetic.
@Suite("Borders")
struct BordersTests {
    private static func studio() throws -> TestStudio {
        try TestStudio { try TestExtension.assemble("Borders", in: $0) }
    }

    /// A picture with 3 or 4 bands of 8 or 16 bits.
    private struct Samples: Equatable {
        var width: Int
        var height: Int
        var bands: Int
        var levels: [UInt16]

        func png(isDeep: Bool, profile: [UInt8]? = nil) throws -> Data {
            var image = try LightAndColorTests.image(
                levels, width: width, bands: bands, isDeep: isDeep)
            if let profile { image = try image.copying { $0.set("icc-profile-data", to: profile) } }
            return try LightAndColorTests.png(image)
        }

        /// The picture on a larger ground.
        func surrounded(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int, _ color: [UInt16])
            -> Samples
        {
            var (result, rows) = (self, [UInt16]())
            result.width = left + width + right
            result.height = top + height + bottom
            for y in 0..<result.height {
                for x in 0..<result.width {
                    let (column, row) = (x - left, y - top)
                    if (0..<width).contains(column), (0..<height).contains(row) {
                        let place = (row * width + column) * bands
                        rows += levels[place..<place + bands]
                    } else {
                        rows += color
                    }
                }
            }
            result.levels = rows
            return result
        }
    }

    private static func samples(
        _ width: Int, _ height: Int, bands: Int = 3, greatest: Int = 255
    ) -> Samples {
        let levels = (0..<width * height * bands).map { UInt16($0 * 7919 % (greatest + 1)) }
        return Samples(width: width, height: height, bands: bands, levels: levels)
    }

    private static func current(_ asset: String, in studio: TestStudio) throws -> Samples {
        let image = try Image(source: try ImageSource(bytes: Array(studio.currentBytes(asset))))
        return Samples(
            width: image.width, height: image.height, bands: image.bands,
            levels: try image.samples())
    }

    @Test("picture, line and border have their pixels", arguments: [3, 4], [false, true])
    func pixels(bands: Int, isDeep: Bool) async throws {
        let studio = try Self.studio()
        let before = Self.samples(60, 40, bands: bands, greatest: isDeep ? 65535 : 255)
        let asset = try await studio.add(before.png(isDeep: isDeep))
        try await studio.edit(
            asset, "borders",
            [
                "color": "#ff800a", "width": "0.1", "bottom": "0.2", "line": "0.05",
                "lineColor": "#0102037f",
            ])
        let scale: UInt16 = isDeep ? 257 : 1
        var line: [UInt16] = [1 * scale, 2 * scale, 3 * scale, 0x7F * scale]
        if bands == 3 {
            // Half transparent, over black.
            line = [1.0, 2, 3].map { UInt16(($0 * 127 / 255 * Double(scale)).rounded()) }
        }
        let border = [0xFF, 0x80, 0x0A, 0xFF].prefix(bands).map { UInt16($0) * scale }
        // Of 40 pixels, 5 percent are 2, 10 percent are 4 and 20 percent are 8.
        let expected = before.surrounded(2, 2, 2, 2, line).surrounded(4, 4, 4, 12, border)
        #expect(try Self.current(asset, in: studio) == expected)
        await studio.host.shutDown()
    }

    /// The size of a picture, values, and the widths of the border on the left, on top and at the bottom.
    private static let layouts: [(Int, Int, [String: String], Int, Int, Int)] = [
        // 106 × 76 with the border; 4:3 needs 79.5 rows, and an even number is added.
        (100, 70, ["width": "0.04", "aspect": "4:3"], 3, 5, 5),
        // 52 × 42 with the border; 4:5 needs 65 rows, and an even number is added.
        (50, 40, ["width": "0.02", "aspect": "4:5"], 1, 13, 13),
        (40, 30, ["width": "0", "aspect": "16:9"], 7, 0, 0),
        (40, 30, ["width": "0", "bottom": "0.1"], 0, 0, 4),
        // Half of 0.05 · 30 is rounded to 1.
        (40, 30, ["width": "0", "bottom": "0.05"], 0, 0, 2),
        // 24 × 36 with the border.
        (12, 18, ["width": "0.5", "bottom": "0.5", "aspect": "1:1"], 12, 6, 12),
        // A border has at least one pixel.
        (1, 1, ["width": "0.05"], 1, 1, 1), (1, 9, ["width": "0.001"], 1, 1, 1),
        (9, 1, ["width": "0", "aspect": "9:16"], 0, 8, 8),
        (3, 3, ["width": "0.5", "aspect": "1:1"], 2, 2, 2),
    ]

    @Test("sizes are whole pixels, equal on both sides", arguments: 0..<layouts.count)
    func layout(index: Int) async throws {
        let studio = try Self.studio()
        let (width, height, values, left, top, bottom) = Self.layouts[index]
        let before = Self.samples(width, height)
        let asset = try await studio.add(before.png(isDeep: false))
        try await studio.edit(asset, "borders", values)
        let expected = before.surrounded(left, top, left, bottom, [255, 255, 255])
        let after = try Self.current(asset, in: studio)
        #expect(
            after == expected,
            "\(after.width) × \(after.height), not \(expected.width) × \(expected.height)")
        await studio.host.shutDown()
    }

    @Test("without widths, the output is the input", arguments: [3, 4], [false, true])
    func neutral(bands: Int, isDeep: Bool) async throws {
        let studio = try Self.studio()
        let before = Self.samples(40, 30, bands: bands, greatest: isDeep ? 65535 : 255)
        let asset = try await studio.add(before.png(isDeep: isDeep))
        try await studio.edit(asset, "borders", ["width": "0", "color": "#123456"])
        #expect(try Self.current(asset, in: studio) == before)
        await studio.host.shutDown()
    }

    @Test("colours are converted from sRGB to the picture's profile")
    func profile() async throws {
        let studio = try Self.studio()
        let asset = try await studio.add(
            Self.samples(20, 20).png(isDeep: false, profile: TestProfile.named("p3")))
        for (color, expected) in [
            // Red of sRGB in Display P3 is 0.9175, 0.2003, 0.1386; grays are the same.
            ("#ff0000", [234, 51, 35]), ("#ffffff", [255, 255, 255]), ("#808080", [128, 128, 128]),
        ] {
            try await studio.edit(asset, "borders", ["color": color], reset: true)
            let corner = try Self.current(asset, in: studio).levels.prefix(3).map(Int.init)
            let difference = zip(corner, expected).map { abs($0 - $1) }.max() ?? 0
            #expect(difference <= 1, "\(color): \(corner)")
        }
        await studio.host.shutDown()
    }

    @Test("a video keeps even sides")
    func video() async throws {
        let studio = try Self.studio()
        let path = studio.folder.file("clip.mp4")
        try TestVideo.make(path, size: "128x96", seconds: 1, [])
        let asset = try await studio.add(
            Data(contentsOf: URL(fileURLWithPath: path)), named: "clip.mp4")
        let result = try await studio.edit(
            asset, "borders", ["width": "0.05", "bottom": "0.07", "aspect": "1:1"])
        #expect(result.warnings.isEmpty, "\(result.warnings)")
        let edited = try studio.folder.write(studio.currentBytes(asset), to: "edited.mp4")
        // 5 pixels on each side and 6 more at the bottom are 138 × 112.
        let video = try TestVideo.probe(edited)
        #expect(video.width == 138 && video.height == 138)
        await studio.host.shutDown()
    }
}
