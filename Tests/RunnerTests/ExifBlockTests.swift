// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing
import Vips

/// EXIF blocks that are copied from an original to its encoded output.
@Suite("EXIF blocks")
struct ExifBlockTests {
    private static func thumbnail() throws -> [UInt8] {
        try TestPicture.image(width: 16, height: 12)
            .encoded(saver: "jpegsave_buffer", options: ["strip": true])
    }

    /// A JPEG file with EXIF tags in several directories and a thumbnail.
    private static func original(bigEndian: Bool = true) throws -> [UInt8] {
        let tool = try ExifTool()
        let path = try tool.file(try thumbnail(), "thumbnail.jpg")
        let bytes = try TestPicture.image(width: 64, height: 48).encoded(
            saver: "jpegsave_buffer", options: ["strip": true])
        return try tool.tagging(
            bytes, "jpg",
            [
                "-EXIF:ExifByteOrder=\(bigEndian ? "MM" : "II")", "-EXIF:Make=Maker",
                "-EXIF:UserComment=a comment", "-EXIF:ExifImageWidth=64",
                "-EXIF:ExifImageHeight=48", "-EXIF:Orientation=1", "-EXIF:InteropIndex=R98",
                "-EXIF:HostComputer=a phone", "-IFD1:ThumbnailImage<=\(path)",
            ]
        ).bytes
    }

    private static func encode(
        _ runner: TestRunner, _ bytes: [UInt8], _ format: MediaFormat
    ) throws -> (reply: RunnerReply, file: TestFile) {
        let (base, file) = (try TestFile(bytes), try TestFile())
        let settings = EncodeSettings(format: format, size: PixelSize(width: 32, height: 32))
        let job = RenderJob(
            input: RenderInput(base: .encoded(.unknown)), output: .encoded(settings))
        let reply = try withExtendedLifetime(base) {
            try runner.request(
                .run(job),
                [(.base, base.number), (.metadataSource, base.number), (.output, file.number)])
        }
        return (reply, file)
    }

    /// The EXIF block of a JPEG file, from its TIFF header on.
    private static func block(_ bytes: [UInt8]) throws -> [UInt8] {
        let mark = try #require(bytes.firstRange(of: Array("Exif\0\0".utf8)))
        let length = Int(bytes[mark.lowerBound - 2]) << 8 | Int(bytes[mark.lowerBound - 1])
        return Array(bytes[mark.upperBound..<mark.lowerBound - 2 + length])
    }

    @Test("sizes and thumbnail change, and every other byte stays", arguments: [true, false])
    func bytes(bigEndian: Bool) throws {
        let original = try Self.original(bigEndian: bigEndian)
        let (reply, file) = try Self.encode(try TestRunner(), original, .jpeg)
        guard case .rendered = reply else { throw unexpected(reply) }
        let (before, after) = (try Self.block(original), try Self.block(file.bytes))
        let thumbnail = try Self.thumbnail()
        #expect(before.firstRange(of: thumbnail) != nil)
        #expect(file.bytes.firstRange(of: thumbnail) == nil)
        // Two sizes of two or four bytes each and the offset of the second directory may differ.
        let kept = zip(before, after).count { $0 == $1 }
        #expect(after.count <= before.count && kept >= after.count - 12)
        let tags = try ExifTool().read(file)
        #expect(tags["ExifIFD:ExifImageWidth"] == "32" && tags["ExifIFD:ExifImageHeight"] == "24")
        #expect(tags["IFD0:HostComputer"] == "a phone" && tags["InteropIFD:InteropIndex"] == "R98")
        #expect(tags["ExifIFD:UserComment"] == "a comment")
    }

    @Test("non-UTF-8 text is preserved and read as Latin-1")
    func latin() throws {
        var original = try Self.original()
        let place = try #require(original.firstRange(of: Array("Maker\0".utf8)))
        original.replaceSubrange(place, with: [0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0])
        let (reply, file) = try Self.encode(try TestRunner(), original, .jpeg)
        guard case .rendered = reply else { throw unexpected(reply) }
        #expect(file.bytes.firstRange(of: [0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0]) != nil)
        // The facts have the intended text.
        let base = try TestFile(original)
        let job = RenderJob(input: RenderInput(base: .encoded(.unknown)), output: .facts)
        guard
            case .rendered(let report) = try TestRunner().request(.run(job), [(.base, base.number)])
        else { throw unexpected(reply) }
        #expect(report.facts?.metadata?.cameraMake == "M\u{FC}lle")
    }

