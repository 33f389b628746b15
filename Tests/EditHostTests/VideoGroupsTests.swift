// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// A trim that consists of whole groups of pictures is not re-encoded.
@Suite("trimming without encoding")
struct VideoGroupsTests {
    private let studio: TestStudio

    init() throws {
        studio = try TestStudio {
            try TestExtension.assemble("SepiaFilter", in: $0)
            try TestExtension.assemble("Trim", in: $0)
        }
    }

    private func trimmed(_ path: String, _ start: Double, _ end: Double) async throws -> String {
        let video = try await studio.add(
            try Data(contentsOf: URL(fileURLWithPath: path)),
            named: (path as NSString).lastPathComponent)
        let result = try await studio.edit(video, "trim", ["start": "\(start)", "end": "\(end)"])
        #expect(result.status == .committed && result.warnings.isEmpty, "\(result.warnings)")
        let edited = try studio.folder.write(
            studio.currentBytes(video), to: "current-\(UUID().uuidString)")
        // A re-render gives the same bytes.
        try await studio.host.rerender([video], in: studio.library, force: true, jobs: 1) {
            #expect($0.status == .rendered, "\($0)")
        }
        #expect(
            try studio.currentBytes(video) == Data(contentsOf: URL(fileURLWithPath: edited)))
        let asset = try studio.library.asset(withLocalIdentifier: video)
        #expect(abs(asset.duration - (try TestVideo.probe(edited).duration)) < 0.05)
        return edited
    }

    /// The hashes of all decoded frames, computed by `ffmpeg`.
    private func pictures(_ path: String) throws -> [String] {
        let result = try runProgram(
            "/usr/bin/env",
            [
                "ffmpeg", "-nostdin", "-v", "error", "-noautorotate", "-i", path, "-map", "0:v:0",
                "-vsync", "passthrough", "-f", "framemd5", "-",
            ])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        return result.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: " ").last.map(String.init) }
    }

    @Test(
        "complete groups of pictures are copied bit for bit, with sound and times",
        arguments: [
            ("a.mov", ["-c:v", "libx264", "-c:a", "aac", "-bf", "2"]),
            ("b.mp4", ["-c:v", "libx264", "-c:a", "aac", "-bf", "0"]),
            ("c.mkv", ["-c:v", "libx264", "-c:a", "aac", "-bf", "2"]),
            (
                "d.mp4",
                ["-c:v", "libx265", "-c:a", "aac", "-x265-params", "log-level=none:open-gop=0"]
            ),
            ("e.mov", ["-c:v", "prores_ks", "-c:a", "pcm_s16le"]),
        ])
    func groups(name: String, arguments: [String]) async throws {
        let path = studio.folder.file(name)
        try TestVideo.make(path, size: "128x64", seconds: 2, arguments + ["-g", "10"])
        // In Matroska the first frame is shown after the sound has begun.
        let shown = try TestVideo.times(path).compactMap(Double.init)
        let edited = try await trimmed(path, shown[10], shown[30])
        let all = try pictures(path)
        #expect(all.count == 50)
        #expect(try pictures(edited) == Array(all[10..<30]))
        let times = try TestVideo.times(edited).compactMap(Double.init)
        #expect(times.count == 20)
        for (index, time) in times.enumerated() {
            #expect(abs(time - Double(index) * 0.04) < 0.0011, "\(times)")
        }
        let (whole, left) = (try TestVideo.packets(path), try TestVideo.packets(edited))
        let first = try #require(whole.firstIndex { $0.hash == left.first?.hash })
        #expect(left.map(\.hash) == whole[first..<first + left.count].map(\.hash))
        #expect(try TestVideo.probe(edited).codec == TestVideo.probe(path).codec)
        await studio.host.shutDown()
    }

    @Test("the rotation of a video is kept")
    func turned() async throws {
        let plain = studio.folder.file("plain.mp4")
        try TestVideo.make(plain, size: "128x64", seconds: 2, ["-g", "10"])
        let path = studio.folder.file("turned.mp4")
        try TestVideo.run([
            "-i", plain, "-c", "copy", "-metadata:s:v", "rotate=90", path,
        ])
        let edited = try await trimmed(path, 0.4, 1.2)
        #expect(try pictures(edited) == Array(pictures(path)[10..<30]))
        let size = try TestVideo.probe(edited)
        #expect(size.width == 64 && size.height == 128)
        // Later edits apply to the video as it is shown.
        let asset = try #require(try Asset.fetchAssets(in: studio.library).first)
        #expect(asset.pixelWidth == 64 && asset.pixelHeight == 128)
        try await studio.edit(asset.localIdentifier, "sepia")
        let sepia = try studio.folder.write(
            studio.currentBytes(asset.localIdentifier), to: "sepia.mp4")
        #expect(try TestVideo.times(sepia).count == 20)
        await studio.host.shutDown()
    }

    @Test("if a group is cut or depends on another, the video is encoded")
    func cut() async throws {
        let path = studio.folder.file("a.mp4")
        try TestVideo.make(path, size: "128x64", seconds: 2, ["-g", "10", "-crf", "4"])
        for (start, end) in [(0.4, 1.0), (0.2, 1.2)] {
            let edited = try await trimmed(path, start, end)
            let kept = Int((end - start) / 0.04 + 0.5)
            #expect(try TestVideo.times(edited).count == kept)
            #expect(
                try pictures(edited)
                    != Array(pictures(path)[Int(start / 0.04 + 0.5)...].prefix(kept)))
        }
        // Groups that refer to one another.
        let open = studio.folder.file("open.mp4")
        try TestVideo.make(
            open, size: "128x64", seconds: 2,
            [
                "-c:v", "libx264", "-c:a", "aac", "-x264-params",
                "keyint=10:min-keyint=10:open-gop=1:bframes=3:b-adapt=0",
            ])
        let edited = try await trimmed(open, 0.4, 1.2)
        #expect(try TestVideo.times(edited).count == 20)
        let frames = try TestVideo.frames(open)
        for (index, frame) in try TestVideo.frames(edited).enumerated() {
            #expect(TestVideo.ratio(frame, frames[10 + index]) > 27)
        }
        await studio.host.shutDown()
    }
}
