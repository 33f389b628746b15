// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import RunnerProtocol
import TestSupport
import Testing

/// Videos edited frame by frame.
@Suite("video editing")
struct VideoEditingTests {
    private static func studio(trusted: Bool = true) throws -> TestStudio {
        try TestStudio(
            extensions: {
                try TestExtension.assemble("SepiaFilter", in: $0)
                try TestExtension.assemble("CropRotate", in: $0)
                try TestExtension.buildClock(in: $0)
            }, trusted: trusted)
    }

    /// The `ffmpeg` filter for the W3C's sepia at full strength.
    private static let sepia =
        "colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131"

    /// The same at half strength.
    private static let halfSepia =
        "colorchannelmixer=.6965:.3845:.0945:0:.1745:.843:.084:0:.136:.267:.5655"

    private func add(_ path: String, to studio: TestStudio) async throws -> String {
        try await studio.add(
            try Data(contentsOf: URL(fileURLWithPath: path)),
            named: "copy-" + (path as NSString).lastPathComponent)
    }

    private func current(_ identifier: String, in studio: TestStudio) throws -> String {
        try studio.folder.write(
            studio.currentBytes(identifier), to: "current-\(UUID().uuidString)")
    }

    /// File names, each followed by its `ffmpeg` options.
    private static let files = [
        ["a.mp4", "-c:v", "libx264", "-c:a", "aac"],
        ["b.mov", "-c:v", "libx265", "-tag:v", "hvc1", "-c:a", "aac"],
        ["c.mkv", "-c:v", "libx264", "-c:a", "libopus"],
        ["d.webm", "-c:v", "libvpx-vp9", "-cpu-used", "8", "-c:a", "libopus"],
        ["e.avi", "-c:v", "mjpeg", "-q:v", "2", "-c:a", "pcm_s16le"],
        ["f.mov", "-c:v", "prores_ks", "-c:a", "pcm_s16le"],
        ["g.mp4", "-c:v", "mpeg4", "-q:v", "2", "-an"],
        // Frames of different durations.
        [
            "h.mov", "-c:v", "libx264", "-c:a", "aac", "-vf",
            "select='not(eq(mod(n,3),1))',setpts=PTS+0.01*mod(N\\,4)/TB", "-vsync", "vfr",
        ],
    ]

    /// All files, and one edited by an untrusted extension.
    private static let cases: [([String], Bool)] =
        files.map { ($0, true) } + [(files[1], false)]

