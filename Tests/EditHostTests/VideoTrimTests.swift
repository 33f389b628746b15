// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

@Suite("trim")
struct VideoTrimTests {
    private let studio: TestStudio

    init() throws {
        studio = try TestStudio {
            try TestExtension.assemble("SepiaFilter", in: $0)
            try TestExtension.assemble("Trim", in: $0)
            try TestExtension.buildClock(in: $0)
        }
    }

    private func add(_ path: String) async throws -> String {
        try await studio.add(
            try Data(contentsOf: URL(fileURLWithPath: path)),
            named: "copy-" + (path as NSString).lastPathComponent)
    }

    private func current(_ identifier: String) throws -> String {
        try studio.folder.write(
            studio.currentBytes(identifier), to: "current-\(UUID().uuidString)")
    }

    @Test(
        "a trim starts and ends at the nearest frame, with matching sound",
        arguments: ["a.mov", "b.mp4", "c.mkv"], [(0.5, 1.5), (0, 0.77), (1.21, 0)])
    func exact(name: String, part: (start: Double, end: Double)) async throws {
        let path = studio.folder.file(name)
        try TestVideo.make(path, size: "128x64", seconds: 2, ["-crf", "4"])
        let video = try await add(path)
        let result = try await studio.edit(
            video, "trim", ["start": "\(part.start)", "end": "\(part.end)"])
        #expect(result.status == .committed)
        let edited = try current(video)
        let end = part.end == 0 ? 2 : part.end
        // 25 frames a second: each lasts 0.04 s. In Matroska the first is shown after the sound has begun.
        let shown = try TestVideo.times(path).compactMap(Double.init)
        let kept = shown.indices.filter {
            let middle = shown[$0] + 0.02
            return middle >= part.start && (part.end == 0 || middle < end)
        }
        let frames = try TestVideo.frames(path)
        let found = try TestVideo.frames(edited)
        #expect(found.count == kept.count)
        for (frame, original) in zip(found, kept) {
            // Neighbouring frames have a ratio of about 20 dB.
            #expect(TestVideo.ratio(frame, frames[original]) > 27)
        }
        // A part from the first frame on starts with that frame, or before it.
        let offset = kept[0] == 0 ? min(part.start, shown[0]) : shown[kept[0]]
        let times = try TestVideo.times(edited).compactMap(Double.init)
        #expect(
            zip(times, kept).allSatisfy { abs($0 - (shown[$1] - offset)) < 0.0011 }, "\(times)")
        let length = Double(kept.count) * 0.04 + shown[kept[0]] - offset
        #expect(abs(try TestVideo.probe(edited).duration - length) < 0.05)
        let asset = try studio.library.asset(withLocalIdentifier: video)
        #expect(abs(asset.duration - length) < 0.0015, "\(asset.duration)")
        // The sound is compared by packets, because a tone of 440 Hz does not show its position.
        let whole = try TestVideo.packets(path)
        let left = try TestVideo.packets(edited)
        let first = try #require(
            left.first.flatMap { packet in
                whole.firstIndex { $0.hash == packet.hash }
            })
        #expect(left.map(\.hash) == whole[first..<first + left.count].map(\.hash))
        for (old, new) in zip(whole[first...], left) {
            #expect(abs(old.time - offset - new.time) < 0.0021, "\(old.time) \(new.time)")
        }
        #expect(abs(Double(left.count) * 1024 / 44100 - length) < 0.06)
        await studio.host.shutDown()
    }

    @Test(
        "chapters and the file end with the trim, encoded or copied",
        arguments: ["a.mov", "b.mp4", "c.mkv"],
        [0.6, 1.0])
    func chapters(name: String, end: Double) async throws {
        let path = studio.folder.file(name)
        let words = try studio.folder.write(
            Data(
                """
                ;FFMETADATA1
                [CHAPTER]
                TIMEBASE=1/1000
                START=0
                END=900
                title=One
                [CHAPTER]
                TIMEBASE=1/1000
                START=900
                END=2000
                title=Two
                """.utf8), to: "chapters-\(name).txt")
        try TestVideo.run([
            "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=2", "-i", words,
            "-map_metadata", "1", "-c:v", "libx264", "-g", "25", "-bf", "0", path,
        ])
        let video = try await add(path)
        try await studio.edit(video, "trim", ["end": "\(end)"])
        let length = try TestVideo.probe(current(video)).duration
        #expect(abs(length - end) < 0.05, "\(length)")
    }

    @Test(
        "a video that ends before its index is rejected until trimmed to the available part"
    )
    func incomplete() async throws {
        let path = studio.folder.file("whole.mp4")
        try TestVideo.make(path, size: "96x64", seconds: 2, ["-movflags", "faststart"])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let cut = try studio.folder.write(bytes.prefix(bytes.count * 2 / 3), to: "cut.mp4")
        let video = try await add(cut)
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(video, "clock")
        }
        #expect(error?.code == .badInput && error?.message.contains("truncated") == true)
        #expect(try studio.library.history(ofAsset: video).chain.isEmpty)
        try await studio.edit(video, "trim", ["end": "0.4"])
        try await studio.edit(video, "clock")
        #expect(try TestVideo.times(current(video)).count == 10)
    }

    @Test("sounds stored one after another in the file end with the last frame")
    func distantSounds() async throws {
        let path = studio.folder.file("sounds.mp4")
        let tones = [440, 880].flatMap {
            ["-f", "lavfi", "-i", "sine=frequency=\($0):duration=4"]
        }
        // A fragment of 0.8 s contains its tracks consecutively.
        try TestVideo.run(
            ["-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=4"] + tones + [
                "-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-g", "20", "-c:a", "aac",
                "-movflags", "frag_keyframe+empty_moov", "-frag_duration", "800000", path,
            ])
        let video = try await add(path)
        try await studio.edit(video, "trim", ["start": "1", "end": "2"])
        let edited = try current(video)
        for track in 0..<2 {
            let times = try TestVideo.packets(edited, track: track).map(\.time)
            let (first, last) = (try #require(times.first), try #require(times.last))
            #expect(abs(first) < 0.03 && last > 0.96 && last < 1.001, "\(track): \(first) \(last)")
        }
        await studio.host.shutDown()
    }

    @Test("P-08 later edits start at the trim, and undo restores the full duration")
    func chain() async throws {
        let path = studio.folder.file("a.mov")
        try TestVideo.make(path, size: "160x64", seconds: 2, ["-crf", "4"])
        let video = try await add(path)
        try await studio.edit(video, "trim", ["start": "0.4", "end": "1.6"])
        try await studio.edit(video, "clock")
        try await studio.edit(video, "trim", ["start": "0.2"])
        let frames = try TestVideo.frames(current(video))
        #expect(frames.count == 25)
        for (index, frame) in frames.enumerated() {
            func block(_ block: Int, _ band: Int) -> Double {
                Double(frame[(8 * 160 + block * 16 + 8) * 3 + band])
            }
            // It gets the frames that later edits keep, at its own times.
            #expect(abs(block(0, 2) - Double(index + 1)) <= 5)
            #expect(abs(block(1, 0) - (Double(index) * 0.04 + 0.2) * 10) <= 5, "\(index)")
            #expect(abs(block(1, 1) - 12) <= 5)
        }
        func duration() throws -> Double {
            try studio.library.asset(withLocalIdentifier: video).duration
        }
        #expect(abs(try duration() - 1) < 0.001)
        for _ in 0..<2 { _ = try await studio.host.undo(video, in: studio.library) }
        #expect(abs(try duration() - 1.2) < 0.001)
        #expect(try TestVideo.frames(current(video)).count == 30)
        try await studio.library.performChanges {
            try AssetChangeRequest(
                for: studio.library.asset(withLocalIdentifier: video)
            ).revertAssetContentToOriginal()
        }
        #expect(abs(try duration() - 2) < 0.05)
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test("an empty trim or a start after the end changes nothing")
    func wrong() async throws {
        let path = studio.folder.file("a.mov")
        try TestVideo.make(path, size: "64x64", seconds: 1, [])
        let video = try await add(path)
        for (start, end) in [("5", "0"), ("0.5", "0.4"), ("0.5", "0.5"), ("0.501", "0.502")] {
            let error = await #expect(throws: HostError.self, "\(start) \(end)") {
                try await studio.edit(video, "trim", ["start": start, "end": end])
            }
            #expect(error?.assetIdentifier == video && error?.message.isEmpty == false)
        }
        #expect(try studio.library.history(ofAsset: video).chain.isEmpty)
        let picture = try await studio.add(.gradient())
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(picture, "trim")
        }
        #expect(error?.code == .unsupportedMediaType)
        await studio.host.shutDown()
    }
}
