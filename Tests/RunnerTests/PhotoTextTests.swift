// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

/// Titles, descriptions, labels and exposure times from ExifTool and hand-written XMP.
@Suite("photo texts") struct PhotoTextTests {
    @Test("non-UTF-8 EXIF text is read as windows-1252")
    func windows1252() throws {
        let name: [UInt8] = [0x80, 0x93, 0x4D, 0xFC, 0x96, 0x99]
        let texts: [(tag: Int, text: [UInt8])] = [(0x010E, name), (0x010F, name), (0x0110, name)]
        var (entries, values): ([UInt8], [UInt8]) = ([], [])
        for (index, (tag, text)) in texts.enumerated() {
            entries +=
                FileNumber.little(tag, 2) + FileNumber.little(2, 2)
                + FileNumber.little(text.count + 1, 4) + FileNumber.little(50 + index * 8, 4)
            values += text + [0, 0]
        }
        let block =
            Array("Exif\0\0II*\0".utf8) + FileNumber.little(8, 4) + FileNumber.little(3, 2)
            + entries + FileNumber.little(0, 4) + values
        let plain = try PictureFacts.picture()
        let segment = [0xFF, 0xE1] + FileNumber.big(block.count + 2, 2) + block
        let file = try TestFile(Array(plain[..<2]) + segment + plain[2...])
        let metadata = try PictureFacts.of(file).metadata
        let text = "\u{20AC}\u{201C}M\u{FC}\u{2013}\u{2122}"
        #expect(metadata?.descriptionText == text && metadata?.cameraMake == text)
        #expect(metadata?.cameraModel == text)
    }

    @Test(
        "dates with slashes, dots or a 12-hour clock are read",
        arguments: [
            ("2023/05/01 11:46:15 pm", "2023-05-01T23:46:15"),
            ("2023:05:01 11:46:15 PM", "2023-05-01T23:46:15"),
            ("2023-05-01 11:46:15am", "2023-05-01T11:46:15"),
            ("2023/05/01 12:00:01 AM", "2023-05-01T00:00:01"),
            ("2023.05.01 12:30 pm", "2023-05-01T12:30:00"),
            ("2023/05/01 23:46:15", "2023-05-01T23:46:15"),
            ("2023:05:01 23:46:15 pm", "2023-05-01T23:46:15"), ("2023/05/01", "2023-05-01"),
        ])
    func dates(text: String, date: String) throws {
        // With `#`, ExifTool writes the value without conversion.
        let facts = try PictureFacts.tagged(["-EXIF:DateTimeOriginal#=\(text)"])
        #expect(facts.creationDate?.text == date)
        let described = try PictureFacts.described(
            by: "<exif:DateTimeOriginal>\(text)</exif:DateTimeOriginal>")
        #expect(described.creationDate?.text == date)
    }

    private static func list(_ name: String, _ items: String...) -> String {
        "<\(name)><rdf:Bag>" + items.map { "<rdf:li>\($0)</rdf:li>" }.joined()
            + "</rdf:Bag></\(name)>"
    }

    /// Keywords as the Metadata Working Group defines them.
    private static let groups = """
        <mwg-kw:Keywords xmlns:mwg-kw="http://www.metadataworkinggroup.com/schemas/keywords/"
         rdf:parseType="Resource"><mwg-kw:Hierarchy><rdf:Bag>
         <rdf:li rdf:parseType="Resource"><mwg-kw:Keyword>Plants</mwg-kw:Keyword>
          <mwg-kw:Applied>True</mwg-kw:Applied>
          <mwg-kw:Children><rdf:Bag><rdf:li><rdf:Description mwg-kw:Keyword="Flowers">
           <mwg-kw:Children><rdf:Bag><rdf:li mwg-kw:Keyword="Rose"/></rdf:Bag></mwg-kw:Children>
          </rdf:Description></rdf:li></rdf:Bag></mwg-kw:Children></rdf:li>
         <rdf:li mwg-kw:Keyword="boat"/>
        </rdf:Bag></mwg-kw:Hierarchy></mwg-kw:Keywords>
        """

