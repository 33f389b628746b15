// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Recordings that were joined byte by byte, so that their clock restarts.
@Suite("joined recordings")
struct JoinedRecordingTests {
    private let studio: TestStudio

    init() throws {
        studio = try TestStudio {
            try TestExtension.assemble("SepiaFilter", in: $0)
            try TestExtension.assemble("Trim", in: $0)
        }
    }

    /// Makes a recording with ten frames per second and returns its bytes.
    ///
    /// - Parameter sound: `ffmpeg`'s source of the sound, or nil for none.
    private func make(
        _ name: String, seconds: Double, sound: String?, _ arguments: [String]
    ) throws -> Data {
        let path = studio.folder.file(name)
        let input = sound.map { ["-f", "lavfi", "-i", $0] } ?? []
        try TestVideo.run(
            ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=10:d=\(seconds)"] + input
                + ["-pix_fmt", "yuv420p"] + arguments + [path])
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// Imports and edits a video. Returns the times of its frames and sound packets in seconds.
    private func edit(_ bytes: Data, _ name: String) async throws -> (
        frames: [Double], sound: [Double]
    ) {
        let video = try await studio.add(bytes, named: name)
        try await studio.edit(video, "sepia")
        let edited = try studio.folder.write(try studio.currentBytes(video), to: "edited.mov")
        return (
            try TestVideo.times(edited).compactMap(Double.init),
            try TestVideo.packets(edited).map(\.time)
        )
    }

    private static func transport(_ sound: String = "ac3") -> [String] {
        [
            "-c:v", "libx264", "-preset", "ultrafast", "-g", "10", "-c:a", sound, "-f", "mpegts",
        ]
    }

    @Test(
        "pictures and sound stay synchronous if the sound is longer", arguments: ["ac3", "aac"])
    func longSound(codec: String) async throws {
        let part = try make("part.mts", seconds: 2, sound: "sine=d=3", Self.transport(codec))
        let (frames, sound) = try await edit(part + part + part, "joined.mts")
        try #require(frames.count == 60 && sound.count % 3 == 0 && !sound.isEmpty)
        let distances = (0..<3).map {
            frames[$0 * frames.count / 3] - sound[$0 * sound.count / 3]
        }
        #expect(distances.allSatisfy { abs($0 - distances[0]) < 0.1 }, "\(distances)")
        #expect(abs(frames[40] - 6) < 0.2)
        await studio.host.shutDown()
    }

    @Test("a part that begins with a key frame is copied from there")
    func copiedPart() async throws {
        let part = try make("part.mts", seconds: 2.3, sound: "sine=d=2.3", Self.transport("aac"))
        let joined = part + part + part + part
        let times = try await edit(joined, "joined.mts").frames
        try #require(times.count == 92)
        // An empty packet makes it another file.
        let empty = Data([0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184))
        let video = try await studio.add(joined + empty, named: "other.mts")
        try await studio.edit(
            video, "trim", ["start": "\(times[69])", "end": "\(times[79])"])
        let trimmed = try studio.folder.write(try studio.currentBytes(video), to: "trimmed.mov")
        // The first ten frames of the last part.
        let expected = try TestVideo.frames(studio.folder.file("part.mts")).prefix(10)
        #expect(try TestVideo.frames(trimmed) == Array(expected))
        await studio.host.shutDown()
    }

    @Test("a pause of the sound is no restart of the clock")
    func pause() async throws {
        let tones = "sine=d=14,aselect='lt(t,1)+gte(t,13)'"
        let paused = try make("a.mts", seconds: 14, sound: tones, Self.transport())
        let part = try make("b.mts", seconds: 2, sound: "sine=d=2", Self.transport())
        let (frames, sound) = try await edit(paused + part, "joined.mts")
        #expect(frames.count == 160 && abs((frames.last ?? 0) - 15.9) < 0.2)
        let gaps = zip(sound, sound.dropFirst()).map { $1 - $0 }.filter { $0 > 0.2 }
        #expect(gaps.count == 1 && abs((gaps.first ?? 0) - 12) < 0.2, "\(gaps)")
        #expect(abs((sound.last ?? 0) - 16) < 0.2)
        await studio.host.shutDown()
    }

    @Test("frames without times do not collide at a restart of a program stream")
    func program() async throws {
        let coding = ["-c:v", "mpeg2video", "-r", "25", "-bf", "2", "-q:v", "20", "-g", "12"]
        let part = try make("part.mpg", seconds: 3, sound: nil, coding)
        let (frames, _) = try await edit(part + part, "joined.mpg")
        #expect(frames.count == 150)
        let steps = zip(frames, frames.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 > 0.039 && $0 < 0.081 }, "\(steps)")
        await studio.host.shutDown()
    }
}
