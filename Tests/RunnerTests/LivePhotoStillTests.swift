// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// Stills that get the content identifier that pairs them with their video.
@Suite("Live Photo stills")
struct LivePhotoStillTests {
    private static let identifier = "0A2B3C4D-0000-4111-8222-0123456789AB"
    private static let other = "FFFFFFFF-0000-4111-8222-0123456789AB"

    private static func original(
        _ tags: [String] = [], note: [UInt8]? = nil, of maker: String = "Apple"
    ) throws -> [UInt8] {
        let tool = try ExifTool()
        let place = [
            "-GPS:GPSLatitude=50", "-GPS:GPSLatitudeRef=N", "-GPS:GPSLongitude=8",
            "-GPS:GPSLongitudeRef=E",
        ]
        var tags = ["-EXIF:FNumber=2.8", "-XMP-dc:Title=A title"] + place + tags
        if let note {
            tags += ["-EXIF:Make=\(maker)", "-MakerNote\(maker)<=\(try tool.file(note, "note"))"]
        }
        return try tool.tagging(try PictureFacts.picture(), "jpg", tags).bytes
    }

    private static func expect(
        _ bytes: [UInt8], _ identifier: String?, like original: [UInt8],
        _ location: SourceLocation = #_sourceLocation
    ) throws -> [String: String] {
        let tool = try ExifTool()
        let (before, after) = (
            try tool.read(try TestFile(original)), try tool.read(try TestFile(bytes))
        )
        let found = after["Apple:ContentIdentifier"] ?? after["Apple:MediaGroupUUID"]
        #expect(found == identifier, sourceLocation: location)
        let facts = try PictureFacts.of(try TestFile(bytes))
        #expect(facts.metadata?.contentIdentifier == identifier, sourceLocation: location)
        #expect(facts.mediaSubtypes.contains(.photoLive) == (identifier != nil))
        let names = [
            "ContentIdentifier", "MediaGroupUUID", "ExifVersion", "MediaDataOffset",
            "MediaDataSize",
        ]
        for (tag, value) in before
        where MetadataComparison.isOther(tag) && !names.contains(where: tag.hasSuffix) {
            #expect(after[tag] == value, "\(tag)", sourceLocation: location)
        }
        #expect(
            !after.keys.contains { $0.hasSuffix(":Warning") }, "\(after)", sourceLocation: location)
        return after
    }

    /// A note with only the identifier.
    private static let shortest = AppleNoteFile.bytes([(0x0011, .text(identifier))])

    @Test("a still without a maker note gets one of 69 bytes")
    func added() throws {
        for original in [try Self.original(), try PictureFacts.picture()] {
            let file = try MotionPhotoFile.rewritten(original, .identified(Self.identifier))
            _ = try Self.expect(file, Self.identifier, like: original)
            let note = try ExifTool().extract("MakerNoteApple", from: try TestFile(file))
            // ExifTool pads the note to an even length.
            #expect(Array(note.prefix(69)) == Self.shortest && note.count <= 70)
            #expect(file.firstRange(of: Self.shortest) != nil && Self.shortest.count == 69)
            #expect(try TestFile(file).image().pixels() == TestFile(original).image().pixels())
        }
    }

    @Test("an identifier of equal length is replaced in place")
    func replaced() throws {
        let note = AppleNoteFile.bytes([
            (0x0001, .signed(14)), (0x000A, .signed(3)), (0x000B, .text("a-burst")),
            (0x0011, .text(Self.other)), (0x0017, .signed(5)),
        ])
        let original = try Self.original(note: note)
        let file = try MotionPhotoFile.rewritten(original, .identified(Self.identifier))
        #expect(file.count == original.count)
        #expect(zip(file, original).count { $0 != $1 } <= 36)
        let tags = try Self.expect(file, Self.identifier, like: original)
        #expect(tags["Apple:BurstUUID"] == "a-burst")
        // Setting the identifier is idempotent.
        #expect(try MotionPhotoFile.rewritten(file, .identified(Self.identifier)) == file)
    }

    @Test("a longer or new identifier keeps the rest of Apple's maker note")
    func grown() throws {
        let tags: [(Int, AppleNoteFile.Value)] = [
            (0x0001, .signed(14)), (0x000B, .text("a-burst")), (0x0015, .text("an-image")),
        ]
        let long = String(repeating: "identifier", count: 9)
        for (note, identifier) in [
            (tags, Self.identifier), (tags, "abc"), (tags, long), ([], Self.identifier),
            ([(0x0011, .text("short"))] + tags[2...], long),
            ([(0x0011, .text("abc"))] + tags[2...], Self.identifier),
            ([(0x0011, .signed(3))], Self.identifier),
        ] {
            let original = try Self.original(note: AppleNoteFile.bytes(note))
            let file = try MotionPhotoFile.rewritten(original, .identified(identifier))
            let found = try Self.expect(file, identifier, like: original)
            if note.count == tags.count { #expect(found["Apple:BurstUUID"] == "a-burst") }
            if note.count > 1 { #expect(found["Apple:ImageUniqueID"] == "an-image") }
        }
    }

    @Test("the identifier can be removed")
    func removed() throws {
        let original = try Self.original(
            note: AppleNoteFile.bytes([
                (0x000B, .text("a-burst")), (0x0011, .text(Self.other)),
                (0x0015, .text("an-image")),
            ]))
        var changes = MetadataChanges()
        changes.contentIdentifier = .remove
        let file = try MotionPhotoFile.rewritten(original, changes)
        let tags = try Self.expect(file, nil, like: original)
        #expect(tags["Apple:BurstUUID"] == "a-burst" && tags["Apple:ImageUniqueID"] == "an-image")
        #expect(file.firstRange(of: Array(Self.other.utf8)) == nil)
        // Without an identifier, nothing changes.
        #expect(try MotionPhotoFile.rewritten(file, changes) == file)
    }

    @Test("stills of Apple and other cameras get an identifier", .corpus)
    func corpus() throws {
        let still = try TestFile(path: try Corpus.path("live/IMG_0728.JPG")).bytes
        let file = try MotionPhotoFile.rewritten(still, .identified(Self.identifier))
        #expect(file.count == still.count)
        _ = try Self.expect(file, Self.identifier, like: still)
        // Rotated pictures keep their orientation.
        var count = 0
        for row in try Corpus.photos() where row["format"] == "JPEG" {
            let original = try TestFile(path: try Corpus.path(try #require(row["path"])))
            let (reply, file) = try MotionPhotoFile.rewrite(
                original.bytes, .identified(Self.identifier))
            switch reply {
            case .rendered:
                let tags = try ExifTool().read(try TestFile(file))
                #expect(
                    tags["Apple:ContentIdentifier"] ?? tags["Apple:MediaGroupUUID"]
                        == Self.identifier)
                let before = try ExifTool().read(original)
                #expect(tags["IFD0:Orientation"] ?? "1" == before["IFD0:Orientation"] ?? "1")
                count += 1
            case .failed(let failure):
                #expect(
                    [.otherMakerNote, .badInput].contains(failure.code), "\(row["path"] ?? "")")
            default: throw unexpected(reply)
            }
        }
        #expect(count > 5)
    }

    @Test("HEIC gets it in Apple's maker note, or its EXIF moves to the end", .corpus)
    func heic() throws {
        let original = try TestFile(path: try Corpus.path("cameras/IMG_7943.HEIC"))
        let same = try MotionPhotoFile.rewritten(
            original.bytes, .identified(Self.identifier), .heic)
        #expect(same.count == original.bytes.count)
        #expect(zip(same, original.bytes).count { $0 != $1 } <= 36)
        _ = try Self.expect(same, Self.identifier, like: original.bytes)
        let tagged = try ExifTool().tagging(
            try PictureFacts.picture("heic"), "heic",
            ["-EXIF:FNumber=2.8", "-XMP-dc:Title=A title"]
        ).bytes
        for bytes in [original.bytes, tagged] {
            let identifier = bytes == tagged ? Self.identifier : String(repeating: "x", count: 99)
            let file = try MotionPhotoFile.rewritten(bytes, .identified(identifier), .heic)
            #expect(file.count > bytes.count)
            _ = try Self.expect(file, identifier, like: bytes)
            #expect(try TestFile(file).image().pixels() == TestFile(bytes).image().pixels())
        }
        // Without EXIF, no item can hold the identifier.
        let plain = try TestPicture.image(width: 64, height: 48)
            .encoded(saver: "heifsave_buffer", options: ["strip": true])
        let (reply, _) = try MotionPhotoFile.rewrite(plain, .identified(Self.identifier), .heic)
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        #expect(failure.code == .badInput)
    }

    @Test("another maker's note is not dropped without a request")
    func otherNote() throws {
        for (note, maker) in [
            (Array("Nikon\0\u{2}\u{11}\0\0MM\0*".utf8) + [UInt8](repeating: 0, count: 40), "Nikon"),
            // Apple's signature before an invalid directory.
            (Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8) + [0xFF, 0xFF], "Apple"),
        ] {
            let original = try Self.original(note: note, of: maker)
            var changes = MetadataChanges.identified(Self.identifier)
            let (reply, _) = try MotionPhotoFile.rewrite(original, changes)
            guard case .failed(let failure) = reply else { throw unexpected(reply) }
            #expect(failure.code == .otherMakerNote)
            changes.replacesMakerNote = true
            let file = try MotionPhotoFile.rewritten(original, changes)
            let facts = try PictureFacts.of(try TestFile(file))
            #expect(facts.metadata?.contentIdentifier == Self.identifier)
        }
    }

    @Test("an unreadable identifier is rejected")
    func refused() throws {
        let original = try PictureFacts.picture()
        for text in ["", " a", "a\n", "ä", String(repeating: "x", count: 257)] {
            let (reply, _) = try MotionPhotoFile.rewrite(original, .identified(text))
            guard case .failed(let failure) = reply else { throw unexpected(reply) }
            #expect(failure.code == .badRequest, "\(text)")
        }
    }

    @Test("a still gets both changes, with and without its other metadata")
    func both() throws {
        let video = try MotionPhotoFile.video()
        for omitted in [nil, EncodeSettings.OmittedMetadata.all, .allButCopyright, .location] {
            var changes = MetadataChanges.appending(video)
            changes.contentIdentifier = .set(Self.identifier)
            let head = try MotionPhotoFile.rewritten(try Self.original(), changes, omitted: omitted)
            let facts = try PictureFacts.of(try TestFile(head + video))
            #expect(facts.metadata?.contentIdentifier == Self.identifier)
            #expect(facts.embeddedVideo?.length == video.count)
            #expect((facts.location == nil) == (omitted != nil))
        }
    }

    @Test("mutated Apple notes are changed or rejected without a crash")
    func random() throws {
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        let good = Data(
            AppleNoteFile.bytes([
                (0x0001, .signed(14)), (0x000B, .text("a-burst")), (0x0011, .text(Self.other)),
                (0x0015, .text("an-image")),
            ]))
        let runner = try TestRunner()
        let original = try Self.original(note: Array(good))
        let place = try #require(original.firstRange(of: Array(good))).lowerBound
        for round in 0..<80 {
            var bytes = original
            // The first round is unchanged.
            for _ in 0..<(round == 0 ? 0 : Int.random(in: 1...4, using: &random)) {
                bytes[place + Int.random(in: 12..<good.count, using: &random)] =
                    Fuzz.pick([0, 1, 0x7F, 0x80, 0xFF], using: &random)
            }
            let (reply, file) = try MotionPhotoFile.rewrite(
                bytes, .identified(Self.identifier), .jpeg, runner)
            guard case .rendered = reply else {
                #expect(round > 0, "\(reply)")
                continue
            }
            let facts = try PictureFacts.of(try TestFile(file))
            #expect(facts.metadata?.contentIdentifier == Self.identifier, "seed \(seed)")
        }
    }
}
