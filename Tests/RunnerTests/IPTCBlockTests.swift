// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// IPTC in several places, and more keywords than a library stores.
@Suite("IPTC blocks")
struct IPTCBlockTests {
    private static func record(_ record: UInt8, _ dataset: UInt8, _ value: [UInt8]) -> [UInt8] {
        [0x1C, record, dataset, UInt8(value.count >> 8), UInt8(value.count & 0xFF)] + value
    }

    private static func resource(_ records: [UInt8]) -> [UInt8] {
        Array("8BIM\u{4}\u{4}\0\0".utf8)
            + [24, 16, 8, 0].map { UInt8(records.count >> $0 & 0xFF) } + records
    }

    private static func segment(_ resources: [UInt8]) -> [UInt8] {
        let contents = Array("Photoshop 3.0\0".utf8) + resources
        let length = contents.count + 2
        return [0xFF, 0xED, UInt8(length >> 8), UInt8(length & 0xFF)] + contents
    }

    private static func jpeg(_ segments: [UInt8]...) throws -> TestFile {
        let plain = try TestPicture.image(width: 64, height: 48).encoded(
            saver: "jpegsave_buffer", options: ["strip": true])
        return try TestFile(Array(plain[..<2]) + segments.joined() + plain[2...])
    }

    private static func words(_ words: String...) -> [UInt8] {
        words.flatMap { record(2, 25, Array($0.utf8)) }
    }

    private static func rewritten(
        _ file: TestFile, _ changes: MetadataChanges
    ) throws -> (tags: [String: String], file: TestFile) {
        let output = try TestFile()
        var settings = EncodeSettings(format: .jpeg)
        settings.keepsPixels = true
        settings.metadataChanges = changes
        let job = RenderJob(input: RenderInput(base: .encoded(.jpeg)), output: .encoded(settings))
        let reply = try TestRunner().request(
            .run(job), [(.base, file.number), (.output, output.number)])
        guard case .rendered = reply else { throw unexpected(reply) }
        return (try ExifTool().read(output), output)
    }

    /// The items of XMP lists. ExifTool reads at most a thousand items of a list.
    private static func items(_ file: TestFile) -> Set<String> {
        let parts = String(decoding: file.bytes, as: UTF8.self).components(separatedBy: "<rdf:li>")
        return Set(parts.dropFirst().map { $0.components(separatedBy: "<")[0] })
    }

    @Test("the date of digitisation with its time is used if there is no other")
    func digitized() throws {
        let day = Self.record(2, 62, Array("20010203".utf8))
        let time = Self.record(2, 63, Array("040506+0100".utf8))
        let facts = try PictureFacts.of(try Self.jpeg(Self.segment(Self.resource(day + time))))
        #expect(facts.creationDate?.text == "2001-02-03T04:05:06+01:00")
        let created = Self.record(2, 55, Array("19991231".utf8))
        let both = try Self.jpeg(Self.segment(Self.resource(created + day + time)))
        #expect(try PictureFacts.of(both).creationDate?.text == "1999-12-31")
    }

    @Test("records after a value over 32 kB are read, and kept when locations are removed")
    func longValues() throws {
        let long: [UInt8] =
            [0x1C, 2, 120, 0x80, 4, 0, 0, 0x90, 0]
            + [UInt8](repeating: UInt8(ascii: "x"), count: 0x9000)
        let date = Self.record(2, 55, Array("20010203".utf8))
        let city = Self.record(2, 90, Array("Reykjavik".utf8))
        let file = try Self.jpeg(
            Self.segment(Self.resource(long + city + date + Self.words("sea"))))
        let facts = try PictureFacts.of(file)
        #expect(facts.creationDate?.text == "2001-02-03" && facts.metadata?.keywords == ["sea"])
        let tags = try MetadataChangesTests.encode(file, .jpeg, MetadataChanges(), .location).tags
        #expect(tags["IPTC:City"] == nil && tags["IPTC:Keywords"] == "sea")
        #expect(tags["IPTC:DateCreated"] == "2001:02:03")
    }

