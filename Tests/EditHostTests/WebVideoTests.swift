// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Videos in the form that browsers play.
@Suite("videos for the web")
struct WebVideoTests {
    private static let sepia =
        "colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131"

    private let studio: TestStudio

    init() throws {
        studio = try TestStudio { try TestExtension.assemble("SepiaFilter", in: $0) }
    }

    /// Makes a video and imports it.
    private func video(
        _ name: String, size: String = "96x64", seconds: Int = 1, _ arguments: [String]
    ) async throws -> (asset: Asset, path: String) {
        let path = studio.folder.file("made-\(name)")
        try TestVideo.make(path, size: size, seconds: seconds, arguments)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return (try studio.asset(await studio.add(data, named: name)), path)
    }

    private func bytes(_ video: AssetVideo) throws -> Data {
        try #require(try video.fileHandle().readToEnd())
    }

    /// Writes a converted video, and tests what all of them have in common.
    private func converted(_ video: AssetVideo, _ name: String = "converted.mp4") throws -> String {
        let bytes = try bytes(video)
        #expect(video.format == .mp4 && video.byteCount == bytes.count)
        let path = try studio.folder.write(bytes, to: name)
        let facts = try TestVideo.probe(path)
        #expect(facts.codec == "h264")
        #expect(video.size == PixelSize(width: facts.width, height: facts.height))
        #expect(try Self.pixelFormat(path) == "yuv420p")
        // The index is in front of the samples.
        let (index, samples) = (
            bytes.range(of: Data("moov".utf8)), bytes.range(of: Data("mdat".utf8))
        )
        #expect(try #require(index).lowerBound < #require(samples).lowerBound)
        return path
    }

