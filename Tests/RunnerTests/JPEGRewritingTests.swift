// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// JPEG files whose metadata is replaced without re-encoding.
@Suite("JPEG rewriting")
struct JPEGRewritingTests {
    /// A JPEG file with tags, a comment and a colour profile.
    private static func original(_ tags: [String] = MetadataChangesTests.texts) throws -> [UInt8] {
        let bytes = try TestPicture.image(width: 64, height: 48).encoded(
            saver: "jpegsave_buffer", options: ["profile": "srgb"])
        return try ExifTool().tagging(bytes, "jpg", ["-Comment=a remark"] + tags).bytes
    }

    private static func rewrite(
        _ runner: TestRunner, _ bytes: [UInt8], _ changes: MetadataChanges? = nil,
        _ omitted: EncodeSettings.OmittedMetadata? = nil
    ) throws -> (reply: RunnerReply, file: TestFile) {
        let (base, file) = (try TestFile(bytes), try TestFile())
        var settings = EncodeSettings(format: .jpeg)
        settings.keepsPixels = true
        settings.metadataChanges = changes
        settings.omittedMetadata = omitted
        let job = RenderJob(input: RenderInput(base: .encoded(.jpeg)), output: .encoded(settings))
        let reply = try withExtendedLifetime(base) {
            try runner.request(.run(job), [(.base, base.number), (.output, file.number)])
        }
        return (reply, file)
    }

    private static func rewritten(
        _ bytes: [UInt8], _ changes: MetadataChanges? = nil,
        _ omitted: EncodeSettings.OmittedMetadata? = nil
    ) throws -> TestFile {
        let (reply, file) = try rewrite(try TestRunner(), bytes, changes, omitted)
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        #expect(report.byteCount == file.bytes.count)
        return file
    }

    /// The segments before the first scan with their markers, and the rest of the file.
    private static func parts(_ bytes: [UInt8]) -> (segments: [(UInt8, [UInt8])], rest: [UInt8]) {
        var segments: [(UInt8, [UInt8])] = []
        var place = 2
        while place + 4 <= bytes.count, bytes[place + 1] != 0xDA {
            let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
            segments.append((bytes[place + 1], Array(bytes[place..<place + 2 + length])))
            place += 2 + length
        }
        return (segments, Array(bytes[place...]))
    }

