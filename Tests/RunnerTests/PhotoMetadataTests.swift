// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Testing
import TestSupport
import Vips

/// Facts that a runner reads from metadata written by ExifTool or a camera.
@Suite struct PhotoMetadataTests {
    private static let formats = ["jpeg", "png", "tiff", "webp", "jxl", "heic"]
    private static let withIPTC: Set<String> = ["jpeg", "png", "tiff"]

    /// The facts of a small picture with tags.
    private func facts(
        _ arguments: [String], format: String = "jpeg", _ tool: ExifTool? = nil
    ) throws -> PhotoFacts {
        let saver = format == "heic" ? "heif" : format
        let bytes = try TestPicture.image(width: 64, height: 48)
            .encoded(saver: "\(saver)save_buffer")
        let file = try (tool ?? ExifTool())
            .tagging(bytes, format == "jpeg" ? "jpg" : format, arguments)
        return try facts(of: file)
    }

    private func facts(of file: TestFile) throws -> PhotoFacts {
        let job = RenderJob(
            input: RenderInput(base: .encoded(.unknown)), output: .facts)
        let reply = try TestRunner().request(.run(job), [(.base, file.number)])
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        return try #require(report.facts)
    }

    /// The facts of a picture whose maker note has these tags.
    private func facts(note tags: [(Int, AppleNoteFile.Value)]) throws -> PhotoFacts {
        let tool = try ExifTool()
        let note = try tool.file(AppleNoteFile.bytes(tags), "note")
        return try facts(["-EXIF:Make=Apple", "-MakerNoteApple<=\(note)"], tool)
    }

    @Test("camera, lens, rating and keywords are read from every format", arguments: formats)
    func everyFormat(_ format: String) throws {
        var arguments = [
            "-EXIF:Make= Maker ", "-EXIF:Model=Model 1", "-EXIF:LensModel=50mm f/1.8",
            "-XMP-xmp:Rating=4", "-XMP-dc:Subject=lake", "-XMP-dc:Subject=Höhe & \"<tief>\"",
        ]
        if Self.withIPTC.contains(format) {
            arguments += ["-IPTC:Keywords=lake", "-IPTC:Keywords=summer"]
        }
        let metadata = try #require(try facts(arguments, format: format).metadata)
        #expect(metadata.cameraMake == "Maker" && metadata.cameraModel == "Model 1")
        #expect(metadata.lensModel == "50mm f/1.8")
        #expect(metadata.rating == 4)
        let others = Self.withIPTC.contains(format) ? ["summer"] : []
        #expect(metadata.keywords == ["lake", "Höhe & \"<tief>\""] + others)
        #expect(metadata.burstIdentifier == nil && metadata.contentIdentifier == nil)
    }

    @Test("a picture without metadata has none")
    func none() throws {
        let facts = try facts(of: try TestPicture.png())
        #expect(facts.metadata == PhotoMetadata())
        #expect(facts.mediaSubtypes == [])
        #expect(facts.creationDate == nil && facts.location == nil)
    }

    @Test(
        "a rating is -1 to 5, from XMP before EXIF; others are ignored",
        arguments: [
            (["-XMP-xmp:Rating=-1"], -1), (["-XMP-xmp:Rating=0"], 0),
            (["-XMP-xmp:Rating=5.0"], 5), (["-XMP-xmp:Rating=6"], nil),
            (["-XMP-xmp:Rating=-2"], nil), (["-EXIF:Rating=3"], 3),
            (["-EXIF:Rating=3", "-XMP-xmp:Rating=2"], 2), (["-EXIF:Rating=77"], nil),
        ] as [([String], Int?)])
    func rating(_ arguments: [String], _ expected: Int?) throws {
        #expect(try facts(arguments).metadata?.rating == expected)
    }

    @Test("camera and lens come from XMP if EXIF lacks them")
    func cameraInXMP() throws {
        let metadata = try facts([
            "-XMP-tiff:Make=A & B", "-XMP-tiff:Model=M", "-XMP-aux:Lens=24-70",
        ]).metadata
        #expect(metadata?.cameraMake == "A & B" && metadata?.cameraModel == "M")
        #expect(metadata?.lensModel == "24-70")
    }

    @Test("keywords of old programs are read as Latin-1")
    func latin() throws {
        let metadata = try facts(["-charset", "iptc=Latin1", "-IPTC:Keywords=Zürich"]).metadata
        #expect(metadata?.keywords == ["Zürich"])
    }

    @Test("P-12 burst, Live Photo and HDR are read from Apple's maker note")
    func appleNote() throws {
        let facts = try facts(note: [
            (0x0001, .signed(14)), (0x000A, .signed(3)),
            (0x000B, .text("0A2B-burst")), (0x0011, .text("0A2B-content")),
        ])
        #expect(facts.metadata?.burstIdentifier == "0A2B-burst")
        #expect(facts.metadata?.contentIdentifier == "0A2B-content")
        #expect(facts.metadata?.cameraMake == "Apple")
        #expect(facts.mediaSubtypes == [.photoHDR, .photoLive])
        // The exposure that is kept next to an HDR picture is not one itself.
        #expect(try self.facts(note: [(0x000A, .signed(4))]).mediaSubtypes == [])
    }

