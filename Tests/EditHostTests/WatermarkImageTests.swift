// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import TestSupport
import Testing
import Vips

/// Images drawn by the extension Watermark, compared with "source over" in double precision.
@Suite("Watermark: images")
struct WatermarkImageTests {
    static func studio(trusted: Bool = true) throws -> TestStudio {
        try TestStudio(
            extensions: { try TestExtension.assemble("Watermark", in: $0) }, trusted: trusted)
    }

    /// A mark of 10 × 8 pixels with transparent, opaque and other pixels.
    private static let mark: TestPicture = {
        var samples: [UInt8] = []
        for pixel in 0..<80 {
            samples += [UInt8(pixel * 3), UInt8(255 - pixel * 2), UInt8(pixel * 37 % 256)]
            samples.append(pixel % 5 == 0 ? 0 : pixel % 5 == 1 ? 255 : UInt8(pixel * 3))
        }
        return TestPicture(width: 10, height: 8, bands: 4, samples: samples)
    }()

    /// A picture whose shorter side has 40 pixels, so that a size of 0.2 leaves the mark as it is.
    private static let (width, height) = (60, 40)

    /// The levels of a pixel with a mark over it, by the definition of "source over" with straight alpha.
    private static func over(_ pixel: [Double], _ mark: [Double]) -> [Double] {
        let below = pixel.count == 4 ? pixel[3] : 1
        let alpha = mark[3] + below * (1 - mark[3])
        guard alpha > 0 else { return pixel }
        var result: [Double] = []
        for band in 0..<3 {
            let color = mark[band] * mark[3] + pixel[band] * below * (1 - mark[3])
            result.append(color / alpha)
        }
        return pixel.count == 4 ? result + [alpha] : result
    }

    /// The greatest difference to a picture with the mark at some places.
    ///
    /// - Parameter pixel: The pixel of the mark, 0...1, at a place of the picture; nil if there is none.
    private static func difference(
        _ after: [UInt16], _ before: [UInt16], bands: Int, greatest: Double,
        mark pixel: (Int, Int) -> [Double]?
    ) -> Double {
        var largest = 0.0
        for place in 0..<width * height {
            let range = place * bands..<place * bands + bands
            var expected = before[range].map { Double($0) / greatest }
            if let mark = pixel(place % width, place / width) { expected = over(expected, mark) }
            // Colours without opacity are not visible.
            for band in 0..<bands where band == 3 || bands == 3 || expected[3] > 0 {
                let level = Double(after[place * bands + band])
                largest = max(largest, abs(level - expected[band] * greatest))
            }
        }
        return largest
    }

    /// A pixel of the mark; nil outside it.
    private static func pixel(_ x: Int, _ y: Int, opacity: Double) -> [Double]? {
        guard (0..<10).contains(x), (0..<8).contains(y) else { return nil }
        var result = mark.samples[(y * 10 + x) * 4..<(y * 10 + x) * 4 + 4].map { Double($0) / 255 }
        result[3] *= opacity
        return result
    }

    private static func picture(_ bands: Int, isDeep: Bool) throws -> ([UInt16], Data) {
        let before = LightAndColorTests.samples(
            width: width, height: height, bands: bands, greatest: isDeep ? 65535 : 255)
        return (
            before,
            try LightAndColorTests.png(
                LightAndColorTests.image(before, width: width, bands: bands, isDeep: isDeep))
        )
    }

