// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import TestSupport
import Testing

/// Maker notes in EXIF that is written again at another offset, as in TIFF files. ExifTool reads the results.
@Suite("maker notes at another offset")
struct MovedMakerNoteTests {
    /// Serialises directories in either byte order.
    private struct Writer {
        struct Entry {
            let tag: Int
            let type: Int
            let count: Int
            /// The offset of the value, `nil` if it is stored after the directory.
            var offset: Int?
            var value: [UInt8] = []
        }

        let isBigEndian: Bool

        func word(_ number: Int, _ count: Int) -> [UInt8] {
            isBigEndian ? FileNumber.big(number, count) : FileNumber.little(number, count)
        }

        func directory(_ entries: [Entry], at place: Int) -> [UInt8] {
            let end = place + 2 + 12 * entries.count + 4
            var values: [UInt8] = []
            var bytes = word(entries.count, 2)
            for entry in entries {
                bytes += word(entry.tag, 2) + word(entry.type, 2) + word(entry.count, 4)
                bytes += word(entry.offset ?? end + values.count, 4)
                values += entry.value
            }
            return bytes + word(0, 4) + values
        }

        func mark() -> [UInt8] { Array((isBigEndian ? "MM\0*" : "II*\0").utf8) }
    }

    /// A JPEG file whose EXIF block contains a maker note.
    ///
    /// - Parameter note: The bytes of the note at an offset.
    private static func original(
        _ make: String, bigEndian: Bool, _ note: (Int) -> [UInt8]
    ) throws -> TestFile {
        let writer = Writer(isBigEndian: bigEndian)
        var make = Array(make.utf8) + [0]
        if make.count % 2 == 1 { make.append(0) }
        let exif = 8 + 30 + make.count
        let bytes = note(exif + 18)
        let block =
            writer.mark() + writer.word(8, 4)
            + writer.directory(
                [
                    .init(tag: 0x010F, type: 2, count: make.count, value: make),
                    .init(tag: 0x8769, type: 4, count: 1, offset: exif),
                ], at: 8)
            + writer.directory(
                [.init(tag: 0x927C, type: 7, count: bytes.count, value: bytes)], at: exif)
        return try OtherMetadataTests.jpeg([
            OtherMetadataTests.segment(0xE1, Array("Exif\0\0".utf8) + block)
        ])
    }

    /// Copies a picture to TIFF, back to JPEG, and to TIFF again, and checks tags of each copy.
    private static func expect(_ expected: [String: String], in original: TestFile) throws {
        var file = original
        for format in [MediaFormat.tiff, .jpeg, .tiff] {
            let encoded = try OtherMetadataTests.encode(file, OtherMetadataTests.settings(format))
            #expect(encoded.omissions.isEmpty, "\(encoded.omissions)")
            for (tag, value) in expected { #expect(encoded.tags[tag] == value, "\(encoded.tags)") }
            #expect(encoded.tags["ExifTool:Warning"] == nil)
            file = encoded.file
        }
    }

    /// A Canon maker note, whose offsets are relative to the start of the block.
    struct Canon: Sendable {
        var isBlockBigEndian = false
        var isBigEndian = false
        /// Whether the note ends with its offset.
        var hasFooter = false
        /// The difference of the offsets from those of the note's place, left by a program that moved it.
        var shift = 0
        /// Whether there is a value outside the note.
        var hasOutsideValue = false

        fileprivate func note(at place: Int) -> [UInt8] {
            let writer = Writer(isBigEndian: isBigEndian)
            let (text, owner) = (Array("IMG:TEST JPEG\0".utf8), Array("Ann Owner\0".utf8))
            var entries: [Writer.Entry] = [
                .init(tag: 0x0006, type: 2, count: text.count, value: text),
                .init(tag: 0x0009, type: 2, count: owner.count, value: owner),
            ]
            if hasOutsideValue {
                entries.append(.init(tag: 0x4FFF, type: 7, count: 64, offset: place + 0x8000))
            }
            return writer.directory(entries, at: place + shift)
                + (hasFooter ? writer.mark() + writer.word(place + shift, 4) : [])
        }
    }

    private static let canons: [Canon] =
        [false, true].flatMap { block in
            [false, true].flatMap { note in
                [false, true].map {
                    Canon(isBlockBigEndian: block, isBigEndian: note, hasFooter: $0)
                }
            }
        }
        + [false, true].flatMap { note in
            [
                Canon(isBigEndian: note, shift: 1000),
                Canon(isBigEndian: note, hasFooter: true, shift: 1000),
                Canon(isBigEndian: note, hasOutsideValue: true),
            ]
        }

    @Test(
        "offsets relative to the block are updated, in either byte order of note and block",
        arguments: canons)
    func blockOffsets(_ canon: Canon) throws {
        let original = try Self.original(
            "Canon", bigEndian: canon.isBlockBigEndian, canon.note)
        try Self.expect(
            ["Canon:CanonImageType": "IMG:TEST JPEG", "Canon:OwnerName": "Ann Owner"], in: original)
    }

    @Test(
        "offsets in directories that are stored as bytes are updated",
        arguments: [false, true], [false, true])
    func nestedOffsets(bigEndian: Bool, isRicoh: Bool) throws {
        let date = Array("2004:01:02 03:04:05\0".utf8)
        let (make, signature, lead, tag, tagBelow) =
            isRicoh
            ? ("RICOH", "Ricoh\0\0\0", Array("[Ricoh Camera Info]\0".utf8), 0x2001, 0x0004)
            : ("OLYMPUS", "OLYMP\0\u{1}\0", [], 0x2010, 0x0101)
        // Ricoh's are big-endian.
        let writer = Writer(isBigEndian: isRicoh || bigEndian)
        let original = try Self.original(make, bigEndian: bigEndian) { place in
            let start = place + 8
            let below =
                lead
                + writer.directory(
                    [.init(tag: tagBelow, type: 2, count: date.count, value: date)],
                    at: start + 18 + lead.count)
            return Array(signature.utf8)
                + writer.directory(
                    [.init(tag: tag, type: 7, count: below.count, value: below)], at: start)
        }
        let name = isRicoh ? "Ricoh:ManufactureDate1" : "Olympus:SerialNumber"
        try Self.expect([name: "2004:01:02 03:04:05"], in: original)
    }

    @Test("notes without a directory are kept", arguments: [false, true])
    func otherNotes(bigEndian: Bool) throws {
        let text = try Self.original("Victor", bigEndian: bigEndian) { _ in
            Array("VER:0100QTY:FINE".utf8)
        }
        try Self.expect(["JVC:MakerNoteVersion": "0100", "JVC:Quality": "FINE"], in: text)
        let binary = try Self.original("Hewlett-Packard", bigEndian: bigEndian) { _ in
            let start = Array("IIII\u{4}".utf8) + [UInt8](repeating: 0, count: 15)
            return start + Array("2004:01:02 03:04:05\0".utf8) + [UInt8](repeating: 0, count: 90)
        }
        try Self.expect(["HP:CameraDateTime": "2004:01:02 03:04:05"], in: binary)
    }

    @Test("the interoperability directory is kept in TIFF and back")
    func interoperability() throws {
        let original = try MetadataChangesTests.original([
            "-EXIF:InteropIndex=R98", "-EXIF:RelatedImageWidth=640", "-EXIF:ColorSpace=1",
        ])
        try Self.expect(
            ["InteropIFD:InteropIndex": "R98", "InteropIFD:RelatedImageWidth": "640"],
            in: original)
    }
}
