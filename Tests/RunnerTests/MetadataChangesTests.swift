// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// Metadata of a file that replaces that of its original.
@Suite("metadata changes")
struct MetadataChangesTests {
    static let texts = [
        "-EXIF:Make=Maker", "-EXIF:UserComment=a comment", "-EXIF:Artist=An artist",
        "-EXIF:DateTimeOriginal=2020:02:29 23:59:58", "-EXIF:CreateDate=2020:02:29 23:59:58",
        "-EXIF:SubSecTimeOriginal=25", "-EXIF:OffsetTimeOriginal=+05:30",
        "-EXIF:GPSLatitude=36.1125", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=115.17",
        "-EXIF:GPSLongitudeRef=W", "-EXIF:GPSAltitude=610.5", "-EXIF:GPSImgDirection=12",
        "-EXIF:Rating=2", "-EXIF:RatingPercent=25", "-EXIF:ImageDescription=old words",
        "-EXIF:XPTitle=old title", "-EXIF:XPKeywords=boats;sea", "-EXIF:XPComment=old words",
        "-EXIF:XPSubject=old subject", "-XMP-exif:DateTimeOriginal=2020:02:29 23:59:58+05:30",
        "-XMP-photoshop:DateCreated=2020:02:29 23:59:58+05:30",
        "-XMP-xmp:CreateDate=2020:02:29 23:59:58", "-XMP-exif:GPSLatitude=36.1125",
        "-XMP-exif:GPSLongitude=-115.17", "-XMP-xmp:Rating=2", "-XMP-dc:Subject=boats",
        "-XMP-dc:Subject=sea", "-XMP-lr:HierarchicalSubject=water|sea",
        "-XMP-lr:HierarchicalSubject=water|boats", "-XMP-dc:Title=old title",
        "-XMP-dc:Description=old words", "-XMP-xmp:Label=Red", "-XMP-dc:Creator=An artist",
        "-XMP-photoshop:City=Reykjavik", "-IPTC:DateCreated=2020:02:29",
        "-IPTC:TimeCreated=23:59:58+05:30", "-IPTC:Keywords=boats", "-IPTC:Keywords=sea",
        "-IPTC:ObjectName=old title", "-IPTC:Caption-Abstract=old words",
        "-IPTC:Headline=J\u{F6}kulsarlon",
    ]

    static func original(
        _ tags: [String], _ ending: String = "jpg"
    ) throws -> TestFile {
        let bytes = try TestPicture.image(width: 64, height: 48).encoded(
            saver: ending == "tif" ? "tiffsave_buffer" : "jpegsave_buffer",
            options: ["strip": true])
        return try ExifTool().tagging(bytes, ending, tags)
    }

    static func encode(
        _ original: TestFile, _ format: MediaFormat, _ changes: MetadataChanges,
        _ omitted: EncodeSettings.OmittedMetadata? = nil
    ) throws -> (tags: [String: String], facts: PhotoFacts, file: TestFile) {
        let (file, runner) = (try TestFile(), try TestRunner())
        var settings = EncodeSettings(format: format)
        settings.metadataChanges = changes
        settings.omittedMetadata = omitted
        let input = RenderInput(base: .encoded(.unknown))
        let reply = try runner.request(
            .run(RenderJob(input: input, output: .encoded(settings))),
            [
                (.base, original.number), (.metadataSource, original.number),
                (.output, file.number),
            ])
        guard case .rendered = reply else { throw unexpected(reply) }
        let result = try TestFile(file.bytes)
        guard
            case .rendered(let report) = try runner.request(
                .run(RenderJob(input: input, output: .facts)), [(.base, result.number)]),
            let facts = report.facts
        else { throw unexpected(reply) }
        return (try ExifTool().read(file), facts, file)
    }

    /// 2016-10-09 14:44:18.445, two hours east of UTC.
    private static let date = CaptureDate(
        date: Date(timeIntervalSince1970: 1_476_017_058.445), offset: 7200)

