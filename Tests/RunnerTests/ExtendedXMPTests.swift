// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// XMP that does not fit into one JPEG segment.
@Suite("extended XMP")
struct ExtendedXMPTests {
    /// A packet that declares its prefixes on the elements that programs use.
    private static func packet(_ attributes: String, _ properties: String = "") -> [UInt8] {
        Array(
            """
            <x:xmpmeta xmlns:x="adobe:ns:meta/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
             xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:RDF
             xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
             xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/"
             xmlns:GImage="http://ns.google.com/photos/1.0/image/"
             xmlns:xmpNote="http://ns.adobe.com/xmp/note/"><rdf:Description rdf:about=""
             \(attributes)>\(properties)</rdf:Description></rdf:RDF></x:xmpmeta>
            """.utf8)
    }

    private static let history = String(repeating: "what was done;", count: 12_000)
    private static let keywords = (0..<300).map { "keyword \($0)" }

    private static func extended() -> [UInt8] {
        let items = keywords.map { "<rdf:li>\($0)</rdf:li>" }.joined()
        return packet(
            "xmp:Label=\"Not this\" GImage:Data=\"c2VjcmV0IHBpY3R1cmU=\" GDepth:Near=\"1.5\"",
            "<dc:subject><rdf:Bag>\(items)</rdf:Bag></dc:subject>"
                + "<photoshop:History>\(history)</photoshop:History>")
    }

    /// The MD5 digest, computed by another program.
    private static func digest(_ bytes: [UInt8]) throws -> String {
        let tool = try ExifTool()
        let path = try tool.file(bytes, "extended")
        return try withExtendedLifetime(tool) {
            String(try runProgram("/usr/bin/env", ["md5sum", path]).output.prefix(32)).uppercased()
        }
    }