    private static func pixelFormat(_ path: String) throws -> String {
        let result = try runProgram(
            "/usr/bin/env",
            [
                "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
                "stream=pix_fmt", "-of", "csv=p=0", path,
            ])
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private var cached: [String] {
        get throws {
            let folder = "\(studio.library.path)/cache/videos"
            guard FileManager.default.fileExists(atPath: folder) else { return [] }
            return try FileManager.default.subpathsOfDirectory(atPath: folder)
                .filter { $0.contains("/") }.map { "\(folder)/\($0)" }
        }
    }

    @Test(
        "L-19 what browsers play is returned as it is stored",
        arguments: [
            ["a.mov", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"],
            ["a.mp4", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-an"],
        ])
    func stored(arguments: [String]) async throws {
        let (asset, path) = try await video(arguments[0], Array(arguments.dropFirst()))
        let manager = studio.manager()
        #expect(try await manager.webVideoState(of: asset) == .ready)
        let video = try await manager.webVideo(for: asset)
        #expect(try bytes(video) == Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(try cached.isEmpty && manager.webConversions.begun == 0)
        await studio.host.shutDown()
    }

    @Test(
        "L-19 everything else becomes H.264 with AAC, with the same frames and times",
        arguments: [
            ["a.mov", "-c:v", "libx265", "-tag:v", "hvc1", "-pix_fmt", "yuv420p", "-c:a", "aac"],
            ["a.mp4", "-c:v", "libx265", "-pix_fmt", "yuv420p10le", "-c:a", "aac"],
            ["a.mp4", "-c:v", "libx264", "-pix_fmt", "yuv422p", "-c:a", "aac"],
            ["a.mov", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"],
            ["a.mkv", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "ac3", "-ac", "6"],
            ["a.mov", "-c:v", "mpeg4", "-q:v", "2", "-c:a", "alac"],
        ])
    func convertedFormats(arguments: [String]) async throws {
        let (asset, path) = try await video(arguments[0], Array(arguments.dropFirst()))
        let manager = studio.manager()
        #expect(try await manager.webVideoState(of: asset) == .unconverted)
        let video = try await manager.webVideo(for: asset)
        #expect(try await manager.webVideoState(of: asset) == .ready)
        let file = try converted(video)
        let (before, after) = (try TestVideo.probe(path), try TestVideo.probe(file))
        #expect(after.audioCodec == "aac")
        #expect(after.width == 96 && after.height == 64)
        // A frame of AAC has 1,024 samples, 0.023 s at 44,100 Hz, and the last one may be padded.
        #expect(abs(after.duration - before.duration) < 0.05)
        let near = try TestVideo.ratios(file, to: path, filter: "null")
        #expect(near.count == 25 && near.allSatisfy { $0 > 25 }, "\(near)")
        await studio.host.shutDown()
    }

    @Test("L-19 a large video is reduced to 1,920 pixels, and stands upright")
    func large() async throws {
        let path = studio.folder.file("level.mov")
        try TestVideo.make(
            path, size: "2560x640", seconds: 1, ["-c:v", "mpeg4", "-q:v", "4", "-c:a", "aac"])
        let turned = studio.folder.file("turned.mov")
        try TestVideo.run(["-i", path, "-c", "copy", "-metadata:s:v:0", "rotate=90", turned])
        for (file, size) in [(path, (1920, 480)), (turned, (480, 1920))] {
            let name = (file as NSString).lastPathComponent
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            let asset = try studio.asset(await studio.add(data, named: name))
            let video = try await studio.manager().webVideo(for: asset)
            #expect(video.size == PixelSize(width: size.0, height: size.1))
            _ = try converted(video, "\(name).mp4")
        }
        await studio.host.shutDown()
    }

    @Test("L-19 concurrent requests share a conversion, whose result is kept and read again")
    func shared() async throws {
        let (asset, _) = try await video("a.mov", ["-c:v", "mpeg4", "-c:a", "aac"])
        let manager = studio.manager()
        let all = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<8 {
                group.addTask { try bytes(await manager.webVideo(for: asset)) }
            }
            return try await group.reduce(into: [Data]()) { $0.append($1) }
        }
        #expect(all.count == 8 && Set(all).count == 1)
        #expect(manager.webConversions == (inFlight: 0, begun: 1))
        #expect(try cached.count == 1)
        // Another process reads the cache.
        let other = studio.manager()
        #expect(try await other.webVideoState(of: asset) == .ready)
        #expect(try await bytes(other.webVideo(for: asset)) == all[0])
        #expect(other.webConversions.begun == 0)
        await studio.host.shutDown()
    }

    @Test("L-19 a conversion is not reused with other extensions, if a state must be rendered")
    func otherExtensions() async throws {
        let (asset, _) = try await video("a.mov", ["-c:v", "mpeg4", "-an"])
        let identifier = asset.localIdentifier
        try await studio.edit(identifier, "sepia")
        _ = try await studio.host.undo(identifier, in: studio.library)
        #expect(try studio.host.prune(studio.library).renditionCount > 0)
        let current = try studio.asset(identifier)
        _ = try await studio.manager().webVideo(for: current)
        #expect(try await studio.manager().webVideoState(of: current) == .ready)
        let host = try studio.otherHost { $0.extensionFolders = [] }
        let other = ImageManager(host: host, library: studio.library)
        #expect(try await other.webVideoState(of: current) == .unconverted)
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test("L-19 a damaged entry of the cache is replaced")
    func damaged() async throws {
        let (asset, _) = try await video("a.mov", ["-c:v", "mpeg4", "-c:a", "aac"])
        let first = try await bytes(studio.manager().webVideo(for: asset))
        let entry = try #require(try cached.first)
        var changed = try Data(contentsOf: URL(fileURLWithPath: entry))
        changed[changed.count / 2] ^= 1
        try changed.write(to: URL(fileURLWithPath: entry))
        let manager = studio.manager()
        #expect(try await bytes(manager.webVideo(for: asset)) == first)
        #expect(manager.webConversions.begun == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: entry)) == first)
        await studio.host.shutDown()
    }

    @Test("L-19 a video beyond the limit of the cache is converted once, and not kept")
    func limited() async throws {
        let (asset, _) = try await video("a.mov", ["-c:v", "mpeg4", "-c:a", "aac"])
        let host = try studio.otherHost { $0.videoCacheLimit = 100 }
        let manager = ImageManager(host: host, library: studio.library)
        let first = try await bytes(manager.webVideo(for: asset))
        #expect(try await bytes(manager.webVideo(for: asset)) == first)
        #expect(manager.webConversions.begun == 1)
        #expect(try cached.isEmpty)
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test(
        "L-19 a conversion that no request waits for ends, and leaves nothing",
        .timeLimit(.minutes(3)))
    func cancelled() async throws {
        let (asset, _) = try await video(
            "a.mov", size: "1280x720", seconds: 20, ["-c:v", "mpeg4", "-q:v", "8", "-c:a", "aac"])
        let manager = studio.manager()
        let tasks = (0..<2).map { _ in Task { try await manager.webVideo(for: asset) } }
        try await waitUntil("the conversion has begun") { manager.webConversions.begun == 1 }
        for task in tasks { task.cancel() }
        for task in tasks {
            await #expect(throws: (any Error).self) { _ = try await task.value }
        }
        #expect(manager.webConversions == (inFlight: 0, begun: 1))
        #expect(try cached.isEmpty)
        // A later request is not affected.
        #expect(try await manager.webVideoState(of: asset) == .unconverted)
        await studio.host.shutDown()
    }

    @Test("L-19 without a media runner, H.264 is returned, and the error of HEVC names the program")
    func noRunner() async throws {
        let (plain, _) = try await video(
            "a.mp4", ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"])
        let (other, _) = try await video("b.mp4", ["-c:v", "libx265", "-c:a", "aac"])
        let host = try studio.otherHost { $0.mediaRunnerExecutable = nil }
        let manager = ImageManager(host: host, library: studio.library)
        #expect(try await manager.webVideoState(of: plain) == .ready)
        #expect(try await manager.webVideo(for: plain).byteCount > 0)
        for work in [
            { _ = try await manager.webVideo(for: other) },
            { _ = try await manager.webVideoState(of: other) },
        ] {
            let error = await #expect(throws: HostError.self) { try await work() }
            #expect(error?.code == .blockedFormat)
            #expect(error?.message.contains("edithost-media-runner is not installed") == true)
        }
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test("L-19 an edited Live Photo gives its edited motion, and an edit of the still none")
    func livePhoto() async throws {
        let identifier = try await studio.addLivePhoto()
        let original = studio.folder.file("a.mov")
        let manager = studio.manager()
        let untouched = try await manager.webVideo(for: studio.asset(identifier))
        #expect(try bytes(untouched) == Data(contentsOf: URL(fileURLWithPath: original)))
        try await studio.edit(identifier, "sepia")
        let edited = try await manager.webVideo(for: studio.asset(identifier))
        let file = try studio.folder.write(bytes(edited), to: "edited.mov")
        let near = try TestVideo.ratios(file, to: original, filter: Self.sepia)
        #expect(near.count == 25 && near.allSatisfy { $0 > 25 }, "\(near)")
        await studio.host.shutDown()
    }

    @Test("L-19 a photo has no video")
    func photo() async throws {
        let asset = try studio.asset(
            await studio.add(TestPicture.gradient(width: 32, height: 32)))
        let error = await #expect(throws: HostError.self) {
            _ = try await studio.manager().webVideo(for: asset)
        }
        #expect(error?.code == .unsupportedMediaType)
        await studio.host.shutDown()
    }

    @Test(
        "L-19 HEVC of the corpus, and H.264 with uncompressed sound, play with their frames",
        .corpus, arguments: ["video/small_video.mp4", "live/jpegvideocomplement_1.mov"])
    func corpus(name: String) async throws {
        let path = try Corpus.path(name)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let identifier = try await studio.add(data, named: (path as NSString).lastPathComponent)
        let video = try await studio.manager().webVideo(for: studio.asset(identifier))
        let file = try converted(video)
        let (before, after) = (try TestVideo.probe(path), try TestVideo.probe(file))
        #expect((after.width, after.height) == (before.width, before.height))
        #expect(after.audioCodec == "aac")
        #expect(abs(after.duration - before.duration) < 0.05)
        #expect(try TestVideo.times(file).count == TestVideo.times(path).count)
        let near = try TestVideo.ratios(file, to: path, filter: "null")
        #expect(near.reduce(0, +) / Double(max(1, near.count)) > 30, "\(near)")
        await studio.host.shutDown()
    }
}
