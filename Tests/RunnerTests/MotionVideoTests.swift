// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// The location of a Motion Photo's video, by all kinds of metadata that declare it.
@Suite("Motion Photo videos")
struct MotionVideoTests {
    private func expect(
        _ bytes: [UInt8], has video: [UInt8], at time: Int?, _ comment: Comment = "",
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let report = try MotionPhotoFile.report(bytes)
        let facts = try #require(report.facts)
        let found = try #require(facts.embeddedVideo, comment, sourceLocation: location)
        let range = try #require(found.range(inFileOfLength: bytes.count))
        #expect(Array(bytes[range]) == video, comment, sourceLocation: location)
        #expect(found.presentationTime == time, comment, sourceLocation: location)
        #expect(facts.mediaSubtypes.contains(.photoLive), comment, sourceLocation: location)
        #expect(facts.embeddedVideoProblem == nil && report.warnings == [], comment)
    }

    private func expectNone(
        _ bytes: [UInt8], _ problem: String?, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let report = try MotionPhotoFile.report(bytes)
        let facts = try #require(report.facts)
        #expect(facts.pixelWidth == 64 && facts.embeddedVideo == nil, sourceLocation: location)
        #expect(!facts.mediaSubtypes.contains(.photoLive), sourceLocation: location)
        #expect(facts.embeddedVideoProblem == problem, sourceLocation: location)
        #expect(report.warnings == [problem].compactMap(\.self), sourceLocation: location)
    }

    private static func says(_ length: Int) -> String {
        "its XMP announces a video of \(length) bytes that is missing"
    }

    // MARK: - Declared locations

    @Test("a directory locates the video by lengths from the end of the file")
    func directory() throws {
        let video = try MotionPhotoFile.video()
        let gainMap = try PictureFacts.picture()
        let blanks = [UInt8](repeating: 0, count: 7)
        func file(
            _ items: [(semantic: String, length: Int?, padding: Int?)], _ behind: [UInt8]
        ) throws -> [UInt8] { try MotionPhotoFile.jpeg(MotionPhotoFile.directory(items), behind) }
        let usual = try file([("Primary", 0, 0), ("MotionPhoto", video.count, 0)], video)
        try expect(usual, has: video, at: 500_000)
        try expect(
            try file([("Primary", nil, 7), ("MotionPhoto", video.count, nil)], blanks + video),
            has: video, at: 500_000)
        try expect(
            try file(
                [
                    ("Primary", 0, 0), ("GainMap", gainMap.count, 0),
                    ("MotionPhoto", video.count, 0),
                ],
                gainMap + video), has: video, at: 500_000)
        // The video is followed by padding that is counted extra or, like Samsung's, in the length, or by an item.
        for length in [video.count, video.count + 7] {
            try expect(
                try file([("Primary", 0, 0), ("MotionPhoto", length, 7)], video + blanks),
                has: video, at: 500_000, "\(length - video.count)")
        }
        try expect(
            try file(
                [
                    ("Primary", 0, 0), ("MotionPhoto", video.count, 0),
                    ("GainMap", gainMap.count, 0),
                ],
                video + gainMap), has: video, at: 500_000)
        // Undeclared data was appended.
        try expect(usual + Array("appended".utf8), has: video, at: 500_000)
    }