    static func changes() throws -> MetadataChanges {
        var changes = MetadataChanges()
        changes.captureDate = .set(date)
        changes.location = .set(try #require(Location(latitude: -37.788975, longitude: 175.2995)))
        changes.rating = .set(4)
        changes.keywords = ["boats", "<Ja & \"B\u{E4}r\">"]
        changes.title = .set("A & B")
        changes.descriptionText = .set("One line,\nanother <one>")
        changes.label = .set("Select")
        return changes
    }

    private func expectNew(_ tags: [String: String], _ facts: PhotoFacts) {
        #expect(facts.creationDate?.text == "2016-10-09T14:44:18.445+02:00")
        let place = facts.location
        #expect(place.map { abs($0.latitude + 37.788975) < 1e-8 } == true)
        #expect(place.map { abs($0.longitude - 175.2995) < 1e-8 } == true)
        #expect(facts.metadata?.rating == 4)
        #expect(facts.metadata?.keywords == ["boats", "<Ja & \"B\u{E4}r\">"])
        #expect(tags["ExifIFD:DateTimeOriginal"] == "2016:10:09 14:44:18")
        #expect(tags["ExifIFD:SubSecTimeOriginal"] == "445")
        #expect(tags["ExifIFD:OffsetTimeOriginal"] == "+02:00")
        #expect(tags["Composite:GPSLatitude"].flatMap { Double($0) } == -37.788975)
        #expect(tags["Composite:GPSLongitude"].flatMap { Double($0) } == 175.2995)
        #expect(tags["XMP-xmp:Rating"] == "4" && tags["XMP-xmp:Label"] == "Select")
        #expect(tags["XMP-dc:Subject"] == "boats, <Ja & \"B\u{E4}r\">")
        #expect(tags["XMP-dc:Title"] == "A & B")
        #expect(tags["XMP-dc:Description"] == "One line,\nanother <one>")
    }

    private static let outputs: [MediaFormat] = [.jpeg, .png, .webp, .tiff, .avif, .jxl]

    @Test(
        "every place of a changed property is updated, and nothing else changes",
        arguments: outputs)
    func replaced(format: MediaFormat) throws {
        for ending in ["jpg", "tif"] {
            let original = try Self.original(Self.texts, ending)
            let before = try ExifTool().read(original)
            let (tags, facts, _) = try Self.encode(original, format, try Self.changes())
            expectNew(tags, facts)
            #expect(tags["XMP-exif:DateTimeOriginal"] == "2016:10:09 14:44:18.445+02:00")
            #expect(tags["XMP-photoshop:DateCreated"] == "2016:10:09 14:44:18.445+02:00")
            #expect(tags["XMP-xmp:CreateDate"] == "2016:10:09 14:44:18.445+02:00")
            #expect(tags["XMP-exif:GPSLatitude"].flatMap { Double($0) } == -37.788975)
            #expect(tags["XMP-lr:HierarchicalSubject"] == "boats, <Ja & \"B\u{E4}r\">")
            #expect(tags["ExifIFD:CreateDate"] == "2016:10:09 14:44:18")
            #expect(tags["IFD0:Rating"] == "4" && tags["IFD0:RatingPercent"] == "75")
            #expect(tags["IFD0:ImageDescription"] == "One line,\nanother <one>")
            #expect(tags["IFD0:XPTitle"] == "A & B" && tags["IFD0:XPSubject"] == nil)
            #expect(tags["IFD0:XPKeywords"] == "boats;<Ja & \"B\u{E4}r\">")
            #expect(tags["GPS:GPSAltitude"] == nil && tags["GPS:GPSImgDirection"] == "12")
            if [.jpeg, .tiff].contains(format) {
                #expect(tags["IPTC:DateCreated"] == "2016:10:09")
                #expect(tags["IPTC:TimeCreated"] == "14:44:18+02:00")
                #expect(tags["IPTC:Keywords"] == "boats, <Ja & \"B\u{E4}r\">")
                #expect(tags["IPTC:ObjectName"] == "A & B")
                #expect(tags["IPTC:Headline"] == "J\u{F6}kulsarlon")
            }
            for tag in ["IFD0:Make", "IFD0:Artist", "ExifIFD:UserComment", "XMP-dc:Creator"] {
                #expect(tags[tag] == before[tag], "\(tag)")
            }
            #expect(tags["XMP-photoshop:City"] == "Reykjavik")
        }
    }

    @Test("keywords in hierarchies are written to the lists of other programs")
    func hierarchies() throws {
        var changes = MetadataChanges()
        changes.keywords = ["f/2.8", "Places|Europe|Iceland", "Lens|f/2.8"]
        let (tags, facts, _) = try Self.encode(try Self.original(Self.texts), .jpeg, changes)
        #expect(tags["XMP-dc:Subject"] == "f/2.8, Places, Europe, Iceland, Lens")
        #expect(tags["IPTC:Keywords"] == "f/2.8, Places, Europe, Iceland, Lens")
        #expect(
            tags["XMP-lr:HierarchicalSubject"] == "f/2.8, Places|Europe|Iceland, Lens|f/2.8")
        #expect(tags["XMP-digiKam:TagsList"] == "f/2.8, Places/Europe/Iceland, Lens/f/2.8")
        #expect(facts.metadata.map { Set($0.keywords) } == Set(changes.keywords ?? []))
    }

