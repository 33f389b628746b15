// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// Changes to inconsistent metadata.
@Suite("changes to hostile metadata")
struct HostileChangesTests {
    private static func block(_ bytes: [UInt8]) throws -> Range<Int> {
        let mark = try #require(bytes.firstRange(of: Array("Exif\0\0".utf8)))
        let length = Int(bytes[mark.lowerBound - 2]) << 8 | Int(bytes[mark.lowerBound - 1])
        return mark.upperBound..<mark.lowerBound - 2 + length
    }

    private func encode(
        _ runner: TestRunner, _ bytes: [UInt8], _ settings: EncodeSettings
    ) throws -> TestFile {
        let (base, file) = (try TestFile(bytes), try TestFile())
        let job = RenderJob(
            input: RenderInput(base: .encoded(.unknown)), output: .encoded(settings))
        let reply = try withExtendedLifetime(base) {
            try runner.request(
                .run(job),
                [(.base, base.number), (.metadataSource, base.number), (.output, file.number)])
        }
        guard case .rendered = reply else { throw unexpected(reply) }
        return file
    }

    private func facts(_ runner: TestRunner, _ file: TestFile) throws -> PhotoFacts {
        let copy = try TestFile(file.bytes)
        let job = RenderJob(input: RenderInput(base: .encoded(.unknown)), output: .facts)
        let reply = try withExtendedLifetime(copy) {
            try runner.request(.run(job), [(.base, copy.number)])
        }
        guard case .rendered(let report) = reply, let facts = report.facts else {
            throw unexpected(reply)
        }
        return facts
    }

    @Test("the new date and location are read back from any inconsistent EXIF block")
    func random() throws {
        let original = try MetadataChangesTests.original(MetadataChangesTests.texts).bytes
        let range = try Self.block(original)
        var random = SeededGenerator(seed: TestSeed.seed())
        let runner = try TestRunner()
        var settings = EncodeSettings(format: .jpeg)
        settings.metadataChanges = try MetadataChangesTests.changes()
        for round in 0..<200 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: range, using: &random)
                bytes[place] =
                    Bool.random(using: &random)
                    ? [0, 8, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
                    : UInt8.random(in: 0...255, using: &random)
            }
            settings.format = [MediaFormat.jpeg, .png, .tiff, .webp][round % 4]
            let found = try facts(runner, try encode(runner, bytes, settings))
            #expect(found.creationDate?.text == "2016-10-09T14:44:18.445+02:00")
            #expect(found.location.map { abs($0.latitude + 37.788975) < 1e-8 } == true)
            #expect(found.metadata?.rating == 4)
        }
    }

    @Test("cyclic directories cause no endless loop")
    func circles() throws {
        let original = try MetadataChangesTests.original(MetadataChangesTests.texts).bytes
        let start = try Self.block(original).lowerBound
        let runner = try TestRunner()
        for tag in [[0x87, 0x69], [0x88, 0x25]] as [[UInt8]] {
            var bytes = original
            let isBig = bytes[start] == 0x4D
            let entry = try #require(
                bytes.firstRange(of: isBig ? tag + [0, 4] : tag.reversed() + [4, 0]))
            // The offset of the first directory.
            bytes.replaceSubrange(
                entry.upperBound + 4..<entry.upperBound + 8,
                with: isBig ? [0, 0, 0, 8] : [8, 0, 0, 0])
            var settings = EncodeSettings(format: .jpeg)
            settings.metadataChanges = try MetadataChangesTests.changes()
            let found = try facts(runner, try encode(runner, bytes, settings))
            #expect(found.creationDate?.text == "2016-10-09T14:44:18.445+02:00")
            #expect(found.location.map { abs($0.longitude - 175.2995) < 1e-8 } == true)
        }
    }

    @Test("16 MB of XMP are changed within seconds or dropped")
    func large() throws {
        let runner = try TestRunner()
        let picture = try TestPicture.image(width: 8, height: 8)
        let parts = [
            ("a", 16), ("<a b='c'>d</a>", 16), ("<xmp:a>", 1), ("<!-- a -->", 1),
            ("<a xmlns:a='b'></a>", 1),
        ]
        for (part, megabytes) in parts {
            let body = String(repeating: part, count: (megabytes << 20) / part.utf8.count)
            let packet =
                "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
                + "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
                + "<rdf:Description rdf:about=''>\(body)</rdf:Description></rdf:RDF></x:xmpmeta>"
            let bytes = try picture.copying { $0.set("xmp-data", to: Array(packet.utf8)) }
                .encoded(saver: "pngsave_buffer")
            var settings = EncodeSettings(format: .png)
            settings.metadataChanges = try MetadataChangesTests.changes()
            let before = runner.processorTime
            let file = try encode(runner, bytes, settings)
            #expect(runner.processorTime - before < 60, "\(part)")
            #expect(try facts(runner, file).metadata?.rating == 4, "\(part)")
        }
    }
}