    @Test("an inconsistent maker note is ignored, and the picture is still read")
    func lyingNotes() throws {
        let lies: [[(Int, AppleNoteFile.Value)]] = [
            [(0x000B, .raw(type: 2, count: 37, offset: 100_000))],
            [(0x000B, .raw(type: 2, count: Int(UInt32.max), offset: 20))],
            [(0x000B, .raw(type: 99, count: 4, offset: 20))],
            [(0x000B, .text(String(repeating: "x", count: 5000)))],
            [(0x000B, .text("a\u{1B}[31mb"))], [(0x000B, .text(" "))],
        ]
        for lie in lies {
            let facts = try facts(note: lie)
            #expect(facts.metadata?.burstIdentifier == nil)
            #expect(facts.pixelWidth == 64)
        }
    }

    @Test("mutated maker notes are harmless")
    func randomMakerNotes() throws {
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        let tool = try ExifTool()
        let good = Data(
            AppleNoteFile.bytes([
                (0x000A, .signed(3)), (0x000B, .text("burst")), (0x0011, .text("content")),
            ]))
        for _ in 0..<12 {
            let bad = Fuzz.mutated(good, using: &random)
            // The signature is kept, so that the note is read as Apple's.
            let note = Array(good.prefix(14)) + Array(bad.dropFirst(14))
            let path = try tool.file(note, "note")
            let facts = try facts(["-EXIF:Make=Apple", "-MakerNoteApple<=\(path)"], tool)
            #expect(facts.pixelHeight == 48, "seed \(seed)")
        }
    }