    @Test("a file without metadata gets the new properties", arguments: outputs)
    func added(format: MediaFormat) throws {
        let (tags, facts, _) = try Self.encode(
            try Self.original([]), format, try Self.changes())
        expectNew(tags, facts)
        #expect(!tags.keys.contains { $0.hasPrefix("IPTC:") })
        // libvips writes JPEG's EXIF header into WebP.
        let warning = tags["ExifTool:Warning"]
        #expect(warning == (format == .webp ? "[minor] Improper EXIF header" : nil))
    }

    @Test("removed properties are nowhere in the file", arguments: outputs)
    func removed(format: MediaFormat) throws {
        var changes = MetadataChanges()
        changes.captureDate = .remove
        changes.location = .remove
        changes.rating = .remove
        changes.keywords = []
        changes.title = .remove
        changes.descriptionText = .remove
        changes.label = .remove
        let (tags, facts, file) = try Self.encode(try Self.original(Self.texts), format, changes)
        #expect(facts.creationDate == nil && facts.location == nil)
        #expect(facts.metadata?.rating == nil && facts.metadata?.keywords == [])
        let names = [
            "DateTimeOriginal", "CreateDate", "DateCreated", "Latitude", "Longitude", "Altitude",
            "Rating", "Keyword", "Subject", "Title", "Description", "Caption", "ObjectName",
            "Label", "XPComment",
        ]
        let left = tags.keys.filter { tag in
            !tag.hasPrefix("ICC") && !tag.hasPrefix("Composite")
                && names.contains { tag.contains($0) }
        }
        #expect(left.isEmpty, "\(left)")
        for word in ["boats", "old words", "2020:02:29"] {
            #expect(file.bytes.firstRange(of: Array(word.utf8)) == nil, "\(word)")
        }
        #expect(tags["IFD0:Make"] == "Maker" && tags["ExifIFD:UserComment"] == "a comment")
        #expect(tags["GPS:GPSImgDirection"] == "12")
    }

    @Test("blocks with equal values keep their bytes")
    func same() throws {
        let original = try Self.original(Self.texts)
        let runner = try TestRunner()
        guard
            case .rendered(let report) = try runner.request(
                .run(RenderJob(input: RenderInput(base: .encoded(.unknown)), output: .facts)),
                [(.base, original.number)]), let facts = report.facts
        else { throw TestRunner.Failed("no facts") }
        var changes = MetadataChanges()
        changes.captureDate = facts.creationDate.map { .set($0) }
        changes.location = facts.location.map { .set($0) }
        changes.rating = facts.metadata?.rating.map { .set($0) }
        changes.keywords = facts.metadata?.keywords
        let plain = try Self.encode(original, .jpeg, MetadataChanges())
        let changed = try Self.encode(original, .jpeg, changes)
        #expect(plain.file.bytes == changed.file.bytes)
    }

    @Test("a day without a time and a date without a zone are written as such")
    func days() throws {
        var changes = MetadataChanges()
        changes.captureDate = .set(CaptureDate(dayOf: Date(timeIntervalSince1970: 1_475_971_200)))
        let day = try Self.encode(try Self.original(Self.texts), .jpeg, changes)
        #expect(day.facts.creationDate?.text == "2016-10-09")
        #expect(day.tags["ExifIFD:DateTimeOriginal"] == "2016:10:09   :  :  ")
        #expect(day.tags["ExifIFD:OffsetTimeOriginal"] == nil)
        #expect(day.tags["XMP-exif:DateTimeOriginal"] == "2016:10:09")
        #expect(day.tags["IPTC:DateCreated"] == "2016:10:09" && day.tags["IPTC:TimeCreated"] == nil)
        changes.captureDate = .set(
            CaptureDate(date: Date(timeIntervalSince1970: 1_476_024_258), offset: nil))
        let local = try Self.encode(try Self.original(Self.texts), .png, changes)
        #expect(local.facts.creationDate?.text == "2016-10-09T14:44:18")
        #expect(local.tags["ExifIFD:SubSecTimeOriginal"] == nil)
        #expect(local.tags["ExifIFD:OffsetTimeOriginal"] == nil)
    }