    @Test("items may be elements with other prefixes, and a time of -1 is none")
    func spellings() throws {
        let video = try MotionPhotoFile.video()
        let elements = """
            <c:Directory xmlns:c="http://ns.google.com/photos/1.0/container/"
             xmlns:i="http://ns.google.com/photos/1.0/container/item/"><rdf:Seq>
            <rdf:li rdf:parseType="Resource"><c:Item rdf:parseType="Resource"><i:Mime>image/jpeg</i:Mime>
            <i:Semantic>Primary</i:Semantic></c:Item></rdf:li>
            <rdf:li rdf:parseType="Resource"><c:Item rdf:parseType="Resource"><i:Mime>video/mp4</i:Mime>
            <i:Semantic>MotionPhoto</i:Semantic><i:Length>\(video.count)</i:Length></c:Item></rdf:li>
            </rdf:Seq></c:Directory><k:MotionPhoto>1</k:MotionPhoto>
            <k:MotionPhotoPresentationTimestampUs>-1</k:MotionPhotoPresentationTimestampUs>
            """
        let packet = PictureFacts.packet(
            elements, attributes: "xmlns:k=\"http://ns.google.com/photos/1.0/camera/\"")
        try expect(try MotionPhotoFile.jpeg(packet, video), has: video, at: nil)
    }

    @Test("MicroVideo locates the video by an offset from the end of the file")
    func microVideo() throws {
        let video = try MotionPhotoFile.video()
        let packet = MotionPhotoFile.microVideo("\(video.count)")
        try expect(try MotionPhotoFile.jpeg(packet, video), has: video, at: 250_000)
    }

    @Test("Samsung's trailer contains the video or its location")
    func trailer() throws {
        let video = try MotionPhotoFile.video()
        let picture = try PictureFacts.picture()
        try expect(picture + MotionPhotoFile.trailer(video), has: video, at: nil)
        try expect(
            picture + MotionPhotoFile.trailer(video, count: 0xFFFF_FFFF), has: video, at: nil)
        let pointer =
            Array("mpv2".utf8) + FileNumber.big(picture.count, 4) + FileNumber.big(video.count, 4)
        try expect(picture + video + MotionPhotoFile.trailer(pointer), has: video, at: nil)
        // The length in XMP includes the trailer, which is not part of the video.
        let trailer = MotionPhotoFile.trailer(pointer)
        try expect(
            try MotionPhotoFile.jpeg(
                MotionPhotoFile.directory(video.count + trailer.count), video + trailer),
            has: video, at: 500_000)
    }

    @Test("HEIF has the video in a box or in Samsung's trailer inside one")
    func boxes() throws {
        let video = try MotionPhotoFile.video()
        let picture = try PictureFacts.picture("heic")
        try expect(picture + MotionPhotoFile.box("mpvd", video), has: video, at: nil)
        try expect(
            picture + MotionPhotoFile.box("mpvd", [1]) + MotionPhotoFile.box("mpvd", video),
            has: video, at: nil)
        let trailer = MotionPhotoFile.box("sefd", MotionPhotoFile.trailer(video))
        try expect(picture + trailer, has: video, at: nil)
        try expectNone(
            picture + MotionPhotoFile.box("free", MotionPhotoFile.box("mpvd", video)), nil)
    }

