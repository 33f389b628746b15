// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// IPTC that lies in several places, and more keywords than a library has.
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
        let reply = try TestRunner().ask(
            .run(job), [(.base, file.number), (.output, output.number)])
        guard case .rendered = reply else { throw unexpected(reply) }
        return (try ExifTool().read(output), output)
    }

    /// The items of lists in XMP. ExifTool reads a thousand of one.
    private static func items(_ file: TestFile) -> Set<String> {
        let parts = String(decoding: file.bytes, as: UTF8.self).components(separatedBy: "<rdf:li>")
        return Set(parts.dropFirst().map { $0.components(separatedBy: "<")[0] })
    }

    @Test("Two blocks of a JPEG are read, and written as one")
    func several() throws {
        let latin: [UInt8] = [0x42, 0xE4, 0x72]
        let utf8 = Self.record(1, 90, [0x1B, 0x25, 0x47])
        // The length of the first is odd, and what makes it even is missing.
        let first = Self.words("sea") + Self.record(2, 105, latin)
        let second = utf8 + Self.words("b\u{E4}r", "sea") + Self.record(2, 5, Array("Title".utf8))
        #expect(first.count % 2 == 0 || second.count % 2 == 1)
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

    @Test("Keywords behind the first thousand stay when others change, and so do too long ones")
    func many() throws {
        let words = (0..<1300).map { "word \($0)" }
        let long = String(repeating: "l", count: 300)
        let records = ([long] + words).flatMap { Self.record(2, 25, Array($0.utf8)) }
        let file = try Self.jpeg(Self.segment(Self.resource(records)))
        // Those that a library has: the first thousand places, of which the long one is none.
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

    @Test("Keywords of XMP behind the first thousand stay, and so does the rest of the packet")
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
