// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import TestSupport
import Testing

/// Subtitles and timecodes of an edited video.
@Suite("subtitles and timecodes of videos")
struct VideoTracksTests {
    private let studio: TestStudio

    init() throws {
        studio = try TestStudio {
            try TestExtension.assemble("SepiaFilter", in: $0)
            try TestExtension.assemble("Trim", in: $0)
        }
    }

    private func add(_ path: String) async throws -> String {
        try await studio.add(
            try Data(contentsOf: URL(fileURLWithPath: path)),
            named: (path as NSString).lastPathComponent)
    }

    private func current(_ identifier: String) throws -> String {
        try studio.folder.write(
            studio.currentBytes(identifier), to: "current-\(UUID().uuidString)")
    }

    // MARK: - Subtitles

    private struct Cue: Equatable {
        let start: Double
        let end: Double
        let text: String
    }

    private static let cues = [
        Cue(start: 0.5, end: 1.5, text: "one"), Cue(start: 2, end: 3.5, text: "two"),
        Cue(start: 4, end: 8, text: "three"),
    ]

    private static func time(_ seconds: Double) -> String {
        let milliseconds = Int((seconds * 1000).rounded())
        return String(
            format: "00:00:%02d,%03d", milliseconds / 1000, milliseconds % 1000)
    }

    /// The cues of a file, converted to SubRip by `ffmpeg`.
    private func cues(_ path: String) throws -> [Cue] {
        let words = try runProgram(
            "/usr/bin/env",
            ["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:s:0", "-f", "srt", "-"]
        ).output
        return words.components(separatedBy: "\n\n").compactMap { block in
            let lines = block.split(separator: "\n").map(String.init)
            guard lines.count >= 3 else { return nil }
            let times = lines[1].components(separatedBy: " --> ").map { time -> Double in
                let parts = time.replacingOccurrences(of: ",", with: ".").split(separator: ":")
                return parts.reduce(0) { $0 * 60 + (Double($1) ?? -1) }
            }
            return Cue(start: times[0], end: times[1], text: lines[2])
        }
    }

    @Test(
        "a trimmed video keeps its subtitles in sync and ends with the remaining part",
        arguments: ["a.mp4", "b.mov", "c.mkv"],
        // From the middle of a cue, re-encoded and copied; between cues; within one; from the start
        // of one.
        [(1.2, 5.2), (1.0, 5.0), (1.6, 3.0), (4.4, 5.0), (2.0, 0)])
    func subtitles(name: String, part: (start: Double, end: Double)) async throws {
        let script = Self.cues.enumerated().map { index, cue in
            "\(index + 1)\n\(Self.time(cue.start)) --> \(Self.time(cue.end))\n\(cue.text)\n\n"
        }.joined()
        let words = try studio.folder.write(Data(script.utf8), to: "words.srt")
        let path = studio.folder.file(name)
        try TestVideo.run([
            "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=8", "-i", words, "-c:v", "libx264", "-g",
            "25", "-bf", "0", "-c:s", name.hasSuffix("mkv") ? "srt" : "mov_text", path,
        ])
        let video = try await add(path)
        let result = try await studio.edit(
            video, "trim", ["start": "\(part.start)", "end": "\(part.end)"])
        #expect(result.warnings.isEmpty, "\(result.warnings)")
        let edited = try current(video)
        let end = part.end == 0 ? 8 : part.end
        let wanted = Self.cues.filter { $0.end > part.start && $0.start < end }.map { cue in
            Cue(
                start: max(0, cue.start - part.start), end: min(cue.end, end) - part.start,
                text: cue.text)
        }
        let found = try cues(edited)
        #expect(found.map(\.text) == wanted.map(\.text), "\(found)")
        for (one, other) in zip(found, wanted) {
            #expect(abs(one.start - other.start) < 0.025 && abs(one.end - other.end) < 0.025)
        }
        #expect(abs(try TestVideo.probe(edited).duration - (end - part.start)) < 0.045)
        await studio.host.shutDown()
    }

    // MARK: - Timecodes

    /// The timecodes that `ffprobe` finds.
    private func timecodes(_ path: String) throws -> Set<String> {
        let words = try runProgram(
            "/usr/bin/env",
            [
                "ffprobe", "-v", "error", "-show_entries",
                "stream_tags=timecode:format_tags=timecode", "-of", "default=nw=1:nk=1", path,
            ]
        ).output
        return Set(words.split(whereSeparator: \.isNewline).map(String.init))
    }

    @Test(
        "a timecode is kept and continues from the removed part",
        arguments: ["a.mov", "b.mp4", "c.mkv"],
        [
            // Frame rate, timecode of frame 0, timecode of frame 10.
            ("25", "01:00:00:20", "01:00:01:05"),
            ("24000/1001", "23:59:59:20", "00:00:00:06"),
            // Frame numbers 0 and 1 are skipped at the beginning of this minute.
            ("30000/1001", "00:00:59;25", "00:01:00;07"),
        ])
    func timecode(name: String, code: (rate: String, first: String, tenth: String)) async throws {
        let path = studio.folder.file(name)
        try TestVideo.run([
            "-f", "lavfi", "-i", "testsrc2=s=64x64:r=\(code.rate)", "-frames:v", "40", "-c:v",
            "libx264", "-g", "10", "-bf", "0", "-timecode", code.first, path,
        ])
        #expect(try timecodes(path) == [code.first])
        let video = try await add(path)
        let result = try await studio.edit(video, "sepia")
        #expect(result.warnings.isEmpty, "\(result.warnings)")
        #expect(try timecodes(current(video)) == [code.first])
        for end in [0, 17] {
            // The part to the end is copied, the other one is re-encoded.
            let other = try await add(path)
            let shown = try TestVideo.times(path).compactMap(Double.init)
            try await studio.edit(
                other, "trim", ["start": "\(shown[10])", "end": end == 0 ? "0" : "\(shown[end])"])
            let edited = try current(other)
            #expect(try timecodes(edited) == [code.tenth], "\(end)")
            #expect(try TestVideo.times(edited).count == (end == 0 ? 40 : end) - 10)
        }
        await studio.host.shutDown()
    }
}
