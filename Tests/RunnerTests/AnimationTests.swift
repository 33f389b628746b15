// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import TestSupport
import Testing
import Vips

/// Files with several pictures.
@Suite("several pictures in a file")
struct AnimationTests {
    /// A file with two pictures of 64 x 48 pixels.
    private static func file(_ format: String) throws -> [UInt8] {
        let image = try TestPicture.image(width: 64, height: 96).copying {
            $0.set("page-height", to: 48)
        }
        return try image.encoded(saver: "\(format)save_buffer")
    }

    private static func facts(_ bytes: [UInt8]) throws -> PhotoFacts {
        try PictureFacts.of(try TestFile(bytes))
    }

    @Test(
        "frames of GIF and WebP are animated; TIFF pages and HEIF pictures are not",
        arguments: [("gif", true), ("webp", true), ("tiff", false), ("heif", false)])
    func kinds(format: String, isAnimated: Bool) throws {
        let facts = try Self.facts(try Self.file(format))
        #expect(facts.frameCount == 2 && facts.pixelHeight == 48)
        #expect(facts.mediaSubtypes == (isAnimated ? .animated : []))
    }

    @Test("a PNG is animated if its control chunk has several frames")
    func png() throws {
        let picture = try PictureFacts.picture("png")
        for frames in [1, 3] {
            let control = ("acTL", FileNumber.big(frames, 4) + FileNumber.big(0, 4))
            let facts = try Self.facts(PNGChunk.inserting([control], into: picture))
            #expect(facts.frameCount == frames)
            #expect(facts.mediaSubtypes == (frames > 1 ? .animated : []))
        }
        #expect(try Self.facts(picture).frameCount == 1)
    }

    @Test("a HEIF file with a sequence is animated by its brand and track")
    func sequences() throws {
        let picture = try PictureFacts.picture("heic")
        let place = try #require(picture.firstRange(of: Array("mif1".utf8)))
        let movie = FileNumber.big(8, 4) + Array("moov".utf8)
        for brand in ["msf1", "avis"] {
            var branded = picture
            branded.replaceSubrange(place, with: Array(brand.utf8))
            #expect(try Self.facts(branded + movie).mediaSubtypes == .animated)
            #expect(try Self.facts(branded).mediaSubtypes == [])
        }
        #expect(try Self.facts(picture + movie).mediaSubtypes == [])
    }

    // MARK: - GIF

    @Test("pixels outside a GIF's first frame are transparent")
    func smallFrame() throws {
        try VipsLibrary.initialize()
        let white = try TestPicture.image(width: 8, height: 8).applying(
            "linear", ["a": .doubles([0, 0, 0]), "b": .doubles([255, 200, 40]), "uchar": true])
        var whole = try white.encoded(saver: "gifsave_buffer")
        // Clears the flag of a transparent colour (GIF89a, 23), for which libvips adds an alpha band.
        if let control = whole.firstRange(of: [0x21, 0xF9, 0x04]) {
            whole[control.upperBound] &= 0xFE
        }
        let block = try #require(whole.firstRange(of: [0x2C, 0, 0, 0, 0, 8, 0, 8, 0])).lowerBound
        for (left, top) in [(0, 0), (4, 2), (8, 4)] {
            var bytes = whole
            bytes.replaceSubrange(6..<10, with: [16, 0, 12, 0])
            bytes.replaceSubrange(block + 1..<block + 5, with: [UInt8(left), 0, UInt8(top), 0])
            #expect(try Self.facts(bytes).hasAlpha)
            let (file, _) = try Reencoded.file(
                try TestFile(bytes), EncodeSettings(format: .png))
            let image = try file.image()
            #expect(image.width == 16 && image.height == 12 && image.bands == 4)
            let samples = try image.samples()
            for y in 0..<12 {
                for x in 0..<16 {
                    let isInside =
                        (left..<left + 8).contains(x) && (top..<top + 8).contains(y)
                    let alpha = samples[(y * 16 + x) * 4 + 3]
                    #expect(alpha == (isInside ? 255 : 0), "\(left) \(top): \(x) \(y)")
                }
            }
        }
        #expect(try !Self.facts(whole).hasAlpha)
    }
}
