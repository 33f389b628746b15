// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Extensions make the frames of videos themselves.
@Suite("videos with generated frames")
struct MadeFramesTests {
    private static func studio(
        _ kind: String, trusted: Bool = true
    ) throws -> TestStudio {
        try TestStudio(
            extensions: {
                try TestExtension.assemble("SepiaFilter", in: $0)
                try TestExtension.assemble("CropRotate", in: $0)
                try TestExtension.buildClock(defines: ["MAKES=\(kind)"], in: $0)
            }, trusted: trusted)
    }

    /// The frames of 25 a second by their numbers, and the times of the first three, in seconds.
    private static let kinds: [(kind: String, numbers: [Int], times: [Double])] = [
        ("DOUBLE", [1] + (2...50).flatMap { [$0, $0] }, [0, 0.02, 0.04]),
        ("HALF", Array(stride(from: 1, through: 49, by: 2)), [0, 0.08, 0.16]),
        ("FIRST", [1], [0]),
    ]

    private func add(
        to studio: TestStudio, _ arguments: [String] = []
    ) async throws -> (video: String, path: String) {
        let path = studio.folder.file("a.mov")
        try TestVideo.make(path, size: "160x64", seconds: 2, ["-crf", "4"] + arguments)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        return (try await studio.add(bytes, named: "copy-a.mov"), path)
    }

    private func current(_ identifier: String, in studio: TestStudio) throws -> String {
        try studio.folder.write(
            studio.currentBytes(identifier), to: "current-\(UUID().uuidString)")
    }

    /// How often `put_frame` had been called when each frame was put, as the extension drew it.
    private func numbers(_ path: String) throws -> [Int] {
        try TestVideo.frames(path).map { Int($0[(8 * 160 + 8) * 3 + 2]) }
    }

