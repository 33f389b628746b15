// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

/// XMP and EXIF that are crafted to be slow, or to point outside the file.
@Suite("hostile text") struct HostileTextTests {
    /// Four megabytes of repeated text.
    private static func repeated(_ text: String, _ around: (String, String) = ("", "")) -> [UInt8] {
        let unit = Array(text.utf8)
        let count = ((4 << 20) - around.0.utf8.count - around.1.utf8.count) / unit.count
        var bytes = Array(around.0.utf8)
        bytes.reserveCapacity(4 << 20)
        for _ in 0..<count { bytes += unit }
        return bytes + Array(around.1.utf8)
    }

    @Test(
        "parsing a long sidecar takes linear time for any repeated content",
        arguments: [
            "<dc:title>", "<dc:title></dc:title>", "<dc:title ", "<dc:title/>", " dc:title=\"",
            " dc:title='' dc:title=\"", "<dc:title><rdf:li/>", "<rdf:li>", "&#x41", "<",
            "dc:title ",
            " xmp:Rating='", "<dc:subject><rdf:li>",
        ])
    func long(_ text: String) throws {
        let picture = try TestFile(try PictureFacts.picture())
        for around in [("", ""), ("<dc:title>", "</dc:title>"), ("<dc:description a=\"", "\"/>")] {
            let sidecar = try TestFile(Self.repeated(text, around))
            var used = 0.0
            let facts = try PictureFacts.of(picture, sidecars: [sidecar], used: { used = $0 })
            #expect(facts.pixelWidth == 64)
            #expect((facts.metadata?.title ?? "").utf8.count <= 256)
            #expect(used < 5, "\(text) between \(around): \(used) s")
        }
    }

    @Test("100 MB of XMP are not read, in a picture or a sidecar")
    func huge() throws {
        let packet = Array(
            PictureFacts.packet(
                "<dc:title>far</dc:title>" + String(repeating: " ", count: 100 << 20)
            ).utf8)
        let tool = try ExifTool()
        let path = try tool.file(packet, "packet")
        let file = try tool.tagging(
            try PictureFacts.picture("jxl"), "jxl", ["-EXIF:Make=Maker", "-XMP<=\(path)"])
        #expect(file.bytes.count > 100 << 20)
        var used = 0.0
        let facts = try PictureFacts.of(
            file, sidecars: [try TestFile(packet)], used: { used = $0 })
        #expect(facts.pixelWidth == 64 && facts.metadata?.cameraMake == "Maker")
        #expect(facts.metadata?.title == nil)
        #expect(used < 5, "\(used) s")
    }

    @Test("declared entities are not expanded")
    func laughs() throws {
        let declared = (1...9).map { level in
            let parts = String(repeating: "&l\(level - 1);", count: 10)
            return "<!ENTITY l\(level) \"\(parts)\">"
        }
        let packet =
            "<!DOCTYPE x [<!ENTITY l0 \"lol\"><!ENTITY f SYSTEM \"file:///etc/passwd\">\(declared.joined())]>"
            + PictureFacts.packet(
                "<dc:title>&l9;</dc:title><dc:description>&f; &amp;</dc:description>")
        let facts = try PictureFacts.of(
            try TestFile(try PictureFacts.picture()), sidecars: [try TestFile(Array(packet.utf8))])
        #expect(facts.metadata?.title == "&l9;")
        #expect(facts.metadata?.descriptionText == "&f; &")
    }

    // MARK: - EXIF

    private static func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
        FileNumber.little(tag, 2) + FileNumber.little(type, 2) + FileNumber.little(count, 4)
            + FileNumber.little(value, 4)
    }

    private func facts(_ entries: [[UInt8]], _ values: [UInt8] = []) throws -> PhotoFacts {
        let block =
            Array("Exif\0\0II*\0".utf8) + FileNumber.little(8, 4)
            + FileNumber.little(entries.count, 2) + entries.flatMap(\.self)
            + FileNumber.little(8, 4) + values
        let plain = try PictureFacts.picture()
        let segment = [0xFF, 0xE1] + FileNumber.big(block.count + 2, 2) + block
        return try PictureFacts.of(
            try TestFile(Array(plain.prefix(2)) + segment + plain.dropFirst(2)))
    }

    @Test(
        "overlapping, cyclic and out-of-file entries are read as far as possible"
    )
    func entries() throws {
        let values = 8 + 2 + 12 * 10 + 4
        let facts = try facts(
            [
                // A text that overlaps the directory, from the entry count on.
                Self.entry(0x010E, 2, 60, 8), Self.entry(0x010F, 2, 6, values),
                // The model shares the bytes of the make.
                Self.entry(0x0110, 2, 6, values),
                Self.entry(0x829A, 5, 1, 0xFFFF_FFF0), Self.entry(0x8769, 4, 1, 8),
                Self.entry(0x8825, 4, 1, 8 + 2), Self.entry(0x927C, 7, 5000, 0x7FFF_FFFF),
                Self.entry(0x9286, 7, 0xFFFF_FFFF, 8), Self.entry(0x9C9B, 1, 7, values),
                Self.entry(0x9C9C, 1, 1, 0x41),
            ], Array("Maker\0".utf8) + [0x41])
        #expect(facts.pixelWidth == 64)
        #expect(facts.metadata?.cameraMake == "Maker" && facts.metadata?.cameraModel == "Maker")
        #expect(facts.metadata?.exposureTime == nil && facts.metadata?.contentIdentifier == nil)
        // Six of the seven bytes are three UTF-16 units. A single byte is not a text.
        #expect(facts.metadata?.title == "慍敫r")
        #expect(facts.metadata?.descriptionText == nil)
        #expect(facts.mediaSubtypes == [])
    }

    @Test("EXIF 3.0 text of type UTF-8 is read")
    func utf8() throws {
        let text = Array("Höhe\0".utf8)
        let facts = try facts([Self.entry(0x010E, 129, text.count, 8 + 2 + 12 + 4)], text)
        #expect(facts.metadata?.descriptionText == "Höhe")
    }

    @Test("a maker note with out-of-range values is ignored")
    func note() throws {
        let note = AppleNoteFile.bytes([
            (0x000A, .raw(type: 9, count: 2, offset: 0x7FFF_FFFF)),
            (0x000B, .raw(type: 2, count: 37, offset: 0xFFFF_FFF0)),
            (0x0011, .raw(type: 2, count: 0xFFFF_FFFF, offset: 8)),
        ])
        let facts = try facts(
            [Self.entry(0x927C, 7, note.count, 8 + 2 + 12 + 4)], note)
        #expect(facts.metadata?.contentIdentifier == nil && facts.mediaSubtypes == [])
    }
}