    @Test("removing a thumbnail that overlaps the directories removes nothing else")
    func overlapping() throws {
        var original = try Self.original()
        let block = try Self.block(original)
        let start = try #require(original.firstRange(of: block)).lowerBound
        // Entry 0x0201 of the second directory is the offset of the thumbnail.
        let entry = try #require(block.firstRange(of: [0x02, 0x01, 0x00, 0x04, 0, 0, 0, 1]))
        original.replaceSubrange(
            start + entry.upperBound..<start + entry.upperBound + 4, with: [0, 0, 0, 8])
        let (reply, file) = try Self.encode(try TestRunner(), original, .jpeg)
        guard case .rendered = reply else { throw unexpected(reply) }
        let tags = try ExifTool().read(file)
        #expect(tags["IFD0:Make"] == "Maker" && tags["IFD0:HostComputer"] == "a phone")
    }

    @Test("inconsistent blocks are written or rebuilt, and the picture is intact")
    func random() throws {
        let original = try Self.original()
        let range = try #require(original.firstRange(of: Self.block(original)))
        var random = SeededGenerator(seed: TestSeed.seed())
        let runner = try TestRunner()
        for round in 0..<300 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: range, using: &random)
                bytes[place] =
                    Bool.random(using: &random)
                    ? [0, 8, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
                    : UInt8.random(in: 0...255, using: &random)
            }
            let format = [MediaFormat.jpeg, .png, .webp, .jxl][round % 4]
            let (reply, file) = try Self.encode(runner, bytes, format)
            guard case .rendered(let report) = reply else { throw unexpected(reply) }
            // The mutation may have changed the orientation.
            let image = try file.image()
            #expect(image.width == report.width && max(image.width, image.height) == 32)
        }
    }

    @Test(
        "an orientation of any type becomes 1, since the pixels are rotated",
        arguments: [
            [0, 3, 0, 0, 0, 1, 0, 6, 0, 0], [0, 1, 0, 0, 0, 1, 6, 0, 0, 0],
            [0, 8, 0, 0, 0, 1, 0, 6, 0, 0], [0, 9, 0, 0, 0, 1, 0, 0, 0, 6],
            [0, 3, 0, 0, 0, 2, 0, 6, 0, 6],
        ] as [[UInt8]])
    func orientation(entry: [UInt8]) throws {
        var original = try Self.original()
        let place = try #require(
            original.firstRange(of: [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0]))
        original.replaceSubrange(place.lowerBound + 2..<place.upperBound, with: entry)
        for format in [MediaFormat.jpeg, .png] {
            let (reply, file) = try Self.encode(try TestRunner(), original, format)
            guard case .rendered(let report) = reply else { throw unexpected(reply) }
            let tags = try ExifTool().read(file)
            #expect(tags["IFD0:Orientation"] == "1")
            #expect(try file.image().width == report.width)
        }
    }

    @Test("IPTC in a PNG that claims an impossible length is ignored")
    func endlessProfile() throws {
        let picture = try TestPicture.image(width: 8, height: 8).encoded(saver: "pngsave_buffer")
        for count in ["9223372036854775807", "4611686018427387904", "-1", "0"] {
            let text = Array("tEXtRaw profile type iptc\0\niptc\n\(count)\n00112233\n".utf8)
            var crc = ~UInt32(0)
            for byte in text {
                crc ^= UInt32(byte)
                for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1 }
            }
            func word(_ number: UInt32) -> [UInt8] {
                withUnsafeBytes(of: number.bigEndian, Array.init)
            }
            let chunk = word(UInt32(text.count - 4)) + text + word(~crc)
            let (reply, file) = try Self.encode(
                try TestRunner(), picture.prefix(33) + chunk + picture.dropFirst(33), .jpeg)
            guard case .rendered = reply else { throw unexpected(reply) }
            #expect(try file.image().width == 8)
        }
    }
}