    @Test("mutated XMP is harmless")
    func randomXMP() throws {
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        let tool = try ExifTool()
        let good = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description xmp:Rating="3">
            <dc:subject><rdf:Bag><rdf:li>a &amp; b</rdf:li><rdf:li xml:lang="x">&#x41;&#7;B</rdf:li>
            </rdf:Bag></dc:subject><exif:UserComment><rdf:Alt><rdf:li>Screenshot</rdf:li></rdf:Alt>
            </exif:UserComment></rdf:Description></rdf:RDF></x:xmpmeta>
            """
        for round in 0..<12 {
            let packet =
                round == 0 ? Data(good.utf8) : Fuzz.mutated(Data(good.utf8), using: &random)
            let path = try tool.file(Array(packet), "packet")
            let facts = try facts(["-XMP<=\(path)"], tool)
            #expect(facts.pixelHeight == 48, "seed \(seed)")
            guard round == 0 else { continue }
            #expect(facts.metadata?.keywords == ["a & b"])
            #expect(facts.metadata?.rating == 3)
            #expect(facts.mediaSubtypes == .photoScreenshot)
        }
    }

    @Test(
        "P-02 HDR, panorama, depth and screenshot are detected, also in combination",
        arguments: [
            (["-EXIF:CustomRendered=0"], []), (["-EXIF:CustomRendered=1"], []),
            (["-EXIF:CustomRendered=2"], .photoHDR), (["-EXIF:CustomRendered=3"], .photoHDR),
            (["-EXIF:CustomRendered=4"], []), (["-EXIF:CustomRendered=6"], .photoPanorama),
            (["-EXIF:CustomRendered=7"], [.photoHDR, .photoDepthEffect]),
            (["-EXIF:CustomRendered=8"], .photoDepthEffect),
            (["-XMP-GPano:ProjectionType=equirectangular"], .photoPanorama),
            (
                [
                    "-XMP-GPano:ProjectionType=equirectangular",
                    "-XMP-GPano:UsePanoramaViewer=False",
                ], []
            ),
            (["-EXIF:UserComment=Screenshot"], .photoScreenshot),
            (["-XMP-exif:UserComment=Screenshot"], .photoScreenshot),
            (["-EXIF:UserComment=Screenshot of a tennis match"], []),
            (
                ["-EXIF:CustomRendered=6", "-EXIF:UserComment=Screenshot"],
                [.photoPanorama, .photoScreenshot]
            ),
        ] as [([String], MediaSubtype)])
    func subtypes(_ arguments: [String], _ expected: MediaSubtype) throws {
        let found = try facts(arguments).mediaSubtypes
        #expect(found == expected)
    }

    /// The places of a date in order of precedence, each with a different date.
    private static let dates: [(arguments: [String], text: String)] = [
        (
            [
                "-EXIF:DateTimeOriginal=2001:01:01 01:01:01", "-EXIF:SubSecTimeOriginal=125",
                "-EXIF:OffsetTimeOriginal=-03:30",
            ], "2001-01-01T01:01:01.125-03:30"
        ),
        (["-XMP-exif:DateTimeOriginal=2002:02:02 02:02:02.5Z"], "2002-02-02T02:02:02.5+00:00"),
        (["-XMP-photoshop:DateCreated=2003:03:03 03:03:03"], "2003-03-03T03:03:03"),
        (
            ["-IPTC:DateCreated=2004:04:04", "-IPTC:TimeCreated=04:04:04+01:00"],
            "2004-04-04T04:04:04+01:00"
        ),
        (
            [
                "-EXIF:CreateDate=2005:05:05 05:05:05", "-EXIF:SubSecTimeDigitized=07",
                "-EXIF:OffsetTimeDigitized=+09:00",
            ], "2005-05-05T05:05:05.07+09:00"
        ),
        (["-XMP-xmp:CreateDate=2006:06:06 06:06:06"], "2006-06-06T06:06:06"),
        (
            ["-GPS:GPSDateStamp=2007:07:07", "-GPS:GPSTimeStamp=07:07:07"],
            "2007-07-07T07:07:07+00:00"
        ),
        // The date of a modification is not that of the photo.
        (["-EXIF:ModifyDate=2008:08:08 08:08:08", "-XMP-xmp:ModifyDate=2009:09:09 09:09:09"], ""),
    ]

    @Test("P-05 a date in any one place is found", arguments: 0..<8)
    func dateAlone(_ place: Int) throws {
        let facts = try facts(Self.dates[place].arguments)
        #expect((facts.creationDate?.text ?? "") == Self.dates[place].text)
    }

    @Test(
        "P-05 dates are taken in the documented order from EXIF's original date to GPS",
        arguments: 0..<8)
    func dates(_ first: Int) throws {
        let facts = try facts(Self.dates[first...].flatMap(\.arguments))
        #expect((facts.creationDate?.text ?? "") == Self.dates[first].text)
    }

    @Test(
        "P-05 a date without a time is a day and counts as its noon",
        arguments: [
            ["-XMP-exif:DateTimeOriginal=2007:07:07"], ["-XMP-photoshop:DateCreated=2007:07:07"],
            ["-IPTC:DateCreated=2007:07:07"], ["-XMP-xmp:CreateDate=2007:07:07"],
            ["-GPS:GPSDateStamp=2007:07:07"],
            ["-EXIF:DateTimeOriginal=2007:07:07   :  :  ", "-EXIF:OffsetTimeOriginal=+09:00"],
            // A day takes precedence over a later place, even if that has a time.
            ["-IPTC:DateCreated=2007:07:07", "-EXIF:CreateDate=2010:10:10 10:10:10"],
            ["-IPTC:DateCreated=2007:07:07", "-IPTC:TimeCreated#=junkjunk+00"],
        ])
    func day(_ arguments: [String]) throws {
        let date = try #require(try facts(arguments).creationDate)
        #expect(date.text == "2007-07-07" && !date.hasTime && date.offset == nil)
        #expect(date.date == Date(timeIntervalSince1970: 1_183_809_600))
    }

    @Test(
        "P-05 impossible dates are ignored",
        arguments: [
            "0000:00:00 00:00:00", "2021:02:30 10:00:00", "    :  :     :  :  ", "junk",
            "9999:12:31 23:59:60",
        ])
    func impossibleDates(_ text: String) throws {
        let facts = try facts([
            "-EXIF:DateTimeOriginal=\(text)", "-EXIF:CreateDate=1999:12:31 23:59:59",
        ])
        #expect(facts.creationDate?.text == "1999-12-31T23:59:59")
    }

    @Test(
        "P-07 a location is read, and the two placeholder locations are ignored",
        arguments: [
            (36.5, 115.25, "N", "W", 36.5, -115.25), (0, 0, "N", "E", nil, nil),
            (180, 180, "S", "W", nil, nil), (0, 10.5, "N", "E", 0, 10.5),
            (90, 180, "S", "W", -90, -180), (91, 10, "N", "E", nil, nil),
        ] as [(Double, Double, String, String, Double?, Double?)])
    func positions(
        _ latitude: Double, _ longitude: Double, _ north: String, _ east: String,
        _ expectedLatitude: Double?, _ expectedLongitude: Double?
    ) throws {
        let location = try facts([
            "-GPS:GPSLatitude=\(latitude)", "-GPS:GPSLatitudeRef=\(north)",
            "-GPS:GPSLongitude=\(longitude)", "-GPS:GPSLongitudeRef=\(east)",
        ]).location
        #expect(location?.latitude == expectedLatitude)
        #expect(location?.longitude == expectedLongitude)
    }

    @Test("an excessive number of keywords is bounded")
    func manyKeywords() throws {
        let words = (0..<3000).map { "-XMP-dc:Subject=word \($0)" }
        let long = "-XMP-dc:Subject=" + String(repeating: "x", count: 300)
        let metadata = try #require(try facts([long] + words, format: "png").metadata)
        #expect(metadata.keywords.count > 900)
        #expect(metadata.keywords.count <= PhotoMetadata.maximumKeywords)
        #expect(metadata.keywords.first == "word 0")
    }
}
