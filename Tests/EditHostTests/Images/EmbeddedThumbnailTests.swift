// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// The fast answer from the thumbnail in a file.
@Suite("embedded thumbnails")
struct EmbeddedThumbnailTests {
    private let size = PixelSize(width: 400, height: 400)

    @Test(
        "an embedded thumbnail of the same shape comes first, degraded and upright",
        arguments: [1, 6, 8])
    func first(_ orientation: Int) async throws {
        let studio = try TestStudio()
        let file = try Self.jpeg(width: 1600, height: 1200, thumbnail: (160, 120), orientation)
        let asset = try await studio.imported(file, named: "a.jpg")
        let answers = try await studio.answers(studio.manager(), asset, size)
        #expect(answers.map(\.info.isDegraded) == [true, false])
        let quick = try #require(answers.first?.image)
        let isTurned = orientation > 4
        #expect(quick.size == PixelSize(width: isTurned ? 120 : 160, height: isTurned ? 160 : 120))
        #expect(Self.isBlue(quick))
        let right = try #require(answers.last?.image)
        #expect(!Self.isBlue(right) && right.width >= (isTurned ? 300 : 400))
        await studio.host.shutDown()
    }

    @Test("fast delivers only the thumbnail, degraded if it is too small")
    func fast() async throws {
        let studio = try TestStudio()
        let file = try Self.jpeg(width: 1600, height: 1200, thumbnail: (160, 120))
        let asset = try await studio.imported(file, named: "a.jpg")
        for (side, isDegraded) in [(400, true), (100, false)] {
            let answers = ImageAnswers()
            studio.manager().requestImage(
                for: asset, targetSize: PixelSize(width: side, height: side),
                options: .with { $0.deliveryMode = .fastFormat }, resultHandler: answers.handler)
            let answer = try await answers.wait()[0]
            #expect(answer.info.isDegraded == isDegraded)
            #expect(Self.isBlue(try #require(answer.image)))
        }
        await studio.host.shutDown()
    }

    @Test("best-quality and exact pictures never come from an EXIF thumbnail")
    func best() async throws {
        let studio = try TestStudio()
        let file = try Self.jpeg(width: 1600, height: 1200, thumbnail: (160, 120))
        let asset = try await studio.imported(file, named: "a.jpg")
        let small = PixelSize(width: 80, height: 80)
        for options in [ImageRequestOptions.exact, .with { $0.resizeMode = .exact }] {
            let image = try await studio.manager().image(
                for: asset, targetSize: small, options: options)
            #expect(!Self.isBlue(image) && image.size == PixelSize(width: 80, height: 60))
        }
        await studio.host.shutDown()
    }

    @Test(
        "a thumbnail of another shape, with bars or not JPEG is ignored",
        arguments: [(1600, 1066, 160, 120), (1200, 1600, 160, 120), (100, 75, 160, 120)])
    func otherShape(_ width: Int, _ height: Int, _ side: Int, _ other: Int) async throws {
        let studio = try TestStudio()
        let file = try Self.jpeg(width: width, height: height, thumbnail: (side, other))
        let asset = try await studio.imported(file, named: "a.jpg")
        let answers = try await studio.answers(studio.manager(), asset, size)
        #expect(answers.map(\.info.isDegraded) == [false])
        #expect(!Self.isBlue(try #require(answers.first?.image)))
        let broken = try Self.jpeg(
            width: 1600, height: 1200, data: Data("no JPEG".utf8), orientation: 1)
        let second = try await studio.imported(broken, named: "b.jpg")
        let others = try await studio.answers(studio.manager(), second, size)
        #expect(others.map(\.info.isDegraded) == [false] && others[0].image != nil)
        await studio.host.shutDown()
    }

    @Test(
        "a truncated thumbnail is ignored, and the picture is delivered",
        arguments: [1, 6])
    func cutOff(_ orientation: Int) async throws {
        let studio = try TestStudio()
        let whole = try Self.plain(160, 120, [0, 0, 250]).encoded("jpeg", options: ["Q": 100])
        let file = try Self.jpeg(
            width: 1600, height: 1200, data: whole.prefix(whole.count * 2 / 3),
            orientation: orientation)
        let asset = try await studio.imported(file, named: "a.jpg")
        for side in [400, 100] {
            let answers = try await studio.answers(
                studio.manager(), asset, PixelSize(width: side, height: side))
            #expect(answers.map(\.info.isDegraded) == [false])
            #expect(!Self.isBlue(try #require(answers.first?.image)))
        }
        await studio.host.shutDown()
    }

    @Test("a stale thumbnail never represents an edit")
    func stale() async throws {
        let studio = try TestStudio()
        let file = try Self.jpeg(width: 1600, height: 1200, thumbnail: (160, 120))
        let asset = try await studio.imported(.gradient())
        try await studio.apply(file, as: .jpeg, to: asset.localIdentifier)
        let answers = try await studio.answers(studio.manager(), asset, size)
        #expect(answers.map(\.info.isDegraded) == [false])
        #expect(!Self.isBlue(try #require(answers.first?.image)))
        await studio.host.shutDown()
    }

    // MARK: - Files

    /// A red JPEG whose thumbnail is blue.
    private static func jpeg(
        width: Int, height: Int, thumbnail: (Int, Int), _ orientation: Int = 1
    ) throws -> Data {
        try jpeg(
            width: width, height: height,
            data: plain(thumbnail.0, thumbnail.1, [0, 0, 250]).encoded("jpeg"),
            orientation: orientation)
    }

    private static func jpeg(
        width: Int, height: Int, data: Data, orientation: Int
    ) throws -> Data {
        let picture = try plain(width, height, [250, 0, 0]).encoded("jpeg")
        func short(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8 & 255)] }
        func long(_ number: Int) -> [UInt8] { short(number) + short(number >> 16) }
        func entry(_ tag: Int, _ type: Int, _ value: Int) -> [UInt8] {
            short(tag) + short(type) + long(1) + long(value)
        }
        // EXIF 2.32, 4.5: the first directory has the orientation, the second the thumbnail.
        let second = 8 + 2 + 12 + 4
        let end = second + 2 + 36 + 4
        var tiff = Array("II*\0".utf8) + long(8)
        tiff += short(1) + entry(0x0112, 3, orientation) + long(second)
        tiff += short(3) + entry(0x0103, 3, 6) + entry(0x0201, 4, end)
        tiff += entry(0x0202, 4, data.count) + long(0) + data
        let exif = Array("Exif\0\0".utf8) + tiff
        let length = exif.count + 2
        let marker: [UInt8] = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)]
        return picture.prefix(2) + Data(marker + exif) + picture.dropFirst(2)
    }

    private static func plain(_ width: Int, _ height: Int, _ color: [UInt8]) -> TestPicture {
        TestPicture(
            width: width, height: height, bands: 3,
            samples: (0..<width * height).flatMap { _ in color })
    }

    private static func isBlue(_ image: AssetImage) -> Bool { image.data[2] > 128 }
}