    private func expectSamePicture(_ before: [UInt8], _ after: [UInt8]) {
        let (old, new) = (Self.parts(before), Self.parts(after))
        #expect(old.rest == new.rest)
        let isCoding = { (part: (UInt8, [UInt8])) in
            part.0 < 0xE0 || [0xE0, 0xE2, 0xEE].contains(part.0)
        }
        #expect(
            old.segments.filter(isCoding).map(\.1) == new.segments.filter(isCoding).map(\.1))
    }

    @Test("new properties are read back, and every byte of the picture is unchanged")
    func changed() throws {
        for tags in [MetadataChangesTests.texts, []] {
            let original = try Self.original(tags)
            let file = try Self.rewritten(original, try MetadataChangesTests.changes())
            expectSamePicture(original, file.bytes)
            #expect(try file.image().pixels() == TestFile(original).image().pixels())
            let found = try ExifTool().read(file)
            #expect(found["ExifIFD:DateTimeOriginal"] == "2016:10:09 14:44:18")
            #expect(found["Composite:GPSLatitude"].flatMap { Double($0) } == -37.788975)
            #expect(found["XMP-xmp:Rating"] == "4" && found["XMP-dc:Title"] == "A & B")
            #expect(found["XMP-dc:Subject"] == "boats, <Ja & \"B\u{E4}r\">")
            #expect(found["File:Comment"] == "a remark")
            #expect(found["IFD0:Make"] == (tags.isEmpty ? nil : "Maker"))
            #expect(found["IPTC:Keywords"] == (tags.isEmpty ? nil : found["XMP-dc:Subject"]))
            #expect(!found.keys.contains { $0.hasSuffix(":Warning") }, "\(found)")
        }
    }

    @Test("without changes or with equal values the file is copied byte for byte")
    func unchanged() throws {
        let original = try Self.original()
        #expect(try Self.rewritten(original).bytes == original)
        var changes = MetadataChanges()
        changes.rating = .set(2)
        changes.keywords = ["water|sea", "water|boats"]
        #expect(try Self.rewritten(original, changes).bytes == original)
    }

    @Test(
        "removed metadata is nowhere in the file, nor after the picture",
        arguments: [EncodeSettings.OmittedMetadata.all, .allButCopyright, .location])
    func omitted(_ omitted: EncodeSettings.OmittedMetadata) throws {
        let original = try Self.original()
        let file = try Self.rewritten(original + Array("Reykjavik behind".utf8), nil, omitted)
        expectSamePicture(original, file.bytes)
        let found = try ExifTool().read(file)
        #expect(!found.keys.contains { $0.contains("GPS") || $0.contains("City") })
        #expect(file.bytes.firstRange(of: Array("Reykjavik".utf8)) == nil)
        #expect(found["ICC-header:ProfileClass"] != nil && found["File:Comment"] == nil)
        #expect((found["IFD0:Artist"] == nil) == (omitted == .all))
        #expect((found["XMP-dc:Creator"] == nil) == (omitted == .all))
        #expect((found["IFD0:Make"] == nil) == (omitted != .location))
        #expect((found["IPTC:Keywords"] == nil) == (omitted != .location))
    }

    @Test("the other pictures of a file are found at the offsets of its index")
    func index() throws {
        let second = try TestPicture.image(width: 8, height: 8).encoded(
            saver: "jpegsave_buffer", options: ["strip": true])
        func word(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(number >> (8 * (count - 1 - $0)) & 0xFF) }
        }
        let bytes = try Self.original(["-XMP-dc:Title=A title"])
        let scan = bytes.count - Self.parts(bytes).rest.count
        func segment(_ size: Int, _ offset: Int) -> [UInt8] {
            let list =
                [0x20, 3, 0, 0] + word(size, 4) + word(0, 8) + word(0, 4) + word(second.count, 4)
                + word(offset, 4) + word(0, 4)
            let directory =
                word(3, 2) + word(0xB000, 2) + word(7, 2) + word(4, 4) + Array("0100".utf8)
                + word(0xB001, 2) + word(4, 2) + word(1, 4) + word(2, 4)
                + word(0xB002, 2) + word(7, 2) + word(32, 4) + word(8 + 42, 4) + word(0, 4)
            let index = Array("MPF\0MM\0*".utf8) + word(8, 4) + directory + list
            return [0xFF, 0xE2] + word(index.count + 2, 2) + index
        }
        let length = segment(0, 0).count
        let size = bytes.count + length
        // The index comes after the first segment or after all segments, so changes lie on either side of it.
        let first = 2 + Self.parts(bytes).segments[0].1.count
        for place in [first, scan] {
            let index = segment(size, size - place - 8)
            let original = bytes[..<place] + index + bytes[place...] + second
            let before = try ExifTool().read(TestFile(Array(original)))
            #expect(before["MPImage2:MPImageLength"] == "\(second.count)")
            let file = try Self.rewritten(Array(original), try MetadataChangesTests.changes())
            let after = try ExifTool().read(file)
            #expect(after["XMP-dc:Title"] == "A & B")
            let start = try #require(after["MPImage2:MPImageStart"].flatMap { Int($0) })
            #expect(Array(file.bytes[start...]) == second)
            let own = try #require(after["MPImage1:MPImageLength"].flatMap { Int($0) })
            #expect(own == file.bytes.count - second.count)
            #expect(!after.keys.contains { $0.hasSuffix(":Warning") }, "\(after)")
        }
    }

    @Test("a truncated or full file is rejected and must be encoded")
    func refused() throws {
        let original = try Self.original()
        let scan = original.count - Self.parts(original).rest.count
        let runner = try TestRunner()
        for length in stride(from: 3, to: scan, by: max(1, scan / 40)) {
            let (reply, _) = try Self.rewrite(
                runner, Array(original[..<length]), try MetadataChangesTests.changes())
            guard case .failed(let failure) = reply else { throw unexpected(reply) }
            #expect([.badInput, .blockedFormat, .tooLarge].contains(failure.code))
        }
        let large = try Self.original([
            "-EXIF:UserComment=\(String(repeating: "a", count: 65_300))"
        ])
        let (reply, _) = try Self.rewrite(runner, large, try MetadataChangesTests.changes())
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        #expect(failure.code == .badInput)
        let turned = try Self.original(["-EXIF:Orientation=6"])
        guard case .failed = try Self.rewrite(runner, turned).reply else { throw unexpected(reply) }
    }

    @Test("inconsistent segments are harmless")
    func random() throws {
        let original = try Self.original()
        let scan = original.count - Self.parts(original).rest.count
        var random = SeededGenerator(seed: TestSeed.seed())
        let runner = try TestRunner()
        for round in 0..<400 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 2..<scan, using: &random)] =
                    [0, 0xFF, 0xD8, 0xD9, 0xE1, 0xED, UInt8.random(in: 0...255, using: &random)]
                    .randomElement(using: &random) ?? 0
            }
            let omitted: EncodeSettings.OmittedMetadata? = [nil, .location, .allButCopyright][
                round % 3]
            let (reply, file) = try Self.rewrite(
                runner, bytes, try MetadataChangesTests.changes(), omitted)
            switch reply {
            case .rendered(let report): #expect(report.byteCount == file.bytes.count)
            case .failed: break
            default: throw unexpected(reply)
            }
        }
    }

    @Test("real photos keep all other tags, maker notes and thumbnails", .corpus)
    func corpus() throws {
        let runner = try TestRunner()
        var (all, lost, count) = (0, 0, 0)
        for row in try Corpus.photos() where row["format"] == "JPEG" {
            let original = try TestFile(path: try Corpus.path(try #require(row["path"])))
            let (reply, file) = try Self.rewrite(
                runner, original.bytes, try MetadataChangesTests.changes())
            guard case .rendered = reply else {
                #expect(!["", "1"].contains(row["orientation"] ?? ""), "\(row["path"] ?? "")")
                continue
            }
            count += 1
            let (before, after) = (try ExifTool().read(original), try ExifTool().read(file))
            #expect(after["ExifIFD:DateTimeOriginal"] == "2016:10:09 14:44:18")
            #expect(after["XMP-xmp:Rating"] == "4")
            #expect(after["GPS:GPSDateStamp"] == nil && after["GPS:GPSTimeStamp"] == nil)
            #expect(after["Composite:GPSLatitude"].flatMap { Double($0) } == -37.788975)
            let expected = before.filter { tag, _ in MetadataComparison.isOther(tag) }
            let differing = expected.filter { after[$0.key] != $0.value }
            all += expected.count
            lost += differing.count
            #expect(differing.isEmpty, "\(row["path"] ?? ""): \(differing)")
            #expect(try file.image().pixels() == original.image().pixels())
        }
        #expect(count >= 5 && all > 300)
        #expect(lost * 100 <= all)
    }
}

/// Tags that are unaffected by changes to date, position, rating and texts.
enum MetadataComparison {
    private static let groups = [
        "File:", "System:", "ExifTool:", "Composite:", "SourceFile", "XMP-x:", "XMP-rdf:",
    ]
    private static let changed: Set<String> = [
        "DateTimeOriginal", "CreateDate", "SubSecTimeOriginal", "SubSecTimeDigitized",
        "OffsetTimeOriginal", "OffsetTimeDigitized", "DateCreated", "TimeCreated",
        "DateTimeDigitized", "DigitalCreationDate", "DigitalCreationTime", "GPSLatitude",
        "GPSLatitudeRef", "GPSLongitude", "GPSLongitudeRef", "GPSAltitude", "GPSAltitudeRef",
        "GPSHPositioningError", "GPSDestBearing", "GPSDestBearingRef", "GPSMapDatum",
        "GPSProcessingMethod", "GPSAreaInformation", "GPSSatellites", "GPSStatus",
        "GPSMeasureMode", "GPSDOP", "GPSTimeStamp", "GPSDateStamp", "Rating", "RatingPercent",
        "Subject", "Keywords",
        "HierarchicalSubject", "Title", "ObjectName", "Description", "Caption-Abstract",
        "ImageDescription", "Label", "XPKeywords", "XPTitle", "XPComment", "XPSubject",
        "CurrentIPTCDigest", "IPTCDigest", "CodedCharacterSet", "XMPToolkit", "ThumbnailOffset",
        "MPImageStart", "MPImageLength",
    ]

    /// Whether a tag, given with its group, must stay unchanged.
    static func isOther(_ tag: String) -> Bool {
        let name = tag.split(separator: ":").last.map(String.init) ?? tag
        return !groups.contains { tag.hasPrefix($0) } && !changed.contains(name)
    }
}