    @Test(
        "each position has its pixels, within half a level of 8 bits and 2 of 16",
        arguments: [3, 4], [false, true])
    func positions(bands: Int, isDeep: Bool) async throws {
        let studio = try Self.studio()
        let (before, data) = try Self.picture(bands, isDeep: isDeep)
        let asset = try await studio.add(data)
        let file = try studio.folder.write(Self.mark.encoded(), to: "mark.png")
        // The margin has 2 pixels: 46 of the columns and 28 of the rows remain.
        let places = [
            "top-left": (2, 2), "top": (25, 2), "top-right": (48, 2), "left": (2, 16),
            "center": (25, 16), "right": (48, 16), "bottom-left": (2, 30), "bottom": (25, 30),
            "bottom-right": (48, 30),
        ]
        for (position, (left, top)) in places {
            try await studio.edit(
                asset, "watermark",
                [
                    "image": file, "size": "0.2", "margin": "0.05", "opacity": "0.6",
                    "position": position,
                ], reset: true)
            let after = try LightAndColorTests.current(asset, in: studio)
            try #require(after.count == before.count)
            let largest = Self.difference(
                after, before, bands: bands, greatest: isDeep ? 65535 : 255
            ) { Self.pixel($0 - left, $1 - top, opacity: 0.6) }
            #expect(largest <= (isDeep ? 2 : 0.51), "\(position): \(largest)")
        }
        await studio.host.shutDown()
    }

    @Test("a quarter turn moves the pixels, and tiles are a margin apart")
    func turnedAndTiled() async throws {
        let studio = try Self.studio()
        let (before, data) = try Self.picture(3, isDeep: false)
        let asset = try await studio.add(data)
        let file = try studio.folder.write(Self.mark.encoded(), to: "mark.png")
        let values = ["image": file, "size": "0.2", "margin": "0.05", "opacity": "1"]
        try await studio.edit(
            asset, "watermark", values.merging(["angle": "90", "position": "top-left"]) { $1 })
        let turned = try LightAndColorTests.current(asset, in: studio)
        let largest = Self.difference(turned, before, bands: 3, greatest: 255) { x, y in
            Self.pixel(y - 2, 7 - (x - 2), opacity: 1)
        }
        #expect(largest <= 0.51, "\(largest)")

        try await studio.edit(
            asset, "watermark", values.merging(["tile": "true"]) { $1 }, reset: true)
        let tiled = try LightAndColorTests.current(asset, in: studio)
        let other = Self.difference(tiled, before, bands: 3, greatest: 255) { x, y in
            // One is at the lower right: 48, 30. The distances are 12 and 10.
            Self.pixel((x + 60 - 48) % 12, (y + 40 - 30) % 10, opacity: 1)
        }
        #expect(other <= 0.51, "\(other)")
        await studio.host.shutDown()
    }