    @Test(
        "keywords outside dc:subject are read, with their hierarchies",
        arguments: [
            (list("lr:hierarchicalSubject", "Places|Iceland", "boat"), ["Places|Iceland", "boat"]),
            (list("digiKam:TagsList", "People/Ann"), ["People|Ann"]),
            (list("acdsee:keywords", "boat"), ["boat"]),
            (list("MicrosoftPhoto:LastKeywordXMP", "a/b"), ["a|b"]),
            (list("mediapro:CatalogSets", "Trips|Oslo"), ["Trips|Oslo"]),
            ("<dc:subject>boat; sea, boat</dc:subject>", ["boat", "sea"]),
            ("<pdf:Keywords>boat, sea</pdf:Keywords>", ["boat", "sea"]),
            (list("dc:subject", "<rdf:value>boat</rdf:value><x:q>1</x:q>"), ["boat"]),
            // Another program has removed b, which it does not know in this list.
            (
                list("dc:subject", "sea", "boat") + list("lr:hierarchicalSubject", "a|b", "boat"),
                ["sea", "boat"]
            ),
            // The same of a program that has written all levels of Iceland: only Iceland was removed.
            (
                list("dc:subject", "Places") + list("lr:hierarchicalSubject", "Places|Iceland")
                    + list("digiKam:TagsList", "Places/Iceland"),
                ["Places"]
            ),
            (
                list("dc:subject", "Places", "France")
                    + list("lr:hierarchicalSubject", "Places|Iceland", "Places|France"),
                ["Places|France"]
            ),
            // This list was not written together with the keywords.
            (list("dc:subject", "sea") + list("lr:hierarchicalSubject", "a|b"), ["sea", "a|b"]),
            (
                list("dc:subject", "sea", "Rome", "Oma")
                    + list("lr:hierarchicalSubject", "Places|Rome")
                    + list("digiKam:TagsList", "Travel/Rome", "People/Oma", "Travel/Oslo"),
                ["sea", "Places|Rome", "People|Oma"]
            ),
            (
                list("dc:subject", "f/2.8", "Lens", "24/70", "b")
                    + list("digiKam:TagsList", "f/2.8", "Lens/f/2.8", "24/70/b"),
                ["f/2.8", "Lens|f/2.8", "24/70|b"]
            ),
            (
                list("dc:subject", "Places", "Iceland", "boat")
                    + list("lr:hierarchicalSubject", "Places|Iceland", "boat")
                    + list("digiKam:TagsList", "Places/Iceland", "boat")
                    + list("mediapro:CatalogSets", "Other|Iceland"),
                ["boat", "Places|Iceland"]
            ),
            (
                list("dc:subject", "f/2.8", "Places", "Iceland")
                    + list("lr:hierarchicalSubject", "Places", "Places|Iceland")
                    + list("digiKam:TagsList", "f/2.8"),
                ["f/2.8", "Places", "Places|Iceland"]
            ),
            (list("digiKam:TagsList", " / People / Ann/"), ["People|Ann"]),
            (
                list("lr:hierarchicalSubject", String(repeating: "long|", count: 60) + "leaf"),
                ["leaf"]
            ),
            (groups, ["Plants", "Plants|Flowers|Rose", "boat"]),
        ])
    func keywords(properties: String, words: [String]) throws {
        let packet = PictureFacts.packet(properties)
        let file = try TestFile(try PictureFacts.picture())
        let facts = try PictureFacts.of(file, sidecars: [try TestFile(Array(packet.utf8))])
        #expect(facts.metadata?.keywords == words)
    }

    @Test(
        "darktable's colours are labels, unless xmp:Label states one of them or another word",
        arguments: [
            (["0"], nil, "Red"), (["4", "1"], nil, "Purple"), (["2"], "Red", "Green"),
            (["0", "3"], "Blue", "Blue"), (["1"], "Approved", "Approved"), (["7"], "Red", "Red"),
            (["x", "5", "-1"], nil, nil), ([], nil, nil),
        ] as [([String], String?, String?)])
    func darktableLabels(numbers: [String], stated: String?, label: String?) throws {
        let items = numbers.map { "<rdf:li>\($0)</rdf:li>" }.joined()
        let facts = try PictureFacts.described(
            by: """
                <darktable:colorlabels xmlns:darktable='http://darktable.sf.net/'><rdf:Seq>\(items)
                </rdf:Seq></darktable:colorlabels>\(stated.map { "<xmp:Label>\($0)</xmp:Label>" } ?? "")
                """)
        #expect(facts.metadata?.label == label)
    }

    private static let formats = ["jpeg", "png", "tiff", "webp", "jxl", "heic"]

    @Test("texts are read from every format", arguments: formats)
    func everyFormat(_ format: String) throws {
        let metadata = try PictureFacts.tagged(
            [
                "-XMP-dc:Title=Höhe & \"<tief>\"", "-XMP-dc:Description=One\nTwo",
                "-XMP-xmp:Label=Red", "-EXIF:ExposureTime=0.004",
            ], format: format
        ).metadata
        #expect(metadata?.title == "Höhe & \"<tief>\"")
        #expect(metadata?.descriptionText == "One\nTwo")
        #expect(metadata?.label == "Red")
        #expect(metadata?.exposureTime == 0.004)
    }

