// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// Unusual or damaged videos, and edits of them.
@Suite("unusual videos")
struct VideoBadInputTests {
    private let studio: TestStudio
    private var folder: TemporaryFolder { studio.folder }

    init() throws {
        studio = try TestStudio { try TestExtension.assemble("SepiaFilter", in: $0) }
    }

    private func bytes(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// Imports a file. Returns nil if it is rejected, which leaves nothing behind.
    private func add(_ path: String) async throws -> String? {
        let results = Mutex<[ImportResult]>([])
        try await studio.host.importPhotos(at: [path], into: studio.library) { result in
            results.withLock { $0.append(result) }
        }
        let result = try #require(results.withLock { $0.first })
        if result.status != .imported { #expect(result.error != nil, "\(path)") }
        return result.status == .imported ? result.assetIdentifier : nil
    }

    /// Imports and edits a file, and returns the path of the result.
    private func edited(_ path: String) async throws -> String {
        let video = try #require(try await add(path), "\(path)")
        try await studio.edit(video, "sepia")
        return try folder.write(
            studio.currentBytes(video), to: "edited-\((path as NSString).lastPathComponent)")
    }

    private func finish() async throws {
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test("a single frame, no sound, ten sounds, subtitles and a cover keep frames and sounds")
    func streams() async throws {
        let one = folder.file("one.mp4")
        try TestVideo.run([
            "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10", "-frames:v", "1", "-c:v", "libx264",
            one,
        ])
        let still = try await edited(one)
        #expect(try TestVideo.times(still) == TestVideo.times(one))
        #expect(abs(try TestVideo.probe(still).duration - 0.1) < 0.002)

        let words = try folder.write(
            Data("1\n00:00:00,100 --> 00:00:00,900\nWords\n".utf8), to: "words.srt")
        let cover = folder.file("cover.png")
        try TestVideo.run(["-f", "lavfi", "-i", "color=red:size=32x32", "-frames:v", "1", cover])
        for name in ["many.mp4", "many.mkv"] {
            let many = folder.file(name)
            let tones = (0..<10).flatMap {
                ["-f", "lavfi", "-i", "sine=frequency=\(200 + 50 * $0):duration=1"]
            }
            let isMatroska = name.hasSuffix("mkv")
            try TestVideo.run(
                ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=1"] + tones
                    + ["-i", words, "-i", cover, "-map", "0:v"]
                    + (1...10).flatMap { ["-map", "\($0):a"] }
                    + ["-map", "11:s", "-c:v:0", "libx264", "-c:a", "aac"]
                    + ["-c:s", isMatroska ? "srt" : "mov_text"]
                    + (isMatroska
                        ? [
                            "-attach", cover, "-metadata:s:t", "mimetype=image/png",
                            "-metadata:s:t", "filename=cover.png",
                        ]
                        : ["-map", "12:v", "-c:v:1", "copy", "-disposition:v:1", "attached_pic"])
                    + [many])
            let video = try #require(try await add(many))
            let warnings = try await studio.edit(video, "sepia").warnings
            #expect(
                warnings == (isMatroska ? [] : ["its cover, a picture in the file, is omitted"]))
            let result = try folder.write(studio.currentBytes(video), to: "edited-\(name)")
            if isMatroska {
                // The attachment is still a picture with the same pixels.
                let (before, after) = (folder.file("before.rgb"), folder.file("after.rgb"))
                for (from, to) in [(many, before), (result, after)] {
                    try TestVideo.run([
                        "-i", from, "-map", "0:v:1", "-f", "rawvideo", "-pix_fmt", "rgb24", to,
                    ])
                }
                #expect(try bytes(before).count == 32 * 32 * 3 && bytes(before) == bytes(after))
            }
            #expect(try TestVideo.times(result) == TestVideo.times(many), "\(name)")
            #expect(try TestVideo.sound(result) == TestVideo.sound(many), "\(name)")
            #expect(try TestVideo.sound(many).count == 10, "\(name)")
        }
        try await finish()
    }

    @Test("a video one pixel wide or high is reported as unwritable; 2x2 is written")
    func tinySides() async throws {
        for (size, isWritten) in [("1:1", false), ("1:4", false), ("2:2", true)] {
            let path = folder.file("tiny\(isWritten)\(size.last ?? " ").mov")
            try TestVideo.run([
                "-f", "lavfi", "-i", "color=red:size=64x64:rate=10:duration=1", "-vf",
                "scale=\(size),setsar=1", "-c:v", "mjpeg", "-pix_fmt", "yuvj444p", path,
            ])
            let video = try #require(try await add(path))
            if isWritten {
                try await studio.edit(video, "sepia")
                continue
            }
            let error = await #expect(throws: HostError.self) {
                try await studio.edit(video, "sepia")
            }
            #expect(error?.code == .badInput && error?.assetIdentifier == video)
            #expect(error?.message.contains("cannot be written") == true)
        }
        try await finish()
    }

    @Test("an odd side loses its last column or row")
    func oddSides() async throws {
        let odd = folder.file("odd.mov")
        try TestVideo.run([
            "-f", "lavfi", "-i", "testsrc2=size=63x47:rate=10:duration=1", "-c:v", "prores_ks", odd,
        ])
        let description = try TestVideo.probe(try await edited(odd))
        #expect(description.width == 62 && description.height == 46)
        try await finish()
    }

    @Test("if the size changes midway, the first size is used, with a warning")
    func changingSize() async throws {
        var stream = Data()
        for (index, size) in ["96x64", "64x96", "32x32"].enumerated() {
            let path = folder.file("part\(index).h264")
            try TestVideo.run([
                "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=10:duration=1", "-c:v", "libx264",
                "-bf", "0", "-f", "h264", path,
            ])
            stream += try bytes(path)
        }
        let raw = try folder.write(stream, to: "all.h264")
        let path = folder.file("changing.mkv")
        try TestVideo.run([
            "-f", "h264", "-i", raw, "-c", "copy", "-bsf:v", "setts=ts=N*1200000/10", path,
        ])
        let video = try #require(try await add(path))
        let warnings = try await studio.edit(video, "sepia").warnings
        #expect(
            warnings == [
                "the size of its frames changes: those of 64 by 96, 32 by 32 are scaled to 96 by 64 pixels"
            ])
        let result = try folder.write(studio.currentBytes(video), to: "edited.mkv")
        let description = try TestVideo.probe(result)
        #expect(description.width == 96 && description.height == 64)
        #expect(try TestVideo.times(result).count == 30)
        try await finish()
    }

