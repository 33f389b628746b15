// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// The video of the input as plug-ins read it in a session, which write what they find into their recipe.
@Suite("video of the input")
struct InputVideoTests {
    /// What `viewer.c` found.
    private struct Finding {
        var lines: [[Substring]] = []

        init(_ recipe: String?) throws {
            lines = try #require(recipe).split(separator: "\n").map { $0.split(separator: " ") }
        }

        func values(_ name: Substring) -> [Substring] {
            lines.first { $0.first == name }.map { Array($0.dropFirst()) } ?? []
        }

        func numbers(_ name: Substring) -> [Double] { values(name).compactMap { Double($0) } }

        /// The frames with their times.
        func frames(_ name: Substring) throws -> [(time: Double, pixels: [UInt8])] {
            try lines.filter { $0.first == name }.map { line in
                try #require(line.count == 5, "\(line.prefix(4))")
                return (try #require(Double(line[1])), try bytes(line[4]))
            }
        }

        /// The samples that a line ends with.
        func samples(_ name: Substring) throws -> [Float] {
            let digits = try bytes(try #require(values(name).last))
            return stride(from: 0, to: digits.count, by: 4).map { index in
                Float(bitPattern: digits[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) })
            }
        }

        private func bytes(_ text: Substring) throws -> [UInt8] {
            let digits = Array(text.utf8)
            return try stride(from: 0, to: digits.count, by: 2).map { index in
                let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
                return try #require(UInt8(pair, radix: 16))
            }
        }
    }

    private static func studio(trusted: Bool = true) throws -> TestStudio {
        try TestStudio(
            extensions: {
                try TestExtension.assemble("SepiaFilter", in: $0)
                try TestExtension.assemble("Trim", in: $0)
                try TestExtension.buildViewer(in: $0)
            }, trusted: trusted)
    }

    private static func add(_ path: String, to studio: TestStudio) async throws -> String {
        try await studio.add(
            try Data(contentsOf: URL(fileURLWithPath: path)),
            named: "copy-" + (path as NSString).lastPathComponent)
    }

