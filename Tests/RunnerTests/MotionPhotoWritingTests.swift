// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// JPEG files that become Motion Photos, and Motion Photos that lose their video.
@Suite("writing Motion Photos")
struct MotionPhotoWritingTests {
    /// A JPEG file with metadata of all kinds.
    private static func original(_ more: [String] = []) throws -> [UInt8] {
        let bytes = try TestPicture.image(width: 64, height: 48).encoded(
            saver: "jpegsave_buffer", options: ["profile": "srgb"])
        let tags = [
            "-EXIF:Make=Maker", "-EXIF:FNumber=2.8", "-XMP-dc:Title=A title", "-XMP-xmp:Rating=3",
            "-IPTC:Keywords=sea", "-Comment=a remark",
        ]
        return try ExifTool().tagging(bytes, "jpg", tags + more).bytes
    }

    private static func expectMotionPhoto(
        _ file: [UInt8], _ video: [UInt8], at time: Int?, type: String = "video/mp4",
        _ comment: Comment = "", _ location: SourceLocation = #_sourceLocation
    ) throws -> [String: String] {
        let facts = try PictureFacts.of(try TestFile(file))
        let found = try #require(facts.embeddedVideo, comment, sourceLocation: location)
        #expect(Array(file[found.offset...]) == video, comment, sourceLocation: location)
        #expect(found.length == video.count && found.presentationTime == time, comment)
        let tags = try ExifTool().read(try TestFile(file))
        #expect(tags["XMP-GCamera:MotionPhoto"] == "1", comment, sourceLocation: location)
        #expect(tags["XMP-GCamera:MotionPhotoVersion"] == "1", comment)
        let stamp = tags["XMP-GCamera:MotionPhotoPresentationTimestampUs"]
        #expect(stamp == "\(time ?? -1)", comment, sourceLocation: location)
        func values(_ tag: String) throws -> [String] {
            try ExifTool().values(of: "XMP-Container:DirectoryItem\(tag)", in: try TestFile(file))
        }
        let semantics = try values("Semantic")
        #expect(semantics.first == "Primary" && semantics.last == "MotionPhoto", comment)
        #expect(try values("Mime").last == type, comment, sourceLocation: location)
        #expect(
            try values("Length").last == "\(video.count)", comment, sourceLocation: location)
        let old = tags.keys.filter { $0.contains("MicroVideo") || $0.hasSuffix(":Warning") }
        #expect(old.isEmpty, "\(old) \(comment)", sourceLocation: location)
        return tags
    }

    // MARK: - Writing

    @Test("a JPEG becomes a Motion Photo; its picture and metadata are unchanged")
    func becomes() throws {
        let video = try MotionPhotoFile.video()
        let plain = try TestPicture.image(width: 64, height: 48).encoded(
            saver: "jpegsave_buffer", options: ["strip": true])
        for (original, time) in [(try Self.original(), 500_000), (plain, nil)] {
            let head = try MotionPhotoFile.rewritten(original, .appending(video, at: time))
            let file = head + video
            let tags = try Self.expectMotionPhoto(file, video, at: time)
            let before = try ExifTool().read(try TestFile(original))
            for (tag, value) in before where MetadataComparison.isOther(tag) {
                #expect(tags[tag] == value, "\(tag)")
            }
            #expect(tags["XMP-dc:Title"] == before["XMP-dc:Title"])
            #expect(tags["IPTC:Keywords"] == before["IPTC:Keywords"])
            #expect(tags["File:Comment"] == before["File:Comment"])
            // EXIF and all bytes from the first scan on are unchanged.
            let scan = try #require(original.firstRange(of: [0xFF, 0xDA])).lowerBound
            #expect(head.suffix(original.count - scan) == original.suffix(original.count - scan))
            let exif = Array("Exif\0\0".utf8)
            if let start = original.firstRange(of: exif)?.lowerBound {
                let length = Int(original[start - 2]) << 8 | Int(original[start - 1])
                #expect(head.firstRange(of: original[start..<start + length - 2]) != nil)
            }
            #expect(try TestFile(file).image().pixels() == TestFile(original).image().pixels())
            // Programs that only look for data after the picture also find the video.
            #expect(try ExifTool().extract("EmbeddedVideo", from: try TestFile(file)) == video)
        }
    }

    @Test("a QuickTime file can be the video of a Motion Photo", .corpus)
    func quickTime() throws {
        let still = try TestFile(path: try Corpus.path("live/IMG_0728.JPG")).bytes
        let path = try Corpus.path("live/jpegvideocomplement_1.mov")
        let video = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let head = try MotionPhotoFile.rewritten(still, .appending(video, at: 1, .quickTime))
        let tags = try Self.expectMotionPhoto(
            head + video, video, at: 1, type: "video/quicktime")
        #expect(tags["IFD0:Make"] == "Apple")
        let folder = try TemporaryFolder()
        let written = try folder.write(Data(head + video), to: "photo.MP.jpg")
        #expect(try TestVideo.probe(written).codec == "mjpeg")
    }

    @Test(
        "tags go into a single XMP description, or a new one if there are several"
    )
    func placement() throws {
        let video = try MotionPhotoFile.video()
        let one = PictureFacts.packet("<dc:source>here</dc:source>", attributes: "xmp:Rating=\"2\"")
        let empty = one.replacingOccurrences(
            of: "><dc:source>here</dc:source></rdf:Description>", with: "/>")
        let bound = PictureFacts.packet("", attributes: "xmlns:GCamera=\"http://example.org/\"")
        let two = one.replacingOccurrences(
            of: "</rdf:RDF>",
            with:
                "<rdf:Description rdf:about=\"\" xmlns:a=\"http://example.org/\" a:b=\"c\"/></rdf:RDF>"
        )
        for (packet, count) in [(one, 1), (empty, 1), (bound, 2), (two, 3)] {
            let original = try MotionPhotoFile.jpeg(packet)
            let head = try MotionPhotoFile.rewritten(original, .appending(video))
            let tags = try Self.expectMotionPhoto(head + video, video, at: 500_000, "\(packet)")
            #expect(tags["XMP-xmp:Rating"] == (packet == bound ? nil : "2"), "\(packet)")
            let text = String(decoding: head, as: UTF8.self)
            #expect(text.components(separatedBy: "<rdf:Description ").count - 1 == count)
            #expect(text.contains(" GCamera:MotionPhoto=\"1\""))
        }
    }

    @Test("stale tags of an earlier video are replaced; a gain map stays listed")
    func staleClaims() throws {
        let video = try MotionPhotoFile.video()
        let old = video + MotionPhotoFile.box("free", [0, 0, 0])
        let gainMap = try PictureFacts.picture()
        let named: [(semantic: String, length: Int?, padding: Int?)] = [
            ("Primary", 0, nil), ("GainMap", gainMap.count, nil), ("MotionPhoto", old.count, nil),
        ]
        let originals = [
            try MotionPhotoFile.jpeg(MotionPhotoFile.directory(old.count), old),
            try MotionPhotoFile.jpeg(MotionPhotoFile.microVideo("\(old.count)"), old),
            // The video is missing.
            try MotionPhotoFile.jpeg(MotionPhotoFile.directory(old.count)),
            try MotionPhotoFile.jpeg(MotionPhotoFile.directory(named), gainMap + old),
        ]
        for (index, original) in originals.enumerated() {
            let head = try MotionPhotoFile.rewritten(original, .appending(video, at: 7))
            _ = try Self.expectMotionPhoto(head + video, video, at: 7, "\(index)")
            #expect(head.firstRange(of: video.prefix(100)) == nil)
            let (tool, made) = (try ExifTool(), try TestFile(head + video))
            let semantics = index == 3 ? ["GainMap"] : []
            #expect(
                try tool.values(of: "DirectoryItemSemantic", in: made)
                    == ["Primary"] + semantics + ["MotionPhoto"])
            let lengths = index == 3 ? ["\(gainMap.count)"] : []
            #expect(
                try tool.values(of: "DirectoryItemLength", in: made)
                    == ["0"] + lengths + ["\(video.count)"])
            // Rewriting is idempotent.
            let again = try MotionPhotoFile.rewritten(head + video, .appending(video, at: 7))
            #expect((again == head) as Bool, "\(index)")
        }
    }

    @Test("data after the picture is counted as padding")
    func padding() throws {
        let video = try MotionPhotoFile.video()
        let behind = Array("something of the camera's".utf8)
        let original = try PictureFacts.picture() + behind
        let head = try MotionPhotoFile.rewritten(original, .appending(video))
        let tags = try Self.expectMotionPhoto(head + video, video, at: 500_000)
        #expect(tags["XMP-Container:DirectoryItemPadding"] == "\(behind.count)")
    }

    @Test("long XMP keeps its extended part, and the tags are in the main packet")
    func longXMP() throws {
        let video = try MotionPhotoFile.video()
        let words = String(repeating: "word ", count: 30_000)
        let tool = try ExifTool()
        let file = try tool.file(Array(words.utf8), "words")
        let original = try tool.tagging(
            try PictureFacts.picture(), "jpg", ["-XMP-dc:Source<=\(file)", "-XMP-dc:Title=A title"])
        let head = try MotionPhotoFile.rewritten(original.bytes, .appending(video))
        let tags = try Self.expectMotionPhoto(head + video, video, at: 500_000)
        let source = tags["XMP-dc:Source"]?.trimmingCharacters(in: .whitespaces)
        #expect((source == words.trimmingCharacters(in: .whitespaces)) as Bool)
        #expect(tags["XMP-dc:Title"] == "A title")
        let mark = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
        let extended = try #require(head.firstRange(of: mark)).lowerBound
        let claim = try #require(head.firstRange(of: Array("GCamera:MotionPhoto=".utf8)))
        #expect(claim.lowerBound < extended)
    }

    @Test("without metadata a Motion Photo still has the location of its video")
    func omitted() throws {
        let video = try MotionPhotoFile.video()
        for omitted in [EncodeSettings.OmittedMetadata.all, .allButCopyright, .location] {
            let head = try MotionPhotoFile.rewritten(
                try Self.original(["-EXIF:Artist=me"]) + Array("behind".utf8), .appending(video),
                omitted: omitted)
            let tags = try Self.expectMotionPhoto(head + video, video, at: 500_000)
            #expect((tags["IFD0:Make"] == nil) == (omitted != .location))
            #expect(tags["XMP-dc:Title"] == (omitted == .location ? "A title" : nil))
            #expect(head.firstRange(of: Array("behind".utf8)) == nil)
        }
    }

    @Test("an empty video, a negative time and other formats are rejected")
    func refused() throws {
        let jpeg = try PictureFacts.picture()
        func code(_ bytes: [UInt8], _ changes: MetadataChanges, _ format: MediaFormat) throws
            -> RunnerFailure.Code?
        {
            guard
                case .failed(let failure) = try MotionPhotoFile.rewrite(bytes, changes, format)
                    .reply
            else { return nil }
            return failure.code
        }
        for length in [0, -1, Int.min] {
            var changes = MetadataChanges()
            changes.motionVideo = .set(AppendedVideo(contentType: .mp4, length: length))
            #expect(try code(jpeg, changes, .jpeg) == .badRequest)
        }
        #expect(try code(jpeg, .appending([1], at: -1), .jpeg) == .badRequest)
        #expect(try code(PictureFacts.picture("heic"), .appending([1]), .heic) == .badRequest)
        #expect(try code(PictureFacts.picture("png"), .removingVideo, .png) == .badInput)
        // Encoding a picture with such changes is also rejected.
        let (base, output) = (try TestFile(jpeg), try TestFile())
        var settings = EncodeSettings(format: .jpeg)
        settings.metadataChanges = .appending([1])
        let job = RenderJob(input: RenderInput(base: .encoded(.jpeg)), output: .encoded(settings))
        let reply = try TestRunner().request(
            .run(job), [(.base, base.number), (.output, output.number)])
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        #expect(failure.code == .badRequest)
        _ = (base.bytes, output.bytes)
    }

    // MARK: - Removing

    @Test("the extracted still of a Motion Photo does not mention a video")
    func removed() throws {
        let video = try MotionPhotoFile.video()
        let trailer = MotionPhotoFile.trailer(video)
        let pointer =
            Array("mpv2".utf8) + FileNumber.big(0, 4) + FileNumber.big(0, 4)
        for (packet, behind) in [
            (MotionPhotoFile.directory(video.count), video),
            (MotionPhotoFile.microVideo("\(video.count)"), video),
            (PictureFacts.packet(""), trailer), (MotionPhotoFile.directory(trailer.count), trailer),
            (
                MotionPhotoFile.directory(video.count + MotionPhotoFile.trailer(pointer).count),
                video + MotionPhotoFile.trailer(pointer)
            ),
            // Tags of a missing video are also removed.
            (MotionPhotoFile.directory(77), []),
        ] {
            let original = try MotionPhotoFile.jpeg(packet, behind)
            let file = try MotionPhotoFile.rewritten(original, .removingVideo)
            let facts = try PictureFacts.of(try TestFile(file))
            #expect(facts.embeddedVideo == nil && facts.embeddedVideoProblem == nil)
            #expect(facts.mediaSubtypes == [])
            #expect(file.firstRange(of: Array("ftyp".utf8)) == nil)
            for word in ["MotionPhoto", "MicroVideo", "Container:Directory"] {
                #expect(file.firstRange(of: Array(word.utf8)) == nil, "\(word) \(behind.count)")
            }
            #expect(try TestFile(file).image().pixels() == TestFile(original).image().pixels())
            let tags = try ExifTool().read(try TestFile(file))
            let isSamsung = behind.count > video.count
            #expect((tags["Samsung:MCCData"] != nil) == isSamsung, "\(tags)")
            #expect((tags["Samsung:TimeStamp"] != nil) == isSamsung)
            #expect(!tags.keys.contains { $0.hasSuffix(":Warning") }, "\(tags)")
        }
    }

    @Test("HEIC loses its video box, and its XMP tags are removed in place", .corpus)
    func removedFromHEIC() throws {
        let original = try TestFile(path: try Corpus.path("cameras/samsung-one-ui-6.heic"))
        let file = try TestFile(
            try MotionPhotoFile.rewritten(original.bytes, .removingVideo, .heic))
        let facts = try PictureFacts.of(file)
        #expect(facts.embeddedVideo == nil && facts.embeddedVideoProblem == nil)
        #expect(!facts.mediaSubtypes.contains(.photoLive))
        let tool = try ExifTool()
        let (before, after) = (try tool.read(original), try tool.read(file))
        #expect(before["QuickTime:MotionPhotoVideo"] != nil)
        #expect(after["QuickTime:MotionPhotoVideo"] == nil)
        let gone = before.keys.filter { after[$0] == nil && MetadataComparison.isOther($0) }
        #expect(
            gone.allSatisfy {
                $0.hasPrefix("XMP-GCamera:MotionPhoto") || $0.hasPrefix("XMP-Container:")
                    || $0.contains("EmbeddedVideo") || $0.contains("MotionPhotoVideo")
            }, "\(gone)")
        for (tag, value) in before where MetadataComparison.isOther(tag) {
            #expect(after[tag] == nil || after[tag] == value, "\(tag)")
        }
        #expect(after["Samsung:MCCData"] == before["Samsung:MCCData"])
        // The picture's data keeps its offset, up to the XMP packet at its end.
        let packet = try #require(original.bytes.firstRange(of: Array("<x:xmpmeta".utf8)))
            .lowerBound
        let isKept = file.bytes[24..<packet].elementsEqual(original.bytes[24..<packet])
        #expect(packet == 442_157 && isKept && file.bytes.count < 460_000)
    }

    @Test("a HEIC with parts after the video is rejected")
    func immovableHEIC() throws {
        let video = try MotionPhotoFile.video()
        let picture = try PictureFacts.picture("heic")
        let file = picture + MotionPhotoFile.box("mpvd", video) + MotionPhotoFile.box("moov", [1])
        let (reply, _) = try MotionPhotoFile.rewrite(file, .removingVideo, .heic)
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        #expect(failure.code == .badInput)
        let plain = picture + MotionPhotoFile.box("mpvd", video)
        #expect(try MotionPhotoFile.rewritten(plain, .removingVideo, .heic) == picture)
    }

    @Test("mutated files are rewritten or rejected")
    func random() throws {
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        let video = try MotionPhotoFile.video()
        let jpeg = try MotionPhotoFile.jpeg(
            MotionPhotoFile.directory(video.count), video + MotionPhotoFile.trailer(video))
        let heic =
            try PictureFacts.picture("heic") + MotionPhotoFile.box("mpvd", video)
            + MotionPhotoFile.box("sefd", MotionPhotoFile.trailer(video))
        let runner = try TestRunner()
        for (original, format) in [(jpeg, MediaFormat.jpeg), (heic, .heic)] {
            for _ in 0..<40 {
                var bytes = original
                let places = [0..<min(2000, original.count), original.count - 400..<original.count]
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let place = Int.random(in: Fuzz.pick(places, using: &random), using: &random)
                    bytes[place] = UInt8.random(in: 0...255, using: &random)
                }
                var changes =
                    Bool.random(using: &random) && format == .jpeg
                    ? MetadataChanges.appending(video) : .removingVideo
                if Bool.random(using: &random) { changes.contentIdentifier = .set("an-identifier") }
                let (reply, _) = try MotionPhotoFile.rewrite(bytes, changes, format, runner)
                switch reply {
                case .rendered, .failed: break
                default: throw unexpected(reply)
                }
            }
        }
    }
}