    @Test("texts use the declared character set, otherwise UTF-8 or windows-1252")
    func characterSets() throws {
        // The euro sign is 0x80 in windows-1252. An umlaut in UTF-8 is the two bytes C3 A4.
        let utf8Letter: [UInt8] = [0xC3, 0xA4]
        let sets: [(name: [UInt8], value: [UInt8], text: String)] = [
            ([], [0x80, 0x35], "\u{20AC}5"), ([], utf8Letter, "\u{E4}"),
            ([0x1B, 0x25, 0x47], utf8Letter, "\u{E4}"),
            ([0x1B, 0x2E, 0x41], utf8Letter, "\u{C3}\u{A4}"),
            ([0x1B, 0x25, 0x47], [0x93, 0x61, 0x94], "\u{201C}a\u{201D}"),
        ]
        for (name, value, text) in sets {
            let mark = name.isEmpty ? [] : Self.record(1, 90, name)
            let file = try Self.jpeg(
                Self.segment(Self.resource(mark + Self.record(2, 5, value) + Self.words("sea"))))
            #expect(try PictureFacts.of(file).metadata?.title == text)
            // Changing a value converts all values to UTF-8 without changing their text.
            var changes = MetadataChanges()
            changes.keywords = ["\u{D8}re"]
            let tags = try Self.rewritten(file, changes).tags
            #expect(tags["IPTC:Keywords"] == "\u{D8}re")
            if name != [0x1B, 0x25, 0x47] { #expect(tags["IPTC:ObjectName"] == text, "\(name)") }
        }
    }

    @Test("two blocks of a JPEG are read, and written as one")
    func several() throws {
        let latin: [UInt8] = [0x42, 0xE4, 0x72]
        let utf8 = Self.record(1, 90, [0x1B, 0x25, 0x47])
        // The lengths of both are odd. The padding byte of the second is missing.
        let first =
            Self.words("sea") + Self.record(2, 105, latin)
            + Self.record(2, 80, Array("Jo".utf8))
        let second = utf8 + Self.words("b\u{E4}r", "sea") + Self.record(2, 5, Array("Title".utf8))
        #expect(first.count % 2 == 1 && second.count % 2 == 1)
        for file in [
            try Self.jpeg(Self.segment(Self.resource(first)), Self.segment(Self.resource(second))),
            try Self.jpeg(
                Self.segment(
                    Self.resource(first) + [UInt8](repeating: 0, count: first.count % 2)
                        + Self.resource(second))),
        ] {
            let (tags, facts, _) = try MetadataChangesTests.encode(
                file, .jpeg, MetadataChanges())
            #expect(facts.metadata?.keywords == ["sea", "b\u{E4}r"])
            #expect(facts.metadata?.title == "Title")
            #expect(tags["IPTC:Keywords"] == "sea, b\u{E4}r")
            #expect(tags["IPTC:Headline"] == "B\u{E4}r" && tags["IPTC:ObjectName"] == "Title")
            var changes = MetadataChanges()
            changes.title = .set("Another")
            let changed = try Self.rewritten(file, changes).tags
            #expect(changed["IPTC:Keywords"] == "sea, b\u{E4}r")
            #expect(changed["IPTC:Headline"] == "B\u{E4}r")
            #expect(changed["IPTC:ObjectName"] == "Another")
            #expect(changed["ExifTool:Warning"] == nil)
        }
    }

    @Test("keywords beyond the first thousand and overlong ones survive a change")
    func many() throws {
        let words = (0..<1300).map { "word \($0)" }
        let long = String(repeating: "l", count: 300)
        let records = ([long] + words).flatMap { Self.record(2, 25, Array($0.utf8)) }
        let file = try Self.jpeg(Self.segment(Self.resource(records)))
        // A library has the first thousand entries, except the overlong one.
        var changes = MetadataChanges()
        changes.keywords = ["new"] + words[5..<999]
        let encoded = try MetadataChangesTests.encode(file, .jpeg, changes)
        for (tags, file) in [
            try Self.rewritten(file, changes), (encoded.tags, encoded.file),
        ] {
            let found = Set((tags["IPTC:Keywords"] ?? "").components(separatedBy: ", "))
            #expect(found == Set(["new", long] + words[5...]))
            #expect(Self.items(file) == found)
        }
    }

    @Test("XMP keywords beyond the first thousand and the rest of the packet survive a change")
    func manyOfXMP() throws {
        let words = (0..<1300).map { "word \($0)" }
        let original = try MetadataChangesTests.original(
            [
                "-sep", "|", "-XMP-dc:Subject=\(words.joined(separator: "|"))",
                "-XMP-dc:Creator=An artist",
            ])
        var changes = MetadataChanges()
        changes.keywords = ["new"] + words[5..<1000]
        let (tags, file) = try Self.rewritten(original, changes)
        #expect(Self.items(file) == Set(["new", "An artist"] + words[5...]))
        #expect(tags["XMP-dc:Creator"] == "An artist")
    }
}