    /// The places of a title in order of precedence.
    private static let titles = [
        ["-XMP-dc:Title=1"], ["-IPTC:ObjectName=2"], ["-EXIF:XPTitle=3 Ü"],
    ]
    private static let titleOf = ["1", "2", "3 Ü"]

    @Test(
        "a title comes from the first sidecar with one, XMP, IPTC or Windows tags",
        arguments: 0..<3)
    func titles(_ first: Int) throws {
        let tags = Self.titles[first...].flatMap(\.self)
        let empty = PictureFacts.packet("<dc:title> </dc:title>")
        let own = try PictureFacts.tagged(tags, sidecars: [empty])
        #expect(own.metadata?.title == Self.titleOf[first])
        let beside = PictureFacts.packet("", attributes: "dc:title='beside'")
        let facts = try PictureFacts.tagged(tags, sidecars: [empty, beside])
        #expect(facts.metadata?.title == "beside")
    }

    /// The places of a description in order of precedence.
    private static let descriptions = [
        ["-XMP-dc:Description=1"], ["-IPTC:Caption-Abstract=2"], ["-EXIF:ImageDescription=3"],
        ["-EXIF:XPComment=4"],
    ]
    private static let descriptionOf = ["1", "2", "3", "4"]

    @Test(
        "a description comes from the first sidecar with one, XMP, IPTC, EXIF or Windows tags",
        arguments: 0..<4)
    func descriptions(_ first: Int) throws {
        let tags = Self.descriptions[first...].flatMap(\.self)
        let own = try PictureFacts.tagged(tags)
        #expect(own.metadata?.descriptionText == Self.descriptionOf[first])
        let sidecars = ["first", "second"].map {
            PictureFacts.packet("<dc:description>\($0)</dc:description>")
        }
        let facts = try PictureFacts.tagged(tags, sidecars: sidecars)
        #expect(facts.metadata?.descriptionText == "first")
        // A comment is not a description: programs write arbitrary data into it.
        #expect(
            try PictureFacts.tagged(["-EXIF:UserComment=5"]).metadata?.descriptionText == nil)
    }

    @Test(
        "standard descriptions of cameras are ignored",
        arguments: [
            "OLYMPUS DIGITAL CAMERA         ", "SONY DSC", "DCIM/100MEDIA/DJI_0001.JPG",
            "DCIM\\100GOPRO", "Default", "MINOLTA DIGITAL CAMERA", "SAMSUNG",
            "KODAK Digital Still Camera", "Exif_JPEG_PICTURE", "Screenshot", "oznorWO",
        ])
    func cameraWords(_ words: String) throws {
        let own = try PictureFacts.tagged(["-EXIF:ImageDescription=\(words)"]).metadata
        #expect(own?.descriptionText == nil)
        let next = try PictureFacts.tagged([
            "-EXIF:ImageDescription=\(words)", "-EXIF:XPComment=A cat",
        ]).metadata
        #expect(next?.descriptionText == "A cat")
        let more = try PictureFacts.tagged(["-EXIF:ImageDescription=\(words) and a cat"]).metadata
        #expect(more?.descriptionText == (words.hasPrefix("DCIM") ? nil : "\(words) and a cat"))
    }

    @Test(
        "camera text copied into XMP is ignored as a description, except for mode names"
    )
    func copiedWords() throws {
        let copied = try PictureFacts.tagged([
            "-XMP-dc:Description=SONY DSC", "-IPTC:Caption-Abstract=A dog",
        ]).metadata
        #expect(copied?.descriptionText == "A dog")
        let word = try PictureFacts.tagged(["-XMP-dc:Description=burst"]).metadata
        #expect(word?.descriptionText == "burst")
    }

    @Test(
        "a title in XMP may be an attribute, an element or a language list",
        arguments: [
            ("dc:title=\"A &amp; B &#x1F600;\"", "", "A & B 😀"),
            ("dc:title = 'it&apos;s'", "", "it's"),
            ("", "<dc:title>plain</dc:title>", "plain"),
            ("", "<dc:title xml:lang='en'>plain</dc:title>", "plain"),
            ("", alternatives(("x-default", "any"), ("de-DE", "deutsch")), "any"),
            ("", alternatives(("de-DE", "deutsch"), ("x-default", "any")), "any"),
            ("", alternatives(("de-DE", "deutsch"), ("fr-FR", "français")), "deutsch"),
            ("", alternatives(("de-DE", " "), ("fr-FR", "français")), "français"),
            ("", alternatives(("x-default", " "), ("fr-FR", "français")), "français"),
            ("", "<dc:title/><dc:titles>no</dc:titles><dc:title>yes</dc:title>", "yes"),
            ("", "<dc:title><rdf:Alt><rdf:li xml:lang='x'/></rdf:Alt></dc:title>", nil),
            ("", "<dc:title><rdf:Alt><rdf:li>open</rdf:Alt></dc:title>", nil),
            ("", "<dc:title><b>bold</b></dc:title>", nil), ("", "<dc:title>", nil),
            ("dc:title=\"\"", "<dc:title></dc:title>", nil),
        ] as [(String, String, String?)])
    func forms(_ attributes: String, _ elements: String, _ expected: String?) throws {
        let sidecar = PictureFacts.packet(elements, attributes: attributes)
        let file = try TestFile(try PictureFacts.picture())
        let beside = try TestFile(Array(sidecar.utf8))
        let facts = try PictureFacts.of(file, sidecars: [beside])
        #expect(facts.metadata?.title == expected)
    }

    private static func alternatives(_ texts: (String, String)...) -> String {
        let items = texts.map { "<rdf:li xml:lang=\"\($0)\">\($1)</rdf:li>" }
        return "<dc:title>\n <rdf:Alt>\n\(items.joined(separator: "\n"))\n</rdf:Alt></dc:title>"
    }

    @Test("an overlong text is cut between characters; a title has one line")
    func lengths() throws {
        // Each letter and its accent are one character of three bytes.
        let long = String(repeating: "e\u{301}", count: 8000)
        let metadata = try #require(
            try PictureFacts.described(
                by: "<dc:title>\(long)</dc:title><dc:description>\(long)</dc:description>"
            ).metadata)
        #expect(metadata.title == String(long.prefix(256 / 3)))
        #expect(metadata.descriptionText == String(long.prefix(16_384 / 3)))
        let lines = try PictureFacts.described(
            by: "<dc:title>One\r\n Two&#10;\tThree</dc:title><dc:description>One\r\n Two&#x0A;"
                + "Three</dc:description>"
        ).metadata
        #expect(lines?.title == "One  Two Three")
        #expect(lines?.descriptionText == "One\n Two\nThree")
    }

    @Test("a text with control characters is skipped in favour of the next one")
    func control() throws {
        let packet = PictureFacts.packet("<dc:title>a&#x1B;[31mb</dc:title>")
        let metadata = try PictureFacts.tagged([], sidecars: [packet]).metadata
        #expect(metadata?.title == nil)
        let next = PictureFacts.packet("<dc:title>plain</dc:title>")
        let other = try PictureFacts.tagged([], sidecars: [packet, next]).metadata
        #expect(other?.title == "plain")
    }

    @Test("IPTC and EXIF texts are UTF-8 or Latin-1")
    func latin() throws {
        let iptc = try PictureFacts.tagged([
            "-charset", "iptc=Latin1", "-IPTC:ObjectName=Zürich", "-IPTC:Caption-Abstract=Höhe",
        ]).metadata
        #expect(iptc?.title == "Zürich" && iptc?.descriptionText == "Höhe")
        let exif = try PictureFacts.tagged([
            "-charset", "exif=Latin1", "-EXIF:ImageDescription=Höhe",
        ]).metadata
        #expect(exif?.descriptionText == "Höhe")
    }

    @Test(
        "an exposure time comes from EXIF anywhere or XMP; impossible ones are ignored",
        arguments: [
            (["-ExifIFD:ExposureTime=0.5", "-XMP-exif:ExposureTime=3"], 0.5),
            (["-IFD0:ExposureTime=0.25", "-XMP-exif:ExposureTime=3"], 0.25),
            (["-ExifIFD:ExposureTime=30"], 30), (["-XMP-exif:ExposureTime=1/60"], 1.0 / 60),
            (["-ExifIFD:ExposureTime=0", "-XMP-exif:ExposureTime=8"], 8),
            (["-ExifIFD:ExposureTime=inf"], nil), (["-ExifIFD:ExposureTime=0"], nil), ([], 2),
        ] as [([String], Double?)])
    func exposure(_ arguments: [String], _ expected: Double?) throws {
        let sidecars =
            arguments.isEmpty
            ? ["1/0", "4/2"].map {
                PictureFacts.packet("", attributes: "exif:ExposureTime=\"\($0)\"")
            } : []
        let time = try PictureFacts.tagged(arguments, sidecars: sidecars).metadata?.exposureTime
        #expect(time == expected)
    }

    @Test(
        "an exposure time in XMP is a fraction or a number",
        arguments: [
            ("1/60", 1.0 / 60), ("0.125", 0.125), (" 5 / 2 ", 2.5), ("-1/2", nil), ("1/2/3", nil),
            ("nan", nil), ("inf", nil), ("1/", nil), ("/", nil), ("fast", nil),
        ] as [(String, Double?)])
    func exposureTexts(_ text: String, _ expected: Double?) throws {
        let facts = try PictureFacts.described(
            by: "<exif:ExposureTime>\(text)</exif:ExposureTime>")
        #expect(facts.metadata?.exposureTime == expected)
    }

    @Test("tags in EXIF's first directory count like those in its own")
    func firstDirectory() throws {
        let facts = try PictureFacts.tagged([
            "-IFD0:ExposureTime=0.25", "-IFD0:LensModel=50mm", "-IFD0:UserComment=Screenshot",
            "-IFD0:CustomRendered=6", "-IFD0:DateTimeOriginal=2001:01:01 01:01:01",
        ])
        #expect(facts.metadata?.exposureTime == 0.25 && facts.metadata?.lensModel == "50mm")
        #expect(facts.mediaSubtypes == [.photoScreenshot, .photoPanorama])
        #expect(facts.creationDate?.text == "2001-01-01T01:01:01")
    }

    @Test(
        "ratings are also read from Windows percentages",
        arguments: [
            (["-EXIF:RatingPercent=1"], 1), (["-EXIF:RatingPercent=25"], 2),
            (["-EXIF:RatingPercent=50"], 3), (["-EXIF:RatingPercent=75"], 4),
            (["-EXIF:RatingPercent=99"], 5), (["-EXIF:RatingPercent=0"], 0),
            (["-EXIF:RatingPercent=101"], nil),
            (["-EXIF:Rating=2", "-EXIF:RatingPercent=99"], 2),
            // An out-of-range rating does not hide another one.
            (["-XMP-xmp:Rating=6", "-EXIF:RatingPercent=75"], 4),
            (["-XMP-microsoft:RatingPercent=75"], 4), (["-XMP-microsoft:RatingPercent=101"], nil),
            (["-XMP-xmp:Rating=2", "-XMP-microsoft:RatingPercent=99"], 2),
            (["-XMP-xmp:Rating=6", "-XMP-microsoft:RatingPercent=25"], 2),
            (["-XMP-microsoft:RatingPercent=25", "-EXIF:Rating=5"], 2),
        ] as [([String], Int?)])
    func percentages(_ arguments: [String], _ expected: Int?) throws {
        #expect(try PictureFacts.tagged(arguments).metadata?.rating == expected)
    }

    @Test("a label comes from a sidecar or XMP, also under its old name")
    func labels() throws {
        let sidecar = PictureFacts.packet("", attributes: "xmp:Label='Green'")
        for sidecars in [[], [sidecar]] {
            let own = try PictureFacts.tagged(["-XMP-xmp:Label=Blue"], sidecars: sidecars)
            #expect(own.metadata?.label == (sidecars.isEmpty ? "Blue" : "Green"))
        }
        #expect(try PictureFacts.tagged([], sidecars: [sidecar]).metadata?.label == "Green")
        let old = try PictureFacts.tagged(
            [], sidecars: [PictureFacts.packet("<xap:Label>Rot &amp; gut</xap:Label>")])
        #expect(old.metadata?.label == "Rot & gut")
    }

    @Test("of two conflicting sidecars the first takes precedence, property by property")
    func sidecars() throws {
        let first = PictureFacts.packet(
            "", attributes: "dc:title='one' xmp:Rating='1' exif:DateTimeOriginal='2001-01-01'")
        let second = PictureFacts.packet(
            "",
            attributes: "dc:title='two' xmp:Rating='2' xmp:Label='Red' "
                + "exif:DateTimeOriginal='2002-02-02'")
        let facts = try PictureFacts.tagged([], sidecars: [first, second])
        #expect(facts.metadata?.title == "one" && facts.metadata?.rating == 1)
        #expect(facts.metadata?.label == "Red")
        #expect(facts.creationDate?.text == "2001-01-01")
        // The picture that a packet names does not matter, because files are renamed.
        let other = PictureFacts.packet(
            "", attributes: "dc:title='other' crs:RawFileName='another.nef' tiff:ImageWidth='9'")
        #expect(try PictureFacts.tagged([], sidecars: [other]).metadata?.title == "other")
    }
}