    private func areNear(_ found: [Int], _ expected: [Int]) -> Bool {
        found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) <= 4 }
    }

    private func seconds(_ path: String) throws -> [Double] {
        try TestVideo.times(path).compactMap(Double.init)
    }

    /// How long the pictures last.
    private func duration(_ path: String) throws -> Double {
        let result = try runProgram(
            "/usr/bin/env",
            [
                "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
                "stream=duration", "-of", "csv=p=0", path,
            ])
        return Double(result.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    @Test(
        "late frames keep their times and the sound; the same recipe gives the same bytes",
        arguments: [true, false])
    func late(isTrusted: Bool) async throws {
        let studio = try Self.studio("LATE", trusted: isTrusted)
        let (video, path) = try await add(to: studio)
        try await studio.edit(video, "clock")
        let edited = try current(video, in: studio)
        #expect(try areNear(numbers(edited), Array(1...50)))
        #expect(try TestVideo.times(edited) == TestVideo.times(path))
        #expect(try TestVideo.sound(edited) == TestVideo.sound(path))
        #expect(try abs(duration(edited) - 2) < 0.001)
        let before = try studio.currentBytes(video)
        try await studio.host.rerender([video], in: studio.library, force: true, jobs: 1) {
            #expect($0.status == .rendered, "\($0)")
        }
        #expect(try studio.currentBytes(video) == before)
        await studio.host.shutDown()
    }

    @Test(
        "more, fewer or single frames are each shown until the next, the last until the end",
        arguments: kinds)
    func others(kind: String, expected: [Int], first: [Double]) async throws {
        let studio = try Self.studio(kind)
        let (video, path) = try await add(to: studio)
        try await studio.edit(video, "clock")
        let edited = try current(video, in: studio)
        let found = try numbers(edited)
        #expect(areNear(found, expected), "\(found)")
        let times = try seconds(edited)
        #expect(zip(times, first).allSatisfy { abs($0 - $1) < 0.001 }, "\(times)")
        #expect(times.count == expected.count)
        #expect(try abs(duration(edited) - 2) < 0.001)
        #expect(try TestVideo.sound(edited) == TestVideo.sound(path))
        await studio.host.shutDown()
    }

    @Test(
        "between other edits an extension gets all frames, and they get its output",
        arguments: [true, false])
    func chain(isTrusted: Bool) async throws {
        let studio = try Self.studio("LATE", trusted: isTrusted)
        let (video, path) = try await add(to: studio)
        try await studio.edit(video, "croprotate", ["turns": "2"])
        try await studio.edit(video, "clock")
        try await studio.edit(video, "croprotate", ["turns": "2"])
        let history = try studio.library.history(ofAsset: video)
        #expect(history.chain.count == 3)
        let edited = try current(video, in: studio)
        #expect(try TestVideo.times(edited) == TestVideo.times(path))
        let frames = try TestVideo.frames(edited)
        let found = frames.map { Int($0[((63 - 8) * 160 + 159 - 8) * 3 + 2]) }
        #expect(areNear(found, Array(1...50)), "\(found)")
        // Upright again, but for what was drawn and the loss of the encoder.
        let ratio = try TestVideo.ratio(
            Array(frames[7].prefix(160 * 32 * 3)),
            Array(TestVideo.frames(path)[7].prefix(160 * 32 * 3)))
        #expect(ratio > 27)
        // A preview of a later edit has one frame alone.
        let output = studio.folder.file("preview.png")
        _ = try await studio.host.preview(
            video, EditRequest(extensionName: "sepia"), in: studio.library, to: output, time: 1)
        let picture = try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: output)))
        #expect(picture.width == 160 && picture.height == 64)
        await studio.host.shutDown()
    }

    @Test("a trimmed video is edited as if it were complete")
    func part() async throws {
        let studio = try TestStudio(extensions: {
            try TestExtension.assemble("Trim", in: $0)
            try TestExtension.buildClock(defines: ["MAKES=DOUBLE"], in: $0)
        })
        let (video, _) = try await add(to: studio)
        try await studio.edit(video, "trim", ["start": "0.5", "end": "1.5"])
        try await studio.edit(video, "clock")
        let edited = try current(video, in: studio)
        #expect(try areNear(numbers(edited), [1] + (2...25).flatMap { [$0, $0] }))
        let times = try seconds(edited)
        #expect(times.count == 49 && times[0] == 0 && abs(times[2] - 0.04) < 0.001)
        #expect(try abs(duration(edited) - 1) < 0.001)
        await studio.host.shutDown()
    }

    @Test(
        "generated frames can be trimmed and are made from all frames before the trim",
        arguments: [("DOUBLE", 0.5, 1.5, 14, 38), ("SLOW", 1.0, 2.0, 14, 25)])
    func cut(kind: String, start: Double, end: Double, first: Int, last: Int) async throws {
        let studio = try TestStudio(extensions: {
            try TestExtension.assemble("Trim", in: $0)
            try TestExtension.buildClock(defines: ["MAKES=\(kind)"], in: $0)
        })
        let (video, _) = try await add(to: studio)
        try await studio.edit(video, "clock")
        try await studio.edit(video, "trim", ["start": "\(start)", "end": "\(end)"])
        let edited = try current(video, in: studio)
        let found = try numbers(edited)
        #expect(found.first.map { abs($0 - first) <= 4 } == true, "\(found)")
        #expect(found.last.map { abs($0 - last) <= 4 } == true, "\(found)")
        let count = (last - first + 1) * (kind == "DOUBLE" ? 2 : 1)
        #expect((count - 1...count).contains(found.count), "\(found)")
        let times = try seconds(edited)
        #expect(times.first == 0 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        // Where frames are not evenly spaced, MOV's own sum of their durations is off by part of one.
        let length = try duration(edited)
        #expect(abs(length - 1) < 0.05, "\(length) \(times)")
        let asset = try studio.library.history(ofAsset: video).asset
        #expect(abs(asset.duration - 1) < 0.001)
        await studio.host.shutDown()
    }

    @Test(
        "invalid frames are rejected with the extension's name, and nothing is committed",
        arguments: [
            ("NONE", "returned none"), ("BACK", "after the previous one"),
            ("BEYOND", "not inside the video"),
            ("DENSE", "millisecond"), ("SIZE", "pixels, but the first had"),
            ("FAILING", "the fifth frame is too many"),
        ])
    func refused(kind: String, message: String) async throws {
        let studio = try Self.studio(kind)
        let (video, _) = try await add(to: studio)
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(video, "clock")
        }
        #expect(error?.code == .extensionFailed, "\(error as Any)")
        #expect(error?.extensionIdentifier == "org.example.clock")
        #expect(error?.message.contains(message) == true, "\(error as Any)")
        #expect(try studio.library.history(ofAsset: video).chain.isEmpty)
        // The host goes on.
        try await studio.edit(video, "sepia")
        await studio.host.shutDown()
    }
}