    private static func word(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) }
    }

    private static func segment(_ contents: [UInt8]) -> [UInt8] {
        let length = contents.count + 2
        return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + contents
    }

    private static func portion(
        _ digest: String, _ whole: Int, _ offset: Int, _ bytes: [UInt8]
    ) -> [UInt8] {
        segment(
            Array("http://ns.adobe.com/xmp/extension/\0\(digest)".utf8) + word(whole)
                + word(offset) + bytes)
    }

    /// The segments of an extended packet, as written by programs.
    private static func portions(_ text: [UInt8], _ digest: String) -> [[UInt8]] {
        stride(from: 0, to: text.count, by: 50_000).map {
            portion(digest, text.count, $0, Array(text[$0..<min(text.count, $0 + 50_000)]))
        }
    }

    /// A JPEG with a packet that names a digest, and further segments before or after it.
    private static func jpeg(
        _ digest: String, before: [[UInt8]] = [], _ portions: [[UInt8]]
    ) throws -> TestFile {
        let plain = try TestPicture.image(width: 64, height: 48).encoded(
            saver: "jpegsave_buffer", options: ["strip": true])
        let main = packet("xmp:Label=\"Red\" xmp:Rating=\"3\" xmpNote:HasExtendedXMP=\"\(digest)\"")
        return try TestFile(
            Array(plain[..<2]) + before.joined()
                + segment(Array("http://ns.adobe.com/xap/1.0/\0".utf8) + main)
                + portions.joined() + plain[2...])
    }

    private static func whole() throws -> TestFile {
        let text = extended()
        let digest = try digest(text)
        return try jpeg(digest, portions(text, digest))
    }

    private static func facts(_ file: TestFile) throws -> PhotoMetadata {
        let job = RenderJob(input: RenderInput(base: .encoded(.unknown)), output: .facts)
        let reply = try TestRunner().request(.run(job), [(.base, file.number)])
        guard case .rendered(let report) = reply, let facts = report.facts?.metadata else {
            throw unexpected(reply)
        }
        return facts
    }

    private static func rewritten(
        _ file: TestFile, _ changes: MetadataChanges,
        _ omitted: EncodeSettings.OmittedMetadata? = nil
    ) throws -> TestFile {
        let output = try TestFile()
        var settings = EncodeSettings(format: .jpeg)
        settings.keepsPixels = true
        settings.metadataChanges = changes
        settings.omittedMetadata = omitted
        let job = RenderJob(input: RenderInput(base: .encoded(.jpeg)), output: .encoded(settings))
        let reply = try TestRunner().request(
            .run(job), [(.base, file.number), (.output, output.number)])
        guard case .rendered = reply else { throw unexpected(reply) }
        return output
    }

    private static func contains(_ file: TestFile, _ text: String) -> Bool {
        file.bytes.firstRange(of: Array(text.utf8)) != nil
    }

    @Test("keywords in extended XMP are read, and the main packet takes precedence")
    func read() throws {
        let facts = try Self.facts(try Self.whole())
        #expect(facts.keywords == Self.keywords)
        #expect(facts.label == "Red" && facts.rating == 3)
    }

    @Test("portions may come in any order, twice, and before the packet")
    func order() throws {
        let text = Self.extended()
        let digest = try Self.digest(text)
        let portions = Self.portions(text, digest)
        #expect(portions.count > 3)
        let other = Self.portions(
            Self.packet("xmp:Rating=\"5\""), String(repeating: "A", count: 32))
        // The portion at offset 0 already covers these bytes.
        let overlapping = Self.portion(digest, text.count, 7, Array("nonsense".utf8))
        for file in [
            try Self.jpeg(digest, [overlapping] + portions),
            try Self.jpeg(digest, Array(portions.reversed())),
            try Self.jpeg(digest, portions + portions + other),
            try Self.jpeg(digest, before: portions + other, []),
            try Self.jpeg(digest.lowercased(), portions),
        ] {
            let facts = try Self.facts(file)
            #expect(facts.keywords == Self.keywords && facts.rating == 3)
        }
    }

    @Test(
        "an encoded picture keeps all of it in one packet or two",
        arguments: [MediaFormat.jpeg, .png, .tiff, .webp, .jxl, .avif])
    func encoded(format: MediaFormat) throws {
        let (tags, facts, file) = try MetadataChangesTests.encode(
            try Self.whole(), format, MetadataChanges())
        #expect(facts.metadata?.keywords == Self.keywords)
        #expect(facts.metadata?.label == "Red")
        #expect(tags["XMP-photoshop:History"] == Self.history)
        #expect(tags["XMP-dc:Subject"] == Self.keywords.joined(separator: ", "))
        #expect(tags["XMP-xmp:Label"] == "Red" && tags["XMP-xmp:Rating"] == "3")
        #expect((tags["XMP-xmpNote:HasExtendedXMP"] != nil) == (format == .jpeg))
        // GImage is the picture before an edit, and GDepth is a depth map.
        #expect(
            !tags.keys.contains { $0.contains("GImage") || $0.contains("GDepth") }, "\(tags.keys)")
        #expect(!Self.contains(file, "c2VjcmV0IHBpY3R1cmU="))
        // libvips writes JPEG's EXIF header into WebP.
        let warning = tags["ExifTool:Warning"]
        #expect(warning == nil || format == .webp, "\(warning ?? "")")
    }

    @Test("changing properties of a stored JPEG keeps the rest of it")
    func changed() throws {
        var changes = MetadataChanges()
        changes.title = .set("The title")
        changes.keywords = ["one", "two"]
        let file = try Self.rewritten(try Self.whole(), changes)
        let tags = try ExifTool().read(file)
        #expect(tags["XMP-dc:Title"] == "The title" && tags["XMP-dc:Subject"] == "one, two")
        #expect(tags["XMP-photoshop:History"] == Self.history)
        #expect(tags["XMP-GDepth:DepthNear"] ?? tags["XMP-GDepth:Near"] == "1.5")
        #expect(tags["XMP-xmp:Label"] == "Red")
        #expect(!Self.contains(file, "keyword 7"))
        #expect(tags["ExifTool:Warning"] == nil, "\(tags["ExifTool:Warning"] ?? "")")
        #expect(try Self.facts(file).keywords == ["one", "two"])
        // A second change also works.
        changes.keywords = ["three"]
        let again = try Self.rewritten(file, changes)
        #expect(try Self.facts(again).keywords == ["three"])
        #expect(!Self.contains(again, "two"))
    }

    @Test("removing locations or keeping only copyright leaves no trace of the rest")
    func omitted() throws {
        let text = Self.packet(
            "photoshop:City=\"Reykjavik\" GImage:Data=\"c2VjcmV0\"",
            "<dc:creator><rdf:Seq><rdf:li>An artist</rdf:li></rdf:Seq></dc:creator>"
                + "<photoshop:History>\(Self.history)</photoshop:History>")
        let digest = try Self.digest(text)
        let original = try Self.jpeg(digest, Self.portions(text, digest))
        for omitted in [EncodeSettings.OmittedMetadata.all, .allButCopyright, .location] {
            let file = try Self.rewritten(original, MetadataChanges(), omitted)
            let tags = try ExifTool().read(file)
            #expect(!Self.contains(file, "Reykjavik") && !Self.contains(file, "c2VjcmV0"))
            #expect((tags["XMP-photoshop:History"] != nil) == (omitted == .location))
            #expect((tags["XMP-dc:Creator"] == "An artist") == (omitted != .all))
        }
    }

    @Test("keywords too long for the packet go into the extended part")
    func longKeywords() throws {
        let words = (0..<900).map { "\($0)" + String(repeating: "w", count: 150) }
        var changes = MetadataChanges()
        changes.keywords = words
        let file = try Self.rewritten(try Self.whole(), changes)
        let tags = try ExifTool().read(file)
        #expect(tags["XMP-dc:Subject"] == words.joined(separator: ", "))
    }

    @Test("incomplete or mismatched extended XMP is ignored")
    func hostile() throws {
        let text = Self.extended()
        let digest = try Self.digest(text)
        let portions = Self.portions(text, digest)
        let lied = String(repeating: "0", count: 32)
        let part = Array(text[..<1000])
        var holed = portions
        holed.remove(at: 1)
        let cases: [(String, [[UInt8]])] = [
            (digest, holed), (digest, []), (lied, Self.portions(text, lied)), (lied, portions),
            (digest, [Self.portion(digest, 100_000_000, 0, part)]),
            (digest, [Self.portion(digest, 0xFFFF_FFFF, 0xFFFF_FFFF, part)]),
            (digest, [Self.portion(digest, text.count, 0xFFFF_FFF0, part)] + portions),
            (digest, [Self.portion(digest, 0, 0, part)]),
            (digest, [Self.portion(digest, 10, 0, part)]),
            (digest, (0..<300).map { Self.portion(digest, text.count, $0, part) }),
            (digest, [Self.segment(Array("http://ns.adobe.com/xmp/extension/\0\(digest)".utf8))]),
            ("", portions),
        ]
        for (index, (name, portions)) in cases.enumerated() {
            let file = try Self.jpeg(name, portions)
            let facts = try Self.facts(file)
            #expect(facts.keywords == [] && facts.label == "Red", "\(index)")
            let (tags, _, _) = try MetadataChangesTests.encode(file, .jpeg, MetadataChanges())
            #expect(tags["XMP-xmp:Rating"] == "3", "\(index)")
            #expect(tags["XMP-xmpNote:HasExtendedXMP"] == nil, "\(index)")
        }
    }

    @Test("random changes to portions are harmless")
    func random() throws {
        var random = SeededGenerator(seed: TestSeed.seed())
        let text = Self.packet("photoshop:Headline=\"h\"")
        let digest = try Self.digest(text)
        let original = try Self.jpeg(
            digest,
            stride(from: 0, to: text.count, by: 100).map {
                Self.portion(
                    digest, text.count, $0, Array(text[$0..<min(text.count, $0 + 100)]))
            }
        ).bytes
        let runner = try TestRunner()
        let job = RenderJob(
            input: RenderInput(base: .encoded(.unknown)),
            output: .encoded(EncodeSettings(format: .jpeg)))
        for _ in 0..<300 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 2..<2000, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            let (file, output) = (try TestFile(bytes), try TestFile())
            let reply = try runner.request(
                .run(job),
                [
                    (.base, file.number), (.metadataSource, file.number),
                    (.output, output.number),
                ])
            switch reply {
            case .rendered, .failed: break
            default: throw unexpected(reply)
            }
        }
    }
}