    /// The first sound track as decoded by `ffmpeg`, channels interleaved.
    private static func sound(_ path: String) throws -> [Float] {
        let folder = try TemporaryFolder()
        let output = folder.file("sound.f32")
        try TestVideo.run(["-i", path, "-map", "0:a:0", "-f", "f32le", output])
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: output)))
        return stride(from: 0, to: bytes.count - 3, by: 4).map { index in
            Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[index + $1]) << (8 * $1) })
        }
    }

    /// Compares what the plug-in found with a file as `ffmpeg` and `ffprobe` read it.
    ///
    /// - Parameter isExact: Whether the pixels have no subsampled chroma, which `ffmpeg` enlarges in another way.
    private static func compare(
        _ finding: Finding, with path: String, isExact: Bool = false
    ) throws {
        let probed = try TestVideo.probe(path)
        let video = finding.numbers("video")
        try #require(video.count == 6, "\(video)")
        #expect(video[0] == Double(probed.width) && video[1] == Double(probed.height))
        #expect(abs(video[4] - probed.duration) < 0.05)
        let found = try finding.frames("frame")
        try compareFrames(finding, with: TestVideo.frames(path), atLeast: isExact ? 60 : 22)
        let times = try TestVideo.times(path).compactMap(Double.init)
        #expect(zip(found.map(\.time), times).allSatisfy { abs($0 - $1) < 0.002 })
        try compareRandom(finding, found)
        try compareSound(finding, with: path)
        // EE_UNSUPPORTED
        #expect(finding.numbers("misuse") == [4, 4, 4])
        #expect(finding.numbers("longer") == [1])
    }

    /// Compares each frame with the expected one.
    ///
    /// - Parameter decibels: The minimum similarity.
    private static func compareFrames(
        _ finding: Finding, with expected: [[UInt8]], atLeast decibels: Double
    ) throws {
        let found = try finding.frames("frame").map(\.pixels)
        try #require(found.count == expected.count && !found.isEmpty)
        for (index, pixels) in found.enumerated() {
            #expect(TestVideo.ratio(pixels, expected[index]) > decibels, "\(index)")
        }
    }

    private static func compareRandom(
        _ finding: Finding, _ frames: [(time: Double, pixels: [UInt8])]
    ) throws {
        let others = try finding.frames("random")
        try #require(others.count == 4)
        for (frame, time) in zip(others, [1e9, 0.5, -3, 0.1]) {
            let shown = try #require(
                frames.last { $0.time <= time + 0.001 } ?? frames.first, "\(time)")
            #expect(frame.time == shown.time, "\(time)")
            #expect(frame.pixels == shown.pixels, "\(time)")
        }
    }

    private static func compareSound(_ finding: Finding, with path: String) throws {
        let video = finding.numbers("video")
        let expected = try sound(path)
        let found = try finding.samples("sound")
        #expect(found.contains { abs($0) > 0.05 })
        let near = zip(found, expected).filter { abs($0 - $1) < 1e-4 }.count
        #expect(near == min(found.count, expected.count))
        #expect(found.dropFirst(expected.count).allSatisfy { $0 == 0 })
        let part = try finding.samples("part")
        let first = try #require(finding.values("part").first.flatMap { Int($0) })
        let start = first * Int(video[3])
        #expect(part.count == 500 * Int(video[3]))
        // A lossy decoder that starts in the middle does not restore exactly the same samples. Matroska rounds times to
        // milliseconds, so its sound can be shifted by half of one.
        let shift = path.hasSuffix(".mkv") ? Int(video[2]) / 2000 + 1 : 0
        let matches = (-shift...shift).contains { shift in
            let shifted = found.dropFirst(start + shift * Int(video[3]))
            return zip(part, shifted).allSatisfy { abs($0 - $1) < 0.02 }
        }
        #expect(matches)
    }

    @Test(
        "C-15 the input has the video: frames with times, sound and duration",
        arguments: [
            ["a.mov", "-c:v", "libx264", "-pix_fmt", "yuv444p", "-c:a", "pcm_s16le", "-ac", "2"],
            ["b.mp4", "-c:v", "libx264", "-c:a", "aac"],
            [
                "c.mkv", "-c:v", "libx264", "-pix_fmt", "yuv444p", "-g", "5", "-c:a", "flac",
            ],
            ["d.avi", "-c:v", "mjpeg", "-q:v", "2", "-c:a", "pcm_s16le"],
        ], [true, false])
    func video(arguments: [String], isTrusted: Bool) async throws {
        let studio = try Self.studio(trusted: isTrusted)
        let path = studio.folder.file(arguments[0])
        try TestVideo.make(path, size: "64x48", seconds: 2, Array(arguments.dropFirst()))
        let video = try await Self.add(path, to: studio)
        let result = try await studio.edit(video, "viewer")
        #expect(result.status == .committed)
        let finding = try Finding(studio.recipe(video))
        #expect(finding.numbers("describe") == [0])
        #expect(finding.numbers("video").last == -1)
        try Self.compare(finding, with: path, isExact: arguments.contains("yuv444p"))
        await studio.host.shutDown()
    }

    @Test("a video without sound has frames and no samples")
    func silent() async throws {
        let studio = try Self.studio()
        let path = studio.folder.file("a.mp4")
        try TestVideo.make(path, size: "64x48", seconds: 1, ["-c:v", "libx264", "-an"])
        let video = try await Self.add(path, to: studio)
        try await studio.edit(video, "viewer")
        let finding = try Finding(studio.recipe(video))
        #expect(finding.numbers("video").dropFirst(2).prefix(2) == [0, 0])
        #expect(try finding.frames("frame").count == 25)
        #expect(finding.values("sound").isEmpty)
        await studio.host.shutDown()
    }

    @Test("a video whose sound has too many channels has frames and no samples")
    func manyChannels() async throws {
        let studio = try Self.studio()
        let path = studio.folder.file("a.mov")
        try TestVideo.run([
            "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=1", "-f", "s16le", "-ar",
            "8000", "-ac", "65", "-i", "/dev/zero", "-t", "1", "-c:v", "libx264", "-c:a",
            "pcm_s16le", path,
        ])
        let video = try await Self.add(path, to: studio)
        try await studio.edit(video, "viewer")
        let finding = try Finding(studio.recipe(video))
        #expect(finding.numbers("video").dropFirst(2).prefix(2) == [0, 0])
        #expect(try finding.frames("frame").count == 25)
        await studio.host.shutDown()
    }

    @Test(
        "the video of an edit above others is the stored current version",
        arguments: [true, false])
    func current(isTrusted: Bool) async throws {
        let studio = try Self.studio(trusted: isTrusted)
        let path = studio.folder.file("a.mov")
        try TestVideo.make(
            path, size: "64x48", seconds: 2, ["-c:v", "libx264", "-crf", "4", "-c:a", "pcm_s16le"])
        let video = try await Self.add(path, to: studio)
        try await studio.edit(video, "trim", ["start": "0.4", "end": "1.6"])
        let trimmed = try studio.folder.write(studio.currentBytes(video), to: "trimmed.mov")
        try await studio.edit(video, "viewer")
        let finding = try Finding(studio.recipe(video))
        try #require(finding.numbers("video").count == 6)
        #expect(abs(finding.numbers("video")[4] - 1.2) < 0.05)
        let kept = try TestVideo.frames(trimmed)
        #expect(kept.count == 30)
        try Self.compareFrames(finding, with: kept, atLeast: 22)
        await studio.host.shutDown()
    }

    @Test("the video of a continued edit is rendered if it is not stored")
    func previous() async throws {
        let studio = try Self.studio()
        let path = studio.folder.file("a.mov")
        try TestVideo.make(path, size: "64x48", seconds: 1, ["-crf", "4"])
        let video = try await Self.add(path, to: studio)
        try await studio.edit(video, "sepia", ["intensity": "1"])
        try await studio.edit(video, "viewer")
        let result = try await studio.edit(video, "viewer")
        #expect(result.status == .committed)
        let finding = try Finding(studio.recipe(video))
        #expect(finding.lines.contains(["continued"]))
        let sepia = "colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131"
        try Self.compareFrames(
            finding, with: TestVideo.frames(path, filter: sepia), atLeast: 22)
        let plain = try TestVideo.frames(path)
        for (frame, pixels) in zip(try finding.frames("frame"), plain) {
            #expect(TestVideo.ratio(frame.pixels, pixels) < 20, "\(frame.time)")
        }
        await studio.host.shutDown()
    }

    @Test(
        "L-02 the input of a Live Photo has its video and the time of the still",
        arguments: [true, false])
    func livePhoto(isTrusted: Bool) async throws {
        let studio = try Self.studio(trusted: isTrusted)
        let path = studio.folder.file("a.mp4")
        try TestVideo.make(path, size: "64x48", seconds: 2, [])
        let asset = try await studio.add(
            TestLivePhoto.motionPhoto(
                .gradient(width: 160, height: 120),
                video: Data(contentsOf: URL(fileURLWithPath: path)), time: 1_500_000),
            named: "a.jpg")
        try await studio.edit(asset, "viewer")
        let finding = try Finding(studio.recipe(asset))
        #expect(finding.numbers("describe") == [0])
        #expect(finding.numbers("video").last == 1.5)
        try Self.compare(finding, with: path)
        await studio.host.shutDown()
    }

    /// The lines of `Player.swift`, each split at its spaces.
    private static func played(
        _ asset: String, in studio: TestStudio, stillOnly: Bool = false
    ) async throws -> [[Substring]] {
        var request = EditRequest(extensionName: "player")
        request.stillOnly = stillOnly
        _ = try await studio.host.edit([asset], request, in: studio.library)
        return try #require(try studio.recipe(asset)).split(separator: "\n").map {
            $0.split(separator: " ", maxSplits: $0.hasPrefix("still") ? 3 : 8)
        }
    }

    @Test("C-15 K-04 L-02 a Swift plug-in finds the video, the Live Photo and the playback style")
    func swift() async throws {
        let studio = try TestStudio(extensions: {
            try TestExtension.assemble("SepiaFilter", in: $0)
            try TestExtension.buildSwift(
                "Player", manifest: ["abi": "1.1", "supportedMediaTypes": ["image", "video"]],
                in: $0)
        })
        func style(_ asset: String) throws -> Substring {
            let style = try studio.library.asset(withLocalIdentifier: asset).playbackStyle
            return "\(style.rawValue)"
        }
        let path = studio.folder.file("a.mp4")
        try TestVideo.make(
            path, size: "64x48", seconds: 2, ["-c:v", "libx264", "-c:a", "aac", "-ar", "48000"])
        let video = try await Self.add(path, to: studio)
        let film = try await Self.played(video, in: studio)
        #expect(try film[1] == ["style", style(video)])
        try #require(film.count == 3 && film[2].count == 9, "\(film)")
        try Self.expectVideo(film[2], named: "video")

        let picture = TestPicture.gradient(width: 160, height: 120)
        let live = try await studio.add(
            TestLivePhoto.motionPhoto(
                picture, video: Data(contentsOf: URL(fileURLWithPath: path)), time: 1_500_000),
            named: "a.jpg")
        let motion = try await Self.played(live, in: studio)
        #expect(try motion[1] == ["style", style(live)] && motion[1] == ["style", "3"])
        try #require(motion.count == 5, "\(motion)")
        #expect(motion[2].prefix(3) == ["still", "160", "120"])
        #expect(motion[3] == ["photo", "1.5"])
        try Self.expectVideo(motion[4], named: "motion")
        var request = EditRequest(extensionName: "sepia")
        request.stillOnly = true
        _ = try await studio.host.edit([live], request, in: studio.library)
        let hidden = try await Self.played(live, in: studio)
        #expect(try style(live) == "1")
        #expect(hidden.dropFirst() == [["style", "1"]])

        let again = try await studio.add(
            TestLivePhoto.motionPhoto(
                picture, video: Data(contentsOf: URL(fileURLWithPath: path)), time: 500_000),
            named: "b.jpg")
        #expect(try await Self.played(again, in: studio, stillOnly: true)[1] == ["style", "3"])
        // The edit is continued while it hides the motion, and then shows it again.
        let continued = try await Self.played(again, in: studio, stillOnly: true)
        #expect(continued.dropFirst() == [["style", "1"]])
        #expect(try await Self.played(again, in: studio)[1] == ["style", "3"])

        let photo = try await studio.add(.gradient())
        let still = try await Self.played(photo, in: studio)
        #expect(try still.dropFirst() == [["style", style(photo)]])
        await studio.host.shutDown()
    }

    /// Checks a line about a video of 64 by 48 pixels, 2 seconds and 25 frames per second, with sound.
    private static func expectVideo(_ line: [Substring], named name: Substring) throws {
        let numbers = line.dropFirst().compactMap { Double($0) }
        try #require(line.first == name && numbers.count == 8, "\(line)")
        #expect(Array(numbers[0..<2]) == [64, 48])
        #expect(abs(numbers[2] - 2) < 0.05)
        #expect(numbers[3] == 50 && abs(numbers[4] - 49.0 / 25) < 1e-6)
        #expect(numbers[5] == 48000 && abs(numbers[6] - 96000) < 2400)
        #expect(numbers[7] > 0.05 && numbers[7] < 1)
    }

    @Test("a photo, and a Live Photo without its motion, have no video")
    func none() async throws {
        let studio = try Self.studio()
        let photo = try await studio.add(.gradient())
        try await studio.edit(photo, "viewer")
        #expect(try Finding(studio.recipe(photo)).numbers("describe") == [4])
        let path = studio.folder.file("a.mp4")
        try TestVideo.make(path, size: "64x48", seconds: 1, [])
        let asset = try await studio.add(
            TestLivePhoto.motionPhoto(
                .gradient(width: 160, height: 120),
                video: Data(contentsOf: URL(fileURLWithPath: path)), time: 500_000),
            named: "a.jpg")
        var request = EditRequest(extensionName: "sepia")
        request.stillOnly = true
        _ = try await studio.host.edit([asset], request, in: studio.library)
        try await studio.edit(asset, "viewer")
        #expect(try Finding(studio.recipe(asset)).numbers("describe") == [4])
        await studio.host.shutDown()
    }

    /// Edits a video with the viewer in its own task, and returns the error.
    private static func failure(
        _ studio: TestStudio, cancelling cancellation: EditCancellation = EditCancellation(),
        after line: String? = nil
    ) async throws -> HostError {
        let path = studio.folder.file("a.mp4")
        try TestVideo.make(path, size: "64x48", seconds: 2, ["-c:v", "libx264", "-an"])
        let video = try await add(path, to: studio)
        let edit = Task {
            try await studio.host.edit(
                [video], EditRequest(extensionName: "viewer"), in: studio.library,
                cancellation: cancellation)
        }
        if let line {
            try await studio.log.wait { $0.hasSuffix(line) }
            await cancellation.cancel()
        }
        let error = await #expect(throws: HostError.self) { try await edit.value }
        #expect(try studio.library.history(ofAsset: video).states.isEmpty)
        return try #require(error)
    }

    @Test("a cancel fails the demand of an extension that reads frames", arguments: [true, false])
    func cancelled(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildViewer(defines: ["REPEATS=1"], in: $0) },
            trusted: isTrusted)
        let error = try await Self.failure(studio, cancelling: EditCancellation(), after: "reads")
        #expect(error.code == .cancelled, "\(error)")
        try await studio.log.wait { $0.hasSuffix("the edit was cancelled") }
        await studio.host.shutDown()
    }

    @Test("a runner that demands video twice at the same time has broken the protocol")
    func overlapping() async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildViewer(defines: ["OVERLAPS=1"], in: $0) },
            trusted: false)
        let error = try await Self.failure(studio)
        #expect(error.code == .extensionFailed)
        #expect(error.extensionIdentifier == "org.example.viewer")
        #expect(
            error.description.contains("demanded video before the last demand was met"), "\(error)")
        await studio.host.shutDown()
    }
}