    @Test("the video of a Samsung photo equals the one that ExifTool extracts", .corpus)
    func corpus() throws {
        let path = try Corpus.path("cameras/samsung-one-ui-6.heic")
        let file = try TestFile(path: path)
        let facts = try PictureFacts.of(file)
        let found = try #require(facts.embeddedVideo)
        #expect(
            found == EmbeddedVideo(offset: 452_284, length: 3_226_469, presentationTime: 3_000_000))
        let video = try ExifTool().extract("MotionPhotoVideo", from: file)
        #expect(video == Array(file.bytes[found.offset..<found.offset + found.length]))
        let folder = try TemporaryFolder()
        let probed = try TestVideo.probe(try folder.write(Data(video), to: "video.mp4"))
        #expect(probed.width > 0 && probed.duration > 1)
    }

    // MARK: - Wrong locations

    @Test("a location outside the file, inside the picture or of other data is ignored")
    func wrongPlaces() throws {
        let video = try MotionPhotoFile.video()
        for length in [1, 8, video.count - 1, video.count - 9, video.count + 1, video.count + 300] {
            try expectNone(
                try MotionPhotoFile.jpeg(MotionPhotoFile.directory(length), video),
                Self.says(length))
            try expectNone(
                try MotionPhotoFile.jpeg(MotionPhotoFile.microVideo("\(length)"), video),
                Self.says(length))
        }
        for length in [1 << 31, 1 << 62, Int.max] {
            try expectNone(
                try MotionPhotoFile.jpeg(MotionPhotoFile.directory(length), video),
                Self.says(length))
        }
        let nothing = "its XMP announces a video that is missing"
        for text in ["0", "-5", "", "ten", "9223372036854775808", "1e3"] {
            try expectNone(
                try MotionPhotoFile.jpeg(MotionPhotoFile.microVideo(text), video), nothing)
        }
        try expectNone(try MotionPhotoFile.jpeg(MotionPhotoFile.directory(0), video), nothing)
        try expectNone(try MotionPhotoFile.jpeg(MotionPhotoFile.directory(nil), video), nothing)
        let noVideo = [UInt8](repeating: 0x20, count: 500)
        try expectNone(
            try MotionPhotoFile.jpeg(MotionPhotoFile.directory(500), noVideo), Self.says(500))
        // No video is declared, or its flag is 0.
        try expectNone(try PictureFacts.picture() + video, nil)
        let off = MotionPhotoFile.directory([("MotionPhoto", video.count, nil)], flag: "0")
        try expectNone(try MotionPhotoFile.jpeg(off, video), nil)
    }

    @Test("a video inside the picture's own segments or items is ignored")
    func withinPicture() throws {
        let small = MotionPhotoFile.box("ftyp", Array("mp42".utf8))
        let comment = [0xFF, 0xFE] + FileNumber.big(small.count + 2, 2) + small
        func file(_ length: Int) throws -> [UInt8] {
            let file = try MotionPhotoFile.jpeg(MotionPhotoFile.microVideo("\(length)"))
            return file.prefix(2) + comment + file.dropFirst(2)
        }
        // The length from the comment to the end of the file.
        let length = try file(10_000).count - 6
        let digits = "\(length)".count
        let exact = length - 5 + digits
        try expectNone(try file(exact), Self.says(exact))
        // Item data of a HEIC picture is never a video, even if it looks like one.
        let picture = try PictureFacts.picture("heic")
        let data = try #require(picture.firstRange(of: Array("mdat".utf8))).upperBound
        var lying = picture
        lying.replaceSubrange(data + 4..<data + 8, with: Array("ftyp".utf8))
        let pointer =
            Array("mpv2".utf8) + FileNumber.big(data, 4) + FileNumber.big(picture.count - data, 4)
        let report = try? MotionPhotoFile.report(
            lying + MotionPhotoFile.box("sefd", MotionPhotoFile.trailer(pointer)))
        #expect(report?.facts?.embeddedVideo == nil)
    }

    @Test("inconsistent trailers and boxes hold no video and are reported")
    func lyingTrailers() throws {
        let video = try MotionPhotoFile.video()
        let picture = try PictureFacts.picture()
        for wrong in [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF] {
            try expectNone(picture + MotionPhotoFile.trailer(video, distance: wrong), nil)
            try expectNone(picture + MotionPhotoFile.trailer(video, length: wrong), nil)
            try expectNone(picture + MotionPhotoFile.trailer(video, partLength: wrong), nil)
        }
        try expectNone(picture + MotionPhotoFile.trailer(video, count: 0), nil)
        try expectNone(picture + MotionPhotoFile.trailer(video, name: "MotionPhoto_Info"), nil)
        try expectNone(picture + Array("SEFT".utf8), nil)
        for (offset, length) in [
            (0, 100), (Int(UInt32.max), Int(UInt32.max)), (picture.count, 1),
            (picture.count + 1, 50),
        ] {
            let pointer =
                Array("mpv2".utf8) + FileNumber.big(offset, 4) + FileNumber.big(length, 4)
            try expectNone(
                picture + video + MotionPhotoFile.trailer(pointer),
                "Samsung's trailer in it announces a video of \(length) bytes that is missing")
        }
        let heic = try PictureFacts.picture("heic")
        for content in [[], [1], Array(video.dropFirst(4)), Array(video.dropLast(200))] {
            try expectNone(
                heic + MotionPhotoFile.box("mpvd", content),
                "its box for the video of a Motion Photo (mpvd) contains no video")
        }
    }

    @Test("of two locations the first valid one is used")
    func disagreement() throws {
        let video = try MotionPhotoFile.video()
        let other = video + MotionPhotoFile.box("free", [1, 2, 3])
        // First the directory is wrong and MicroVideo is right; then the directory is right and they differ.
        for (length, found) in [(other.count + 5, video), (other.count, other)] {
            let packet = MotionPhotoFile.directory(
                [("Primary", 0, nil), ("MotionPhoto", length, nil)],
                attributes: "GCamera:MicroVideo=\"1\" GCamera:MicroVideoOffset=\"\(video.count)\"")
            try expect(
                try MotionPhotoFile.jpeg(packet, found == video ? video : other), has: found,
                at: 500_000)
        }
        // XMP is wrong, and the trailer is right.
        let trailer = MotionPhotoFile.trailer(video)
        for packet in [MotionPhotoFile.directory(40), MotionPhotoFile.microVideo("40")] {
            let time = packet.contains("MicroVideo") ? 250_000 : 500_000
            try expect(try MotionPhotoFile.jpeg(packet, trailer), has: video, at: time)
        }
        // The box takes precedence over everything else.
        let picture = try PictureFacts.picture("heic")
        let start = picture.count + 8
        let pointer =
            Array("mpv2".utf8) + FileNumber.big(start + video.count + 8, 4)
            + FileNumber.big(other.count, 4)
        try expect(
            picture + MotionPhotoFile.box("mpvd", video) + MotionPhotoFile.box("free", other)
                + MotionPhotoFile.box("sefd", MotionPhotoFile.trailer(pointer)), has: video,
            at: nil)
    }

    @Test("thousands of items, boxes and parts are read quickly")
    func crowds() throws {
        let video = try MotionPhotoFile.video()
        let many = (0..<400).map { _ in
            (semantic: "MotionPhoto", length: Int?.some(1), padding: Int?.none)
        }
        let xmp = try MotionPhotoFile.jpeg(MotionPhotoFile.directory(many), video)
        let boxes = (0..<20_000).flatMap { _ in MotionPhotoFile.box("mpvd", []) }
        for file in [xmp, try PictureFacts.picture("heic") + boxes] {
            var used = 0.0
            let facts = try PictureFacts.of(try TestFile(file)) { used = $0 }
            #expect(facts.embeddedVideo == nil && used < 2)
        }
    }

    @Test("a mutated Motion Photo yields only a video inside the file")
    func random() throws {
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        let video = try MotionPhotoFile.video()
        let heic = try PictureFacts.picture("heic")
        let originals = [
            try MotionPhotoFile.jpeg(
                MotionPhotoFile.directory(video.count), video + MotionPhotoFile.trailer(video)),
            try MotionPhotoFile.jpeg(MotionPhotoFile.microVideo("\(video.count)"), video),
            heic + MotionPhotoFile.box("mpvd", video)
                + MotionPhotoFile.box("sefd", MotionPhotoFile.trailer(video)),
        ]
        for original in originals {
            #expect(try MotionPhotoFile.report(original).facts?.embeddedVideo != nil)
            for _ in 0..<12 {
                let bytes = Array(Fuzz.mutated(Data(original), using: &random))
                guard let facts = try? MotionPhotoFile.report(bytes).facts,
                    let found = facts.embeddedVideo
                else { continue }
                let range = found.range(inFileOfLength: bytes.count)
                #expect(
                    range.map { bytes[$0].dropFirst(4).starts(with: "ftyp".utf8) } == true,
                    "seed \(seed)")
            }
        }
    }
}