    @Test("negative, repeated or descending times keep all frames, at rising times")
    func times() async throws {
        let plain = folder.file("plain.mp4")
        try TestVideo.make(plain, size: "64x48", seconds: 1, ["-bf", "0"])
        let odd: [(String, [String])] = [
            ("repeated.mkv", ["-bsf:v", "setts=ts=floor(PTS/3)*3"]),
            ("all-same.mkv", ["-bsf:v", "setts=ts=0"]),
            ("negative.mov", ["-output_ts_offset", "-0.3"]),
            ("late.mov", ["-output_ts_offset", "7.3"]),
        ]
        for (name, arguments) in odd {
            let path = folder.file(name)
            try TestVideo.run(["-i", plain, "-c", "copy"] + arguments + [path])
            let before = try TestVideo.times(path).compactMap(Double.init)
            let video = try #require(try await add(path), "\(name)")
            let warnings = try await studio.edit(video, "sepia").warnings
            let result = try folder.write(studio.currentBytes(video), to: "edited-" + name)
            let after = try TestVideo.times(result).compactMap(Double.init)
            #expect(after.count == before.count, "\(name)")
            #expect(zip(after, after.dropFirst()).allSatisfy { $0 < $1 }, "\(name): \(after)")
            let moved = zip(before, before.dropFirst()).count { $0 >= $1 }
            if moved > 0 {
                #expect(warnings.first?.hasPrefix("\(moved) of its 25 frames") == true, "\(name)")
            } else {
                #expect(before == after && warnings.isEmpty, "\(name): \(warnings)")
            }
        }
        try await finish()
    }

    @Test("Matroska frames without times because they are negative are counted backwards")
    func untimed() async throws {
        for (name, order) in [("plain", "0"), ("reordered", "2")] {
            let plain = folder.file("\(name).mp4")
            try TestVideo.make(plain, size: "64x48", seconds: 2, ["-bf", order])
            let path = folder.file("\(name).mkv")
            try TestVideo.run([
                "-i", plain, "-c", "copy", "-avoid_negative_ts", "disabled", "-output_ts_offset",
                "-0.52", path,
            ])
            #expect(try TestVideo.times(path).contains("N/A"))
            let video = try #require(try await add(path))
            // Its only key frame has no time, so seeking is impossible.
            let out = folder.file("frames-\(name)")
            try await studio.host.exportFrames(
                of: video, every: 0.4, in: studio.library, to: out, format: .png
            ) { _, _ in }
            #expect(try FileManager.default.contentsOfDirectory(atPath: out).count == 4)
            let result = try await studio.edit(video, "sepia")
            #expect(result.warnings.isEmpty, "\(result.warnings)")
            let edited = try folder.write(studio.currentBytes(video), to: "edited-\(name).mkv")
            let times = try TestVideo.times(edited).compactMap(Double.init)
            #expect(times.count == 50)
            #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.0015 })
            // The offset from the first sound is unchanged: FFmpeg's AAC begins with 1024 samples of silence.
            let sound = try #require(try TestVideo.packets(edited).first?.time)
            #expect(abs((times.first ?? 9) - sound - 1024 / 44100.0) < 0.0015, "\(name): \(sound)")
        }
        try await finish()
    }