    @Test("tiles of a small picture are where those of a large one are")
    func smallTiles() async throws {
        let studio = try Self.studio()
        let file = try studio.folder.write(
            TestPicture(width: 8, height: 8, bands: 3, samples: [UInt8](repeating: 255, count: 192))
                .encoded(), to: "mark.png")
        var starts: [[Double]] = []
        for scale in [1, 3] {
            let (width, height) = (400 * scale, 250 * scale)
            let asset = try await studio.add(
                TestPicture(
                    width: width, height: height, bands: 3,
                    samples: [UInt8](repeating: 0, count: width * height * 3)
                ).encoded(), named: "\(scale).png")
            try await studio.edit(
                asset, "watermark",
                [
                    "image": file, "size": "0.02", "margin": "0.03", "opacity": "1",
                    "tile": "true", "position": "top-left",
                ])
            let row = try studio.current(asset).samples.dropFirst(8 * scale * width * 3)
                .prefix(width * 3)
            let levels = stride(from: row.startIndex, to: row.endIndex, by: 3).map { row[$0] }
            let found = levels.indices.dropFirst().filter { levels[$0] > 0 && levels[$0 - 1] == 0 }
            starts.append(found.map { Double($0) / Double(scale) })
        }
        // The distance is 12.5 pixels of the small picture: 5 and 7.5.
        #expect(starts[0].count == 32 && starts[1].count == 32)
        for (small, large) in zip(starts[0], starts[1]) { #expect(abs(small - large) <= 1) }
        await studio.host.shutDown()
    }

    @Test("reduced marks have no colours of transparent pixels")
    func reduced() async throws {
        let studio = try Self.studio()
        let black = TestPicture(
            width: 60, height: 40, bands: 3, samples: [UInt8](repeating: 0, count: 7200))
        let asset = try await studio.add(black)
        // Opaque red, and transparent green.
        var samples: [UInt8] = []
        for pixel in 0..<48 * 48 {
            samples += pixel % 48 < 20 ? [255, 0, 0, 255] : [0, 255, 0, 0]
        }
        let file = try studio.folder.write(
            TestPicture(width: 48, height: 48, bands: 4, samples: samples).encoded(),
            to: "mark.png")
        try await studio.edit(
            asset, "watermark", ["image": file, "size": "0.3", "opacity": "1", "margin": "0"])
        let after = try studio.current(asset).samples
        var (reds, greens) = (0.0, 0.0)
        for pixel in stride(from: 0, to: after.count, by: 3) {
            reds += Double(after[pixel]) / 255
            greens += Double(after[pixel + 1])
        }
        // 12 × 12 pixels, of which 20 of 48 are red.
        #expect(greens == 0 && abs(reds - 60) < 2, "\(reds), \(greens)")
        await studio.host.shutDown()
    }

    @Test("colours are converted to the picture's profile, and gray images are drawn")
    func colors() async throws {
        let studio = try Self.studio()
        let plain = TestPicture(
            width: 40, height: 40, bands: 3, samples: [UInt8](repeating: 90, count: 4800))
        let asset = try await studio.add(
            plain.encoded(metadata: { try? $0.set("icc-profile-data", to: TestProfile.named("p3")) }
            ))
        let red = TestPicture(width: 4, height: 4, bands: 3, samples: Self.repeated([255, 0, 0]))
        let gray = try Image(
            samples: [UInt8](repeating: 77, count: 16), width: 4, height: 4, bands: 1)
        for (name, data, expected) in [
            ("red.png", try red.encoded(), [234, 51, 35]),
            ("red.jpg", try red.encoded("jpeg", options: ["Q": 100]), [234, 51, 35]),
            ("gray.png", Data(try gray.encoded(saver: "pngsave_buffer")), [77, 77, 77]),
        ] {
            let file = try studio.folder.write(data, to: name)
            try await studio.edit(
                asset, "watermark",
                ["image": file, "size": "0.5", "opacity": "1", "position": "center"], reset: true)
            let after = try studio.current(asset).samples
            let center = after[(20 * 40 + 20) * 3..<(20 * 40 + 20) * 3 + 3].map(Int.init)
            let difference = zip(center, expected).map { abs($0 - $1) }.max() ?? 0
            #expect(difference <= 1, "\(name): \(center)")
        }
        await studio.host.shutDown()
    }

    private static func repeated(_ color: [UInt8]) -> [UInt8] {
        (0..<16).flatMap { _ in color }
    }

    @Test("an unusable file is an error that names the parameter")
    func unusable() async throws {
        let studio = try Self.studio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        let png = try Self.mark.encoded()
        let huge = try Image(
            samples: [UInt8](repeating: 0, count: 4001 * 4000), width: 4001, height: 4000, bands: 1
        )
        let files = [
            ("noise", Data("no picture".utf8)), ("half", png.prefix(png.count / 2)),
            (
                "svg",
                Data("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>".utf8)
            ),
            // The header of a HEIC without pictures, whose loader seeks beyond the end.
            ("heic", Data([0, 0, 0, 20] + Array("ftypheic\0\0\0\0mif1".utf8))),
            ("huge", Data(try huge.encoded(saver: "pngsave_buffer"))),
        ]
        for (name, data) in files {
            let file = try studio.folder.write(data, to: name)
            let error = await #expect(throws: HostError.self) {
                try await studio.edit(asset, "watermark", ["image": file])
            }
            #expect(
                error?.code == .badParameter && error?.message.contains("image ") == true,
                "\(name): \(error as Any)")
        }
        #expect(try studio.current(asset) == picture)
        await studio.host.shutDown()
    }
}
