// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// EXIF, XMP and IPTC of PNG files, in the forms that programs have used over the years.
@Suite("PNG metadata")
struct PNGBlockTests {
    private static func word(_ number: Int) -> [UInt8] { FileNumber.big(number, 4) }

    private static func chunk(_ type: String, _ contents: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + contents
        let sum = body.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
                sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1
            }
        }
        return word(contents.count) + body + word(Int(~sum))
    }

    /// Data in an uncompressed zlib stream.
    private static func stored(_ data: [UInt8]) -> [UInt8] {
        var (low, high) = (UInt32(1), UInt32(0))
        for byte in data {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        var blocks: [UInt8] = []
        for start in stride(from: 0, to: data.count, by: 65535) {
            let part = data[start..<min(data.count, start + 65535)]
            let isLast: UInt8 = start + part.count == data.count ? 1 : 0
            blocks +=
                [isLast] + FileNumber.little(part.count, 2)
                + FileNumber.little(~part.count, 2) + part
        }
        return [0x78, 0x01] + blocks + word(Int(high << 16 | low))
    }

    /// A picture of 40 by 30 with chunks before or after the pixels.
    private static func png(before: [UInt8] = [], behind: [UInt8] = []) throws -> TestFile {
        let plain = try TestPicture.png().bytes
        return try TestFile(
            plain[..<33] + before + plain[33..<(plain.count - 12)] + behind
                + plain.suffix(12))
    }

    /// EXIF with a date and orientation 6.
    private static let exif: [UInt8] = {
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
            FileNumber.little(tag, 2) + FileNumber.little(type, 2) + FileNumber.little(count, 4)
                + FileNumber.little(value, 4)
        }
        return Array("II*\0".utf8) + FileNumber.little(8, 4)
            + FileNumber.little(2, 2) + entry(0x0112, 3, 1, 6) + entry(0x8769, 4, 1, 38)
            + FileNumber.little(0, 4)
            + FileNumber.little(1, 2) + entry(0x9003, 2, 20, 56) + FileNumber.little(0, 4)
            + Array("2020:01:02 03:04:05\0".utf8)
    }()
    private static let xmp = Array(
        PictureFacts.packet("<dc:title>Grüße</dc:title>", attributes: "xmp:Rating='3'").utf8)

    private static func profile(_ name: String, _ block: [UInt8]) -> [UInt8] {
        let digits = block.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let lines = stride(from: 0, to: digits.count, by: 36).map {
            digits[$0..<min(digits.count, $0 + 36)].joined()
        }
        let count = String(block.count)
        let length = String(repeating: " ", count: 8 - count.count) + count
        return Array("\n\(name)\n\(length)\n\(lines.joined(separator: "\n"))\n".utf8)
    }

    private static func text(_ type: String, _ keyword: String, _ text: [UInt8]) -> [UInt8] {
        let key = Array(keyword.utf8) + [0]
        switch type {
        case "zTXt": return chunk(type, key + [0] + stored(text))
        case "iTXt": return chunk(type, key + [0, 0, 0, 0] + text)
        default: return chunk(type, key + text)
        }
    }

    private static func expectExif(_ file: TestFile, _ comment: Comment) throws {
        let facts = try PictureFacts.of(file)
        #expect(facts.creationDate?.text == "2020-01-02T03:04:05", comment)
        #expect(facts.orientation == 6 && facts.pixelWidth == 30, comment)
        let output = try TestFile()
        let job = RenderJob(
            input: RenderInput(base: .encoded(.png)),
            output: .encoded(EncodeSettings(format: .png)))
        let reply = try TestRunner().request(
            .run(job),
            [(.base, file.number), (.metadataSource, file.number), (.output, output.number)])
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        #expect(report.width == 30 && report.height == 40, comment)
        let tags = try ExifTool().read(output)
        #expect(tags["ExifIFD:DateTimeOriginal"] == "2020:01:02 03:04:05", comment)
        #expect(tags["IFD0:Orientation"] == "1", comment)
    }

    @Test(
        "EXIF in text chunks is read and kept at any position", arguments: ["tEXt", "zTXt", "iTXt"])
    func exifTexts(type: String) throws {
        let mark = Array("Exif\0\0".utf8)
        for (keyword, block) in [
            ("exif", mark + Self.exif), ("exif", Self.exif), ("APP1", mark + Self.exif),
        ] {
            let chunk = Self.text(
                type, "Raw profile type \(keyword)", Self.profile(keyword, block))
            try Self.expectExif(try Self.png(before: chunk), "\(keyword) before")
            try Self.expectExif(try Self.png(behind: chunk), "\(keyword) behind")
        }
    }

    @Test("the eXIf chunk is read and kept before and after the pixels")
    func exifChunk() throws {
        let chunk = Self.chunk("eXIf", Self.exif)
        try Self.expectExif(try Self.png(before: chunk), "before")
        try Self.expectExif(try Self.png(behind: chunk), "behind")
    }

    @Test(
        "XMP is read and kept in any chunk, before and after the pixels",
        arguments: ["tEXt", "zTXt", "iTXt"])
    func xmp(type: String) throws {
        let mark = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
        for chunk in [
            Self.text(type, "XML:com.adobe.xmp", Self.xmp),
            Self.text(type, "Raw profile type xmp", Self.profile("xmp", Self.xmp)),
            Self.text(type, "Raw profile type APP1", Self.profile("app1", mark + Self.xmp)),
        ] {
            for file in [try Self.png(before: chunk), try Self.png(behind: chunk)] {
                let (tags, facts, written) = try MetadataChangesTests.encode(
                    file, .png, MetadataChanges())
                #expect(facts.metadata?.title == "Grüße" && facts.metadata?.rating == 3)
                #expect(tags["XMP-dc:Title"] == "Grüße")
                let read = try PictureFacts.of(file)
                #expect(read.metadata?.title == "Grüße")
                // All programs look for uncompressed text before the pixels.
                let key = Array("iTXtXML:com.adobe.xmp\0\0\0\0\0".utf8)
                let place = try #require(written.bytes.firstRange(of: key))
                let pixels = try #require(written.bytes.firstRange(of: Array("IDAT".utf8)))
                #expect(place.upperBound < pixels.lowerBound)
                #expect(written.bytes.firstRange(of: Array("Grüße".utf8)) != nil)
                #expect(try written.image().pixels() == file.image().pixels())
            }
        }
    }

    @Test("XMP in a compressed Latin-1 text chunk keeps its letters")
    func latin1() throws {
        let latin = String(decoding: Self.xmp, as: UTF8.self).unicodeScalars.map {
            UInt8($0.value & 0xFF)
        }
        let file = try Self.png(before: Self.text("zTXt", "XML:com.adobe.xmp", latin))
        #expect(try PictureFacts.of(file).metadata?.title == "Grüße")
    }

    @Test("IPTC in Photoshop resources in a text is read, also after twenty other texts")
    func iptc() throws {
        let records: [UInt8] = [0x1C, 2, 25, 0, 4] + Array("boat".utf8)
        let resource =
            Array("8BIM\u{4}\u{4}\0\0".utf8) + Self.word(records.count) + records + [0]
        let others = (0..<30).flatMap { Self.text("tEXt", "Note\($0)", [0x61]) }
        for name in ["iptc", "8bim"] {
            let chunk = Self.text(
                "zTXt", "Raw profile type \(name)", Self.profile(name, resource))
            let facts = try PictureFacts.of(try Self.png(before: others + chunk))
            #expect(facts.metadata?.keywords == ["boat"], "\(name)")
        }
    }

    @Test("invalid and broken profile texts are ignored")
    func broken() throws {
        let texts = [
            "", "\nexif\n", "\nexif\n  99999\nabcd\n", "\nexif\n 4\nzzzz\n", "exif 4 00",
        ]
        for text in texts {
            let chunk = Self.text("tEXt", "Raw profile type exif", Array(text.utf8))
            let facts = try PictureFacts.of(try Self.png(before: chunk))
            #expect(facts.creationDate == nil && facts.pixelWidth == 40)
        }
    }
}