    @Test(
        "copyright mode keeps creator and rights and nothing else",
        arguments: outputs)
    func copyright(format: MediaFormat) throws {
        let original = try Self.original(
            Self.texts + [
                "-EXIF:Copyright=Mine", "-XMP-dc:Rights=Mine & yours", "-XMP-xmpRights:Marked=True",
                "-XMP-xmpRights:WebStatement=https://example.org", "-IPTC:By-line=An artist",
                "-IPTC:CopyrightNotice=Mine",
            ])
        let (tags, facts, _) = try Self.encode(
            original, format, try Self.changes(), .allButCopyright)
        #expect(facts.creationDate == nil && facts.location == nil)
        #expect(tags["IFD0:Artist"] == "An artist" && tags["IFD0:Copyright"] == "Mine")
        #expect(tags["XMP-dc:Rights"] == "Mine & yours" && tags["XMP-dc:Creator"] == "An artist")
        #expect(tags["XMP-xmpRights:Marked"] == "1")
        #expect(tags["XMP-xmpRights:WebStatement"] == "https://example.org")
        if [.jpeg, .tiff].contains(format) {
            #expect(tags["IPTC:By-line"] == "An artist" && tags["IPTC:CopyrightNotice"] == "Mine")
        }
        let others = tags.keys.filter {
            $0.hasPrefix("XMP-") || $0.hasPrefix("IPTC:") || $0.hasPrefix("GPS:")
        }
        #expect(others.count <= 8, "\(others)")
        #expect(tags["IFD0:Make"] == nil && tags["ExifIFD:UserComment"] == nil)
    }

    @Test("without locations, no location is written")
    func noPlace() throws {
        let (tags, facts, _) = try Self.encode(
            try Self.original(Self.texts), .jpeg, try Self.changes(), .location)
        #expect(facts.location == nil && facts.metadata?.rating == 4)
        #expect(!tags.keys.contains { $0.contains("GPS") || $0.contains("City") }, "\(tags)")
    }

    /// Returns a JPEG file with an XMP packet.
    private static func original(packet: [UInt8]) throws -> TestFile {
        let jpeg = try TestPicture.image(width: 64, height: 48).encoded(
            saver: "jpegsave_buffer", options: ["strip": true])
        let body = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet
        let length = body.count + 2
        let segment: [UInt8] = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + body
        return try TestFile(jpeg.prefix(2) + segment + jpeg.dropFirst(2))
    }

    @Test("names of persons are removed from a packet in UTF-16, and all else is kept")
    func utf16() throws {
        let packet = PictureFacts.packet(
            """
            <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Kept</rdf:li></rdf:Alt></dc:title>
            <a:PersonInImage xmlns:a="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"><rdf:Bag>
            <rdf:li>Ann</rdf:li></rdf:Bag></a:PersonInImage>
            """)
        let bytes = "\u{FEFF}\(packet)".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let (tags, _, _) = try Self.encode(
            Self.original(packet: bytes), .jpeg, MetadataChanges(), .people)
        #expect(tags["XMP-dc:Title"] == "Kept")
        #expect(!tags.values.contains { $0.contains("Ann") })
    }

    @Test(
        "unreadable XMP is replaced by a packet with the new properties",
        arguments: [
            "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF><rdf:Description xmp:Rating='1'>",
            "<!DOCTYPE x [<!ENTITY a 'b'>]><x:xmpmeta xmlns:x='adobe:ns:meta/'><xmp:Rating>1</xmp:Rating></x:xmpmeta>",
            "<x:xmpmeta xmlns:x='adobe:ns:meta/'><a></b></x:xmpmeta><xmp:Rating>1</xmp:Rating>",
            "<x:xmpmeta xmlns:x='adobe:ns:meta/'>\(String(repeating: "<a>", count: 300))<xmp:Rating>1</xmp:Rating>",
            "<x:xmpmeta xmlns:x='adobe:ns:meta/'><", "<!--", "<?", "</", "",
            "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='other'><rdf:Description/></rdf:RDF></x:xmpmeta>",
        ])
    func hostile(packet: String) throws {
        let original = try Self.original(packet: Array(packet.utf8))
        for format in [MediaFormat.jpeg, .png] {
            let (tags, facts, _) = try Self.encode(original, format, try Self.changes())
            expectNew(tags, facts)
        }
    }
}