    @Test(
        "sepia keeps all frames, times and sound, with ffmpeg's pixels",
        arguments: cases)
    func sepia(arguments: [String], isTrusted: Bool) async throws {
        let studio = try Self.studio(trusted: isTrusted)
        let path = studio.folder.file(arguments[0])
        try TestVideo.make(path, size: "320x180", seconds: 2, Array(arguments.dropFirst()))
        let video = try await add(path, to: studio)
        let result = try await studio.edit(video, "sepia")
        #expect(result.status == .committed && result.input == .original)
        let edited = try current(video, in: studio)
        #expect(try TestVideo.times(edited) == TestVideo.times(path))
        #expect(try TestVideo.sound(edited) == TestVideo.sound(path))
        let (before, after) = (try TestVideo.probe(path), try TestVideo.probe(edited))
        #expect(after.codec == "h264" && after.audioCodec == before.audioCodec)
        #expect(abs(after.duration - before.duration) < 0.05)
        let expected = try TestVideo.frames(path, filter: Self.sepia)
        let found = try TestVideo.frames(edited)
        #expect(found.count == expected.count)
        let ratios = zip(found, expected).map { TestVideo.ratio($0, $1) }
        #expect(ratios.reduce(0, +) / Double(ratios.count) > 36, "\(ratios)")
        #expect(ratios.allSatisfy { $0 > 33 }, "\(ratios)")
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test(
        "C-15 one controller gets the frames in order of time, with time and duration",
        arguments: [true, false])
    func clock(isTrusted: Bool) async throws {
        let studio = try Self.studio(trusted: isTrusted)
        let path = studio.folder.file("a.mov")
        try TestVideo.make(path, size: "160x64", seconds: 2, ["-crf", "4"])
        let video = try await add(path, to: studio)
        try await studio.edit(video, "clock")
        let frames = try TestVideo.frames(current(video, in: studio))
        #expect(frames.count == 50)
        for (index, frame) in frames.enumerated() {
            func block(_ block: Int) -> [Int] {
                (0..<3).map { Int(frame[(8 * 160 + block * 16 + 8) * 3 + $0]) }
            }
            func isNear(_ found: Int, _ expected: Double) -> Bool {
                abs(Double(found) - expected) <= 5
            }
            // One controller was started, and this is its frame number index + 1.
            #expect(isNear(block(0)[1], 1), "\(block(0))")
            #expect(isNear(block(0)[2], Double(index + 1)), "\(index): \(block(0))")
            #expect(isNear(block(1)[0], Double(index) / 25 * 10), "\(index): \(block(1))")
            #expect(isNear(block(1)[1], 20), "\(block(1))")
            #expect(isNear(block(1)[2], 16), "\(block(1))")
        }
        await studio.host.shutDown()
    }

    @Test(
        "A-10 A-11 C-07 a video keeps no previous version: the same edit starts from the original"
    )
    func versions() async throws {
        let studio = try Self.studio()
        let path = studio.folder.file("a.mov")
        try TestVideo.make(path, size: "128x64", seconds: 1, ["-crf", "4"])
        let video = try await add(path, to: studio)
        let asset = try studio.library.asset(withLocalIdentifier: video)
        #expect(try await studio.edit(video, "sepia").input == .original)
        func types() throws -> [AssetResourceType] {
            try AssetResource.assetResources(for: asset, in: studio.library).map(\.type)
        }
        #expect(try types() == [.video, .fullSizeVideo, .adjustmentData])
        // An extension that can handle the recipe gets it with the untouched original.
        let again = try await studio.edit(video, "sepia", ["intensity": "0.5"])
        #expect(again.input == .original)
        let half = try TestVideo.frames(current(video, in: studio))
        let expected = try TestVideo.frames(path, filter: Self.halfSepia)
        let ratios = zip(half, expected).map { TestVideo.ratio($0, $1) }
        #expect(ratios.allSatisfy { $0 > 29 }, "\(ratios)")
        // An extension that cannot gets the current video.
        let before = try current(video, in: studio)
        let turned = try await studio.edit(
            video, "croprotate", ["turns": "1", "crop": "0.25,0,0.5,1"])
        #expect(turned.input == .current)
        #expect(try types() == [.video, .fullSizeVideo, .adjustmentData])
        let after = try current(video, in: studio)
        let size = try TestVideo.probe(after)
        #expect(size.width == 32 && size.height == 128)
        // A shift by one column, or missing sepia, would give 22 at most.
        let near = try TestVideo.ratios(
            after, to: before, filter: "transpose=clock,crop=32:128:16:0")
        #expect(near.count == 25 && near.allSatisfy { $0 > 30 }, "\(near)")
        _ = try await studio.host.undo(video, in: studio.library)
        #expect(try TestVideo.probe(current(video, in: studio)).width == 128)
        _ = try await studio.host.redo(video, in: studio.library)
        #expect(try TestVideo.probe(current(video, in: studio)).width == 32)
        await studio.host.shutDown()
    }

    @Test(
        "A-11 with the original away, an edit starts from the current video, without its recipe",
        arguments: [true, false])
    func originalAway(isTrusted: Bool) async throws {
        let studio = try Self.studio(trusted: isTrusted)
        let path = studio.folder.file("a.mov")
        let away = studio.folder.file("away.mov")
        try TestVideo.make(path, size: "128x64", seconds: 1, ["-crf", "4"])
        var imported: String?
        try await studio.host.importPhotos(at: [path], into: studio.library, by: .reference) {
            imported = $0.assetIdentifier
        }
        let video = try #require(imported)
        try await studio.edit(video, "sepia")
        let first = try current(video, in: studio)
        try FileManager.default.moveItem(atPath: path, toPath: away)
        #expect(try studio.asset(video).canPerform(.content, in: studio.library))

        // The extension can handle the recipe, and is given the current video without it.
        let again = try await studio.edit(video, "sepia", ["intensity": "0.5"])
        #expect(again.input == .current)
        #expect(again.warnings.contains { $0.contains("original is not available") })
        let second = try current(video, in: studio)
        let near = try TestVideo.ratios(second, to: first, filter: Self.halfSepia)
        #expect(near.count == 25 && near.allSatisfy { $0 > 29 }, "\(near)")
        // The original with the new recipe would be this.
        let far = try TestVideo.ratios(second, to: away, filter: Self.halfSepia)
        #expect(far.count == 25 && far.allSatisfy { $0 < 25 }, "\(far)")
        let chain = try studio.library.history(ofAsset: video).chain
        #expect(
            chain.map { $0.editingExtension?.identifier }
                == Array(
                    repeating: "org.edithost.sepia", count: 2))
        // One that cannot handle it is given the current video, too.
        let turned = try await studio.edit(video, "croprotate", ["turns": "1"])
        #expect(turned.input == .current)
        #expect(!turned.warnings.contains { $0.contains("original is not available") })
        let third = try current(video, in: studio)
        let turnedNear = try TestVideo.ratios(third, to: second, filter: "transpose=clock")
        #expect(turnedNear.count == 25 && turnedNear.allSatisfy { $0 > 29 }, "\(turnedNear)")

        // Edits below others need the original.
        let error = await #expect(throws: LibraryError.self) {
            try await studio.edit(video, "sepia", ["intensity": "0.2"], step: 1)
        }
        #expect(error?.code == .originalMissing)
        _ = try await studio.host.undo(video, in: studio.library)
        #expect(
            try studio.currentBytes(video) == Data(contentsOf: URL(fileURLWithPath: second)))
        _ = try await studio.host.redo(video, in: studio.library)

        // With the original, the same edits are rendered from it.
        try FileManager.default.moveItem(atPath: away, toPath: path)
        var statuses: [RerenderResult.Status] = []
        try await studio.host.rerender([video], in: studio.library, jobs: 1) {
            statuses.append($0.status)
        }
        #expect(statuses == [.rendered])
        let whole = try TestVideo.ratios(
            current(video, in: studio), to: path,
            filter: [Self.sepia, Self.halfSepia, "transpose=clock"].joined(separator: ","))
        #expect(whole.count == 25 && whole.allSatisfy { $0 > 29 }, "\(whole)")
        let last = try await studio.edit(video, "croprotate", ["turns": "2"])
        #expect(last.input == .previous)
        #expect(try studio.library.history(ofAsset: video).chain.count == 3)
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test("the same recipe gives the same bytes", arguments: [true, false])
    func deterministic(isTrusted: Bool) async throws {
        let studio = try Self.studio(trusted: isTrusted)
        let path = studio.folder.file("a.mkv")
        try TestVideo.make(path, size: "320x180", seconds: 1, ["-c:v", "libx264", "-c:a", "aac"])
        let video = try await add(path, to: studio)
        try await studio.edit(video, "sepia")
        let first = try studio.currentBytes(video)
        var results: [RerenderResult] = []
        try await studio.host.rerender([video], in: studio.library, jobs: 1) { results.append($0) }
        try await studio.host.rerender([video], in: studio.library, force: true, jobs: 1) {
            results.append($0)
        }
        #expect(results.map(\.status) == [.upToDate, .rendered], "\(results.map(\.reason))")
        #expect(try studio.currentBytes(video) == first)
        await studio.host.shutDown()
    }

    @Test("an edit that is cancelled or whose extension edits no frames commits nothing")
    func failures() async throws {
        let studio = try TestStudio {
            try TestExtension.assemble("SepiaFilter", in: $0)
            try TestExtension.buildAdder(
                "org.example.both", manifest: ["supportedMediaTypes": ["image", "video"]], in: $0)
        }
        let path = studio.folder.file("a.mp4")
        try TestVideo.make(path, size: "640x360", seconds: 8, [])
        let video = try await add(path, to: studio)
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(video, "both")
        }
        #expect("\(error as Any)".contains("frame-processor"), "\(error as Any)")
        let cancellation = EditCancellation()
        await #expect(throws: HostError.self) {
            try await studio.host.edit(
                [video], EditRequest(extensionName: "sepia"), in: studio.library,
                cancellation: cancellation
            ) { _, progress in
                if progress.fraction > 0.05 { Task { await cancellation.cancel() } }
            }
        }
        #expect(cancellation.isCancelled)
        #expect(try studio.library.history(ofAsset: video).chain.isEmpty)
        // The next edit is not affected.
        #expect(try await studio.edit(video, "sepia").status == .committed)
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test("a preview shows the frame at a time, which its extension receives")
    func preview() async throws {
        let studio = try Self.studio()
        let path = studio.folder.file("a.mov")
        try TestVideo.make(path, size: "160x64", seconds: 4, ["-crf", "4"])
        let video = try await add(path, to: studio)
        let output = studio.folder.file("preview.png")
        for time in [nil, 0, 1.5, 3.2, 100] as [Double?] {
            _ = try await studio.host.preview(
                video, EditRequest(extensionName: "clock"), in: studio.library, to: output,
                time: time)
            let picture = try TestPicture(
                decoding: Data(contentsOf: URL(fileURLWithPath: output)))
            #expect(picture.width == 160 && picture.height == 64)
            let place = (8 * 160 + 24) * picture.bands
            let tenths = Double(picture.samples[place])
            // The frame shown at that time, at 25 frames a second.
            let shown = (min(time ?? 0, 3.96) * 25 + 0.001).rounded(.down) / 25
            #expect(tenths == (shown * 10 + 0.001).rounded(.down), "\(time as Any): \(tenths)")
        }
        #expect(try studio.library.history(ofAsset: video).chain.isEmpty)
        await studio.host.shutDown()
    }
}
