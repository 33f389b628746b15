// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// Videos are imported and shown.
@Suite("video import")
struct VideoImportTests {
    private func studio() throws -> TestStudio {
        try TestStudio(extensions: { _ in }, trusted: false)
    }

    private func importFile(
        _ path: String, into studio: TestStudio
    ) async throws -> ImportResult {
        let results = Mutex<[ImportResult]>([])
        try await studio.host.importPhotos(at: [path], into: studio.library) { result in
            results.withLock { $0.append(result) }
        }
        return try #require(results.withLock { $0.first })
    }

    private func asset(_ path: String, in studio: TestStudio) async throws -> Asset {
        let result = try await importFile(path, into: studio)
        #expect(result.status == .imported, "\(path): \(String(describing: result.error))")
        return try studio.library.asset(
            withLocalIdentifier: try #require(result.assetIdentifier))
    }

    @Test(
        "P-08 F-02 size, duration and rate of each container and codec match ffprobe",
        arguments: [
            ["a.mp4", "-c:v", "libx264", "-c:a", "aac"],
            ["b.mov", "-c:v", "libx265", "-tag:v", "hvc1", "-c:a", "aac"],
            ["c.mkv", "-c:v", "libx264", "-c:a", "libopus"],
            ["d.webm", "-c:v", "libvpx-vp9", "-cpu-used", "8", "-c:a", "libopus"],
            ["e.avi", "-c:v", "mjpeg", "-c:a", "pcm_s16le"],
            ["f.mov", "-c:v", "prores_ks", "-c:a", "pcm_s16le"],
            ["g.mp4", "-c:v", "mpeg4", "-an"],
            ["h.mov", "-c:v", "libx264", "-pix_fmt", "yuvj420p", "-r", "120"],
            ["i.m2ts", "-c:v", "libx264", "-c:a", "ac3"],
            ["j.mpg", "-c:v", "mpeg2video", "-c:a", "mp2"],
            ["k.mpeg", "-c:v", "mpeg1video", "-c:a", "mp2"],
            ["l.wmv", "-c:v", "wmv2", "-c:a", "wmav2"],
        ])
    func containers(arguments: [String]) async throws {
        let studio = try studio()
        let path = studio.folder.file(arguments[0])
        try TestVideo.make(path, size: "320x180", seconds: 1, Array(arguments.dropFirst()))
        let asset = try await asset(path, in: studio)
        let expected = try TestVideo.probe(path)
        #expect(asset.mediaType == .video)
        #expect(asset.pixelWidth == expected.width && asset.pixelHeight == expected.height)
        #expect(abs(asset.duration - expected.duration) < 0.0005)
        let facts = try #require(
            try studio.library.history(ofAsset: asset.localIdentifier).original?.facts?.video)
        #expect(facts.codec == expected.codec && facts.audioCodec == expected.audioCodec)
        #expect(abs((facts.frameRate ?? 0) - expected.frameRate) < 0.01)
        #expect(
            asset.mediaSubtypes == (expected.frameRate > 100 ? [.videoHighFrameRate] : []))
        let slow = try #require(
            try AssetCollection.fetchAssetCollections(
                with: .smartAlbum, subtype: .smartAlbumSlomoVideos, in: studio.library
            ).first)
        #expect(
            try Asset.fetchAssets(in: slow, library: studio.library).count
                == (expected.frameRate > 100 ? 1 : 0))
        #expect(try Asset.fetchAssets(with: .video, in: studio.library).count == 1)
        #expect(try Asset.fetchAssets(with: .image, in: studio.library).isEmpty)
        await studio.host.shutDown()
    }

    @Test("a video and its picture are upright", arguments: [0, 90, 180, 270])
    func upright(turn: Int) async throws {
        let studio = try studio()
        let path = studio.folder.file("turned.mov")
        // Quarters of red, green, blue and white. Only the matrix tells a player how to rotate them.
        let source =
            "color=red:s=64x32:r=10[a];color=lime:s=64x32:r=10[b];color=blue:s=64x32:r=10[c];"
            + "color=white:s=64x32:r=10[d];[a][b]hstack[t];[c][d]hstack[u];[t][u]vstack"
        try TestVideo.run(
            [
                "-filter_complex", source, "-t", "0.5", "-c:v", "libx264", "-crf", "4",
                studio.folder.file("level.mov"),
            ])
        try TestVideo.run(
            [
                "-i", studio.folder.file("level.mov"), "-c", "copy", "-metadata:s:v:0",
                "rotate=\(turn)", path,
            ])
        let asset = try await asset(path, in: studio)
        let isTurned = turn % 180 == 90
        #expect(asset.pixelWidth == (isTurned ? 64 : 128))
        #expect(asset.pixelHeight == (isTurned ? 128 : 64))
        let manager = ImageManager(host: studio.host, library: studio.library)
        let image = try await manager.image(
            for: asset, targetSize: PixelSize(width: 500, height: 500))
        #expect(image.size == PixelSize(width: asset.pixelWidth, height: asset.pixelHeight))
        // The frame as shown by ffmpeg, which rotates videos as players do.
        let shown = try TestVideo.firstFrame(path)
        #expect(shown.width == image.size.width && shown.height == image.size.height)
        for (x, y) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
            let (column, row) = (Int(x * Double(shown.width)), Int(y * Double(shown.height)))
            let place = (row * shown.width + column) * 3
            let expected = Array(shown.pixels[place..<place + 3])
            let found = Array(image.data.dropFirst(place).prefix(3))
            #expect(
                zip(found, expected).allSatisfy { abs(Int($0) - Int($1)) <= 4 },
                "\(turn): \(found), not \(expected)")
        }
        await studio.host.shutDown()
    }

    @Test("P-05 Apple's date with its offset takes precedence over the movie header in UTC")
    func dates() async throws {
        let studio = try studio()
        let header = studio.folder.file("header.mp4")
        try TestVideo.make(
            header, size: "64x64", seconds: 1,
            ["-metadata", "creation_time=2021-05-06T07:08:09Z"])
        let own = studio.folder.file("own.mov")
        try TestVideo.make(
            own, size: "64x64", seconds: 1,
            [
                "-movflags", "use_metadata_tags", "-metadata", "creation_time=2021-05-06T07:08:09Z",
                "-metadata", "com.apple.quicktime.creationdate=2020-02-03T04:05:06+0530",
                "-metadata", "com.apple.quicktime.location.ISO6709=-12.5000+130.2500+012.000/",
                "-metadata", "com.apple.quicktime.make=Apple", "-metadata",
                "com.apple.quicktime.model=iPhone 99", "-metadata",
                "com.apple.quicktime.content.identifier=0F0F", "-metadata",
                "com.apple.quicktime.author=ReplayKitRecording",
            ])
        let none = studio.folder.file("none.mkv")
        try TestVideo.make(none, size: "64x64", seconds: 1, [])
        #expect(
            try await asset(header, in: studio).captureDate?.text == "2021-05-06T07:08:09+00:00")
        let asset = try await asset(own, in: studio)
        #expect(asset.captureDate?.text == "2020-02-03T04:05:06+05:30")
        #expect(asset.location == Location(latitude: -12.5, longitude: 130.25))
        #expect(asset.cameraMake == "Apple" && asset.cameraModel == "iPhone 99")
        #expect(asset.mediaSubtypes == [.videoScreenRecording])
        #expect(try await self.asset(none, in: studio).captureDate == nil)
        await studio.host.shutDown()
    }

    @Test(
        "slow motion is detected by AAE, Android slow motion and time-lapse by capture rate"
    )
    func rates() async throws {
        let studio = try studio()
        let slow = studio.folder.file("IMG_1.MOV")
        try TestVideo.make(slow, size: "64x64", seconds: 1, ["-f", "mov"])
        let mark = try PropertyListSerialization.data(
            fromPropertyList: [
                "adjustmentFormatIdentifier": "com.apple.video.slomo",
                "adjustmentFormatVersion": "1.1", "adjustmentData": Data([1]),
            ], format: .binary, options: 0)
        let aae = try studio.folder.write(mark, to: "IMG_1.AAE")
        let results = Mutex<[ImportResult]>([])
        try await studio.host.importPhotos(at: [slow, aae], into: studio.library) { result in
            results.withLock { $0.append(result) }
        }
        #expect(results.withLock { $0 }.map(\.resourceType) == [.video, .adjustmentData])
        let found = try #require(try Asset.fetchAssets(in: studio.library).first)
        #expect(found.mediaSubtypes == [.videoHighFrameRate])
        for (fps, subtypes) in [
            ("240", [.videoHighFrameRate]), ("1", [.videoTimelapse]), ("25", []),
        ] as [(String, MediaSubtype)] {
            let path = studio.folder.file("\(fps).mp4")
            try TestVideo.make(
                path, size: "64x64", seconds: 1,
                [
                    "-movflags", "use_metadata_tags", "-metadata", "com.android.capture.fps=\(fps)",
                    "-metadata", "comment=\(fps)",
                ])
            let asset = try await asset(path, in: studio)
            #expect(asset.mediaSubtypes == subtypes, "\(fps)")
        }
        await studio.host.shutDown()
    }

    @Test("an invalid video is rejected with the reason, and nothing is kept of it")
    func broken() async throws {
        let studio = try studio()
        let whole = studio.folder.file("whole.mp4")
        try TestVideo.make(whole, size: "160x120", seconds: 1, [])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
        // The index of this file is at its end.
        let sound = studio.folder.file("sound.mp4")
        try TestVideo.run(["-f", "lavfi", "-i", "sine=d=1", "-c:a", "aac", sound])
        let raw = studio.folder.file("raw.avi")
        try TestVideo.make(raw, size: "64x64", seconds: 1, ["-c:v", "rawvideo"])
        let files: [(path: String, words: String)] = [
            (
                try studio.folder.write(bytes.prefix(bytes.count / 2), to: "half.mp4"),
                "moov box, is missing"
            ),
            (try studio.folder.write(bytes.prefix(60), to: "start.mp4"), "moov box, is missing"),
            (sound, "no video"), (raw, "rawvideo"),
        ]
        for (path, words) in files {
            let result = try await importFile(path, into: studio)
            #expect(result.status == .rejected, "\(path)")
            #expect("\(result.error as Any)".contains(words), "\(path): \(result.error as Any)")
        }
        #expect(try Asset.fetchAssets(in: studio.library).isEmpty)
        // The same runner reads the next video.
        _ = try await asset(whole, in: studio)
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test("a video that refers to other files opens none of them")
    func references() async throws {
        let studio = try studio()
        let other = studio.folder.file("other.mp4")
        try TestVideo.make(other, size: "64x64", seconds: 1, [])
        let lists = [
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(other)\n#EXT-X-ENDLIST\n",
            "ffconcat version 1.0\nfile '\(other)'\n",
        ]
        for (index, list) in lists.enumerated() {
            let path = try studio.folder.write(Data(list.utf8), to: "list\(index).mp4")
            #expect(try await importFile(path, into: studio).status != .imported)
        }
        // As in QuickTime, the samples are in the file that `dref` names.
        let away = studio.folder.file("away.mov")
        try TestVideo.make(away, size: "64x64", seconds: 1, [])
        let bytes = try TestVideo.referring(
            try Data(contentsOf: URL(fileURLWithPath: away)), to: other)
        let path = try studio.folder.write(bytes, to: "referring.mov")
        let result = try await importFile(path, into: studio)
        #expect(result.status == .rejected)
        #expect(
            "\(result.error.map { "\($0)" } ?? "")".contains(
                "reference movie: its video data is in \(other), which is not supported"))
        await studio.host.shutDown()
    }

    @Test("sound in another file is reported and left out of renditions")
    func soundElsewhere() async throws {
        let studio = try TestStudio(extensions: {
            try TestExtension.assemble("SepiaFilter", in: $0)
        })
        let whole = studio.folder.file("whole.mov")
        try TestVideo.make(
            whole, size: "64x64", seconds: 1, ["-map", "0:v", "-map", "1:a", "-map", "1:a"])
        // Only the second sound is in another file.
        let bytes = try TestVideo.referring(
            Data(contentsOf: URL(fileURLWithPath: whole)), to: "/elsewhere/sound.mov", track: 2)
        let path = try studio.folder.write(bytes, to: "a.mov")
        let result = try await importFile(path, into: studio)
        let words = "its sound is in another file, /elsewhere/sound.mov, which is ignored"
        #expect(result.warnings == [words])
        let video = try #require(result.assetIdentifier)
        #expect(try await studio.edit(video, "sepia").warnings == [words])
        let edited = try studio.folder.write(studio.currentBytes(video), to: "edited.mov")
        let sounds = try TestVideo.sound(whole)
        #expect(try sounds.count == 2 && TestVideo.sound(edited) == [sounds[0]])
        await studio.host.shutDown()
    }

    @Test("a truncated video is imported, and the missing amount reported without decoding")
    func cutOff() async throws {
        let studio = try studio()
        let path = studio.folder.file("a.mov")
        // Packets of about the same size: 25 pictures of 64 x 48 pixels a second, and no sound.
        try TestVideo.run([
            "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=2", "-c:v", "mjpeg",
            "-movflags",
            "faststart", path,
        ])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let places = try runProgram(
            "/usr/bin/env",
            ["ffprobe", "-v", "error", "-show_entries", "packet=pos", "-of", "csv=p=0", path])
        let begins = places.output.split(whereSeparator: \.isNewline).compactMap {
            Int($0.prefix { $0 != "," })
        }
        #expect(begins.count == 50)
        let whole = try await importFile(path, into: studio)
        #expect(whole.status == .imported && whole.warnings.isEmpty)
        // Truncated within the frame that is shown at 1.2 s.
        let cut = try studio.folder.write(bytes.prefix(begins[30] + 9), to: "cut.mov")
        let result = try await importFile(cut, into: studio)
        #expect(result.status == .imported)
        #expect(
            result.warnings == [
                "truncated: 20 of its 50 frames are missing, from 1.2 s on"
            ])
        let mkv = studio.folder.file("a.mkv")
        try TestVideo.make(mkv, size: "64x48", seconds: 2, [])
        let other = try Data(contentsOf: URL(fileURLWithPath: mkv))
        let cutOther = try studio.folder.write(other.dropLast(1000), to: "cut.mkv")
        #expect(
            try await importFile(cutOther, into: studio).warnings
                == ["truncated: 1000 bytes are missing at its end"])
        let avi = studio.folder.file("a.avi")
        try TestVideo.run([
            "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=4", "-c:v", "mjpeg", avi,
        ])
        let half = try Data(contentsOf: URL(fileURLWithPath: avi))
        let warnings = try await importFile(
            studio.folder.write(half.prefix(half.count / 2), to: "cut.avi"), into: studio
        ).warnings
        #expect(warnings == ["truncated: about 50 of its 100 frames are missing"])
        // The index and a part of the last frame are missing; then only a part of the index.
        for (count, words) in [
            (2000, "about 1 of its 100 frames is missing"),
            (100, "100 bytes are missing at its end"),
        ] {
            let most = try studio.folder.write(half.dropLast(count), to: "most\(count).avi")
            let warnings = try await importFile(most, into: studio).warnings
            #expect(warnings == ["truncated: \(words)"])
        }
        await studio.host.shutDown()
    }

    @Test("a truncated fragmented movie is reported by the length of its last box")
    func cutOffFragments() async throws {
        let studio = try studio()
        let path = studio.folder.file("fragments.mp4")
        try TestVideo.make(
            path, size: "64x48", seconds: 3,
            ["-an", "-g", "25", "-bf", "0", "-movflags", "frag_keyframe+empty_moov"])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var boxes: [(name: String, range: Range<Int>)] = []
        while let start = Optional(boxes.last?.range.upperBound ?? 0), start < bytes.count {
            let size = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            let name = String(decoding: bytes[start + 4..<start + 8], as: UTF8.self)
            boxes.append((name, start..<start + size))
        }
        let index = try #require(boxes.lastIndex { $0.name == "mdat" })
        let (moof, mdat) = (boxes[index - 1].range, boxes[index].range)
        // The frames of a fragment are counted if its index is complete.
        let frames = "25 frames are missing, from 2.0 s on"
        for (count, missing) in [
            (bytes.count, nil), (mdat.upperBound, nil),
            (mdat.upperBound - 1, "1 frame is missing, from 2.9 s on"),
            (mdat.lowerBound + 9, frames), (mdat.lowerBound + 3, frames), (mdat.lowerBound, frames),
            (moof.lowerBound + 20, "at least \(moof.count - 20) bytes are missing at its end"),
            (moof.lowerBound + 3, "at least 5 bytes are missing at its end"),
            (moof.lowerBound, nil),
        ] as [(Int, String?)] {
            let cut = try studio.folder.write(bytes.prefix(count), to: "cut\(count).mp4")
            let result = try await importFile(cut, into: studio)
            #expect(result.status == .imported)
            let words = missing.map { ["truncated: \($0)"] }
            #expect(result.warnings == words ?? [], "\(count)")
        }
        // Bytes after the last box are not a box.
        let more = try studio.folder.write(
            bytes + Data(repeating: 0xd5, count: 5000), to: "more.mp4")
        #expect(try await importFile(more, into: studio).warnings == [])
        await studio.host.shutDown()
    }

    @Test("a browser recording without a duration is measured")
    func withoutLength() async throws {
        let studio = try TestStudio(extensions: {
            try TestExtension.assemble("SepiaFilter", in: $0)
        })
        let path = studio.folder.file("a.webm")
        try TestVideo.make(
            path, size: "96x64", seconds: 2,
            [
                "-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus", "-f", "webm", "-live",
                "1",
            ])
        let said = try runProgram(
            "/usr/bin/env",
            ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path])
        #expect(said.output.hasPrefix("N/A"))
        let asset = try await asset(path, in: studio)
        #expect(abs(asset.duration - 2) < 0.05, "\(asset.duration)")
        try await studio.edit(asset.localIdentifier, "sepia")
        let rendition = try #require(
            try studio.library.history(ofAsset: asset.localIdentifier).chain.last?.current)
        #expect(
            try TestVideo.times(studio.blobPath(rendition.blob)) == TestVideo.times(path))
        await studio.host.shutDown()
    }

    @Test("a program creates a video from a file without further information")
    func creationRequest() async throws {
        let studio = try studio()
        studio.host.attach(to: studio.library)
        let path = studio.folder.file("a.mov")
        try TestVideo.make(path, size: "96x64", seconds: 2, [])
        let made = Mutex<String?>(nil)
        try await studio.library.performChanges {
            let request = try AssetChangeRequest.creationRequestForAssetFromVideo(
                atFileURL: URL(fileURLWithPath: path))
            made.withLock { $0 = request.placeholderForCreatedAsset.localIdentifier }
        }
        let asset = try studio.library.asset(
            withLocalIdentifier: try #require(made.withLock { $0 }))
        #expect(asset.mediaType == .video && asset.pixelWidth == 96)
        #expect(abs(asset.duration - 2) < 0.05)
        let resources = try AssetResource.assetResources(for: asset, in: studio.library)
        #expect(resources.map(\.type) == [.video])
        #expect(try asset.canPerform(.content, in: studio.library))
        await studio.host.shutDown()
    }

    @Test("requestVideo delivers a video's file once, and an error for other assets")
    func requests() async throws {
        let studio = try studio()
        let path = studio.folder.file("a.mov")
        try TestVideo.make(path, size: "96x64", seconds: 1, [])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let asset = try await asset(path, in: studio)
        let manager = ImageManager(host: studio.host, library: studio.library)
        for version in [VideoRequestOptionsVersion.current, .original] {
            var options = VideoRequestOptions()
            options.version = version
            let answers = Mutex<[(AssetVideo?, ImageRequestInfo)]>([])
            let identifier = manager.requestVideo(for: asset, options: options) { video, info in
                answers.withLock { $0.append((video, info)) }
            }
            try await waitUntil("there is an answer") { answers.withLock { !$0.isEmpty } }
            let all = answers.withLock { $0 }
            let answer = try #require(all.first)
            #expect(all.count == 1 && answer.1.requestID == identifier && answer.1.error == nil)
            let video = try #require(answer.0)
            #expect(video.format == .quickTime && video.byteCount == bytes.count)
            #expect(video.size == PixelSize(width: 96, height: 64))
            #expect(abs(video.duration - asset.duration) < 1e-6)
            // Each handle has an offset of its own.
            let handles = try [video.fileHandle(), video.fileHandle()]
            #expect(try handles.map { try $0.readToEnd() } == [bytes, bytes])
        }
        let photo = try studio.library.asset(
            withLocalIdentifier: try await studio.add(.gradient()))
        let error = await #expect(throws: HostError.self) {
            _ = try await manager.video(for: photo)
        }
        #expect(error?.code == .unsupportedMediaType)
        await studio.host.shutDown()
    }

    @Test("videos have sidecars of their own, except those of a picture of their name")
    func sidecars() async throws {
        let studio = try studio()
        try TestVideo.make(studio.folder.file("in1.mov"), size: "64x64", seconds: 1, [])
        let xmp = Data("<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>".utf8)
        _ = try studio.folder.write(xmp, to: "in1.xmp")
        let asset = try await {
            let results = Mutex<[ImportResult]>([])
            try await studio.host.importPhotos(
                at: [studio.folder.file("in1.mov"), studio.folder.file("in1.xmp")],
                into: studio.library
            ) { result in results.withLock { $0.append(result) } }
            let all = results.withLock { $0 }
            #expect(all.map(\.resourceType) == [.video, .metadataSidecar])
            return try studio.library.asset(
                withLocalIdentifier: try #require(all.first?.assetIdentifier))
        }()
        let resources = try AssetResource.assetResources(for: asset, in: studio.library)
        #expect(resources.map(\.type) == [.video, .metadataSidecar])
        await studio.host.shutDown()
    }

    @Test(
        "every real video of the corpus matches ffprobe",
        .corpus)
    func corpus() async throws {
        let studio = try studio()
        let paths = try Corpus.rows(expecting: "import").filter { $0["media_type"] == "video" }
            .map { try Corpus.path($0["path"] ?? "") }
        #expect(paths.count >= 4)
        for path in paths {
            let asset = try await asset(path, in: studio)
            let expected = try TestVideo.probe(path)
            #expect(asset.pixelWidth == expected.width, "\(path)")
            #expect(asset.pixelHeight == expected.height, "\(path)")
            #expect(abs(asset.duration - expected.duration) < 0.0005, "\(path)")
        }
        await studio.host.shutDown()
    }
}