    @Test("with empty samples, all other frames are kept")
    func emptySamples() async throws {
        for (name, codec) in [("jpeg.mov", "mjpeg"), ("prores.mov", "prores_ks")] {
            let path = folder.file(name)
            try TestVideo.make(
                path, size: "64x48", seconds: 1, ["-c:v", codec, "-c:a", "pcm_s16le"])
            var data = try bytes(path)
            let header = try #require(data.range(of: Data("vmhd".utf8))).upperBound
            let sizes = try #require(data.range(of: Data("stsz".utf8), in: header..<data.count))
            // The size of the fourth sample, after version, common size and count.
            let fourth = sizes.upperBound + 12 + 3 * 4
            data.replaceSubrange(fourth..<fourth + 4, with: [0, 0, 0, 0])
            let damaged = try folder.write(data, to: "empty-\(name)")
            let times = try TestVideo.times(try await edited(damaged)).compactMap(Double.init)
            #expect(times.count >= 18 && (times.last ?? 0) > 0.9, "\(name): \(times)")
        }
        try await finish()
    }

    @Test("a track that starts in a later fragment is not treated as the video's sound")
    func lateTrack() async throws {
        let plain = folder.file("plain.mp4")
        try TestVideo.make(plain, size: "64x48", seconds: 1, [])
        let path = folder.file("fragments.mp4")
        try TestVideo.make(
            path, size: "64x48", seconds: 6,
            [
                "-g", "10", "-movflags",
                "frag_keyframe+empty_moov+global_sidx+default_base_moof+skip_trailer",
            ])
        let late = try TestVideo.inserting(
            soundOf: bytes(plain), behindFragment: 12, of: bytes(path))
        let result = try await edited(try folder.write(late, to: "late.mp4"))
        #expect(try TestVideo.times(result) == TestVideo.times(path))
        #expect(
            try TestVideo.packets(result).map(\.hash) == TestVideo.packets(path).map(\.hash))
        try await finish()
    }

    @Test("FLAC in MP4 is kept; Opus in WebM stays in sync")
    func rarerSounds() async throws {
        let flac = folder.file("flac.mp4")
        try TestVideo.make(
            flac, size: "64x48", seconds: 1,
            ["-c:v", "libx264", "-c:a", "flac", "-strict", "experimental"])
        #expect(try TestVideo.sound(try await edited(flac)) == TestVideo.sound(flac))

        let opus = folder.file("opus.webm")
        try TestVideo.make(
            opus, size: "64x48", seconds: 1, ["-c:v", "libvpx", "-c:a", "libopus"])
        let result = try await edited(opus)
        #expect(try TestVideo.times(result) == TestVideo.times(opus))
        let (before, after) = (try TestVideo.packets(opus), try TestVideo.packets(result))
        #expect(before.map(\.hash) == after.map(\.hash))
        #expect(zip(before, after).allSatisfy { abs($0.time - $1.time) < 0.0015 })
        try await finish()
    }

    @Test("damaged frames and lost transparency are reported")
    func warnings() async throws {
        let whole = folder.file("plain.mp4")
        try TestVideo.make(whole, size: "96x64", seconds: 1, ["-movflags", "faststart"])
        var noise = try bytes(whole)
        let media = try #require(noise.range(of: Data("mdat".utf8))).upperBound
        for place in stride(from: media + 3000, to: noise.count - 2000, by: 97) {
            noise[place] ^= 0x55
        }
        let alpha = folder.file("alpha.mov")
        try TestVideo.run([
            "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=1,format=yuva444p10le",
            "-c:v",
            "prores_ks", "-profile:v", "4444", alpha,
        ])
        for (path, words) in [
            (try folder.write(noise, to: "noise.mp4"), "damaged"), (alpha, "transparency"),
        ] {
            let video = try #require(try await add(path))
            let result = try await studio.edit(video, "sepia")
            #expect(result.warnings.contains { $0.contains(words) }, "\(result.warnings)")
        }
        let plain = try #require(try await add(whole))
        #expect(try await studio.edit(plain, "sepia").warnings.isEmpty)
        await studio.host.shutDown()
    }

    @Test("impossible or missing index tables are rejected with the fault named")
    func tables() async throws {
        let whole = folder.file("whole.mp4")
        try TestVideo.make(whole, size: "64x48", seconds: 1, ["-an", "-movflags", "faststart"])
        let data = try bytes(whole)
        let billion = Data([0x3b, 0x9a, 0xca, 0x00])
        // The offset of the entry count after the name of a table.
        var files: [(name: String, bytes: Data, words: String)] = []
        for (table, offset) in [("stsz", 8), ("stsc", 4), ("stco", 4), ("stts", 4)] {
            var bytes = data
            let place = try #require(data.range(of: Data(table.utf8))).upperBound + offset
            bytes.replaceSubrange(place..<place + 4, with: billion)
            let words = "the box \(table) declares too many entries: 1000000000"
            files.append((table, bytes, "cannot be opened as a video: \(words)"))
        }
        var equal = data
        let sizes = try #require(data.range(of: Data("stsz".utf8))).upperBound
        equal.replaceSubrange(sizes + 4..<sizes + 12, with: [0, 0, 0, 100] + billion)
        files.append(
            (
                "equal", equal,
                "its index declares 1000000000 frames, more than the file can contain"
            ))
        let plain = folder.file("plain.mp4")
        try TestVideo.make(plain, size: "64x48", seconds: 1, ["-an"])
        let end = try bytes(plain)
        let index = try #require(end.range(of: Data("moov".utf8))).lowerBound - 4
        files.append(
            (
                "missing", end.prefix(index),
                "cannot be opened as a video: its index, the moov box, is missing"
            ))
        for (name, bytes, words) in files {
            let error = await #expect(throws: HostError.self) {
                try await studio.add(bytes, named: "\(name).mp4")
            }
            #expect(error?.message.hasSuffix(words) == true, "\(name): \(error?.message ?? "")")
        }
        try await finish()
    }

    @Test("truncated and inconsistent videos give an error or the available frames")
    func damaged() async throws {
        let whole = folder.file("whole.mp4")
        try TestVideo.make(whole, size: "96x64", seconds: 2, ["-movflags", "faststart"])
        let data = try bytes(whole)
        enum Outcome { case rejected, incomplete, edited, incompleteOrDamaged }
        var files: [(path: String, outcome: Outcome)] = [
            (try folder.write(data.prefix(data.count * 2 / 3), to: "cut.mp4"), .incomplete),
            (try folder.write(Data(), to: "empty.mp4"), .rejected),
        ]
        // A billion samples, more than the file has bytes.
        var many = data
        let table = try #require(many.range(of: Data("stts".utf8))).upperBound
        many.replaceSubrange(table + 8..<table + 12, with: [0x3b, 0x9a, 0xca, 0x00])
        files.append((try folder.write(many, to: "billion.mp4"), .edited))
        var none = data
        let sizes = try #require(none.range(of: Data("stsz".utf8))).upperBound
        none.replaceSubrange(sizes + 8..<sizes + 12, with: [0, 0, 0, 0])
        files.append((try folder.write(none, to: "none.mp4"), .rejected))
        // Every sixteenth byte of the pictures is damaged.
        var noise = data
        let media = try #require(noise.range(of: Data("mdat".utf8))).upperBound
        for place in stride(from: media + 3000, to: noise.count, by: 16) { noise[place] ^= 0x55 }
        files.append((try folder.write(noise, to: "noise.mp4"), .incompleteOrDamaged))
        for (path, outcome) in files {
            let added = try await add(path)
            #expect((added == nil) == (outcome == .rejected), "\(path)")
            guard let video = added else { continue }
            do {
                let warnings = try await studio.edit(video, "sepia").warnings
                #expect([.edited, .incompleteOrDamaged].contains(outcome), "\(path)")
                let isDamaged = warnings.contains { $0.contains("damaged") }
                #expect(isDamaged == (outcome == .incompleteOrDamaged), "\(path): \(warnings)")
                let result = try folder.write(
                    studio.currentBytes(video), to: "result-\(UUID().uuidString).mp4")
                let count = try TestVideo.times(result).count
                #expect(outcome == .edited ? count == 50 : count > 0, "\(path): \(count)")
            } catch let error as HostError {
                #expect([.incomplete, .incompleteOrDamaged].contains(outcome), "\(path)")
                #expect(error.message.contains("is truncated"), "\(path): \(error)")
                #expect(error.assetIdentifier == video, "\(path)")
                #expect(try studio.library.history(ofAsset: video).chain.isEmpty, "\(path)")
            }
        }
        // Host and runners continue to work.
        #expect(try TestVideo.times(try await edited(whole)).count == 50)
        try await finish()
    }
}
