// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import TestSupport
import Testing

/// Videos of camcorders, DVDs and Windows: MPEG streams, whose times are those of a clock, and ASF.
@Suite("videos of camcorders and Windows")
struct CamcorderVideoTests {
    private let studio: TestStudio

    init() throws {
        studio = try TestStudio {
            try TestExtension.assemble("SepiaFilter", in: $0)
            try TestExtension.assemble("Trim", in: $0)
        }
    }

    private static let kinds: [[String]] = [
        [
            "a.MTS", "-f", "mpegts", "-mpegts_m2ts_mode", "1", "-c:v", "libx264", "-crf", "10",
            "-c:a", "ac3",
        ],
        // The clock starts again during the video (ISO/IEC 13818-1, 2.4.2.1).
        [
            "b.m2t", "-f", "mpegts", "-output_ts_offset", "95441.7", "-c:v", "mpeg2video", "-q:v",
            "2", "-bf", "2", "-c:a", "mp2",
        ],
        // Only some frames have a time.
        ["c.mpg", "-c:v", "mpeg2video", "-q:v", "2", "-bf", "2", "-c:a", "mp2"],
        ["d.wmv", "-c:v", "wmv2", "-q:v", "2", "-c:a", "wmav2"],
    ]

    /// Makes 50 frames that differ in their gray, with sound.
    private func make(_ name: String, _ arguments: [String]) throws -> String {
        let path = studio.folder.file(name)
        try TestVideo.run(
            [
                "-f", "lavfi", "-i", "color=black:s=64x64:r=25:d=2", "-f", "lavfi", "-i",
                "sine=d=2",
                "-vf", "geq=lum='40+3*N':cb=128:cr=128", "-g", "12", "-pix_fmt", "yuv420p",
            ] + arguments + [path])
        return path
    }

    private func add(_ path: String) async throws -> String {
        try await studio.add(
            try Data(contentsOf: URL(fileURLWithPath: path)),
            named: "imported-" + URL(fileURLWithPath: path).lastPathComponent)
    }

    /// The times of the frames in seconds from the start of the earliest stream, as in players.
    private func times(_ path: String) throws -> [Double] {
        let result = try runProgram(
            "/usr/bin/env",
            [
                "ffprobe", "-v", "error", "-show_entries", "format=start_time", "-of", "csv=p=0",
                path,
            ]
        )
        let text = result.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let start = try #require(Double(text))
        let first = try #require(TestVideo.times(path).lazy.compactMap(Double.init).first)
        return (0..<50).map { first - start + 0.04 * Double($0) }
    }

    /// The number of the original frame with a gray value.
    private func number(_ gray: UInt8) -> Int {
        let luma = Double(gray) * 219 / 255 + 16
        return Int(((luma - 40) / 3).rounded())
    }

    @Test("players' times count from the earliest stream", arguments: kinds)
    func pictures(kind: [String]) async throws {
        let path = try make(kind[0], Array(kind.dropFirst()))
        let video = try await add(path)
        let asset = try studio.library.asset(withLocalIdentifier: video)
        #expect(abs(asset.duration - (try TestVideo.probe(path).duration)) < 0.0005)
        var numbers: [Int] = []
        try await studio.host.exportFrames(
            of: video, every: 0.3, in: studio.library, to: studio.folder.file("frames"),
            format: .png
        ) { path, _ in
            let picture = try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: path)))
            numbers.append(number(UInt8(picture.samples[0])))
        }
        let times = try times(path)
        let shown = stride(from: 0, to: asset.duration, by: 0.3).map { time in
            times.lastIndex { $0 <= time } ?? 0
        }
        #expect(numbers == shown)
        await studio.host.shutDown()
    }

    @Test("edited versions are MOV files with all frames and the sound", arguments: kinds)
    func edited(kind: [String]) async throws {
        let path = try make(kind[0], Array(kind.dropFirst()))
        let video = try await add(path)
        try await studio.edit(video, "sepia")
        let history = try studio.library.history(ofAsset: video)
        #expect(history.chain.last?.current?.format == .quickTime)
        let edited = try studio.folder.write(try studio.currentBytes(video), to: "edited.mov")
        let (before, after) = (
            try times(path), try TestVideo.times(edited).compactMap(Double.init)
        )
        #expect(after.count == before.count)
        #expect(zip(before, after).allSatisfy { abs($0 - $1) < 0.0015 }, "\(before) \(after)")
        let (original, result) = (try TestVideo.probe(path), try TestVideo.probe(edited))
        #expect(result.codec == "h264")
        // No program reads Windows Media Audio in a MOV.
        let isDecoded = original.audioCodec == "wmav2"
        #expect(result.audioCodec == (isDecoded ? "pcm_s16le" : original.audioCodec))
        if !isDecoded { #expect(try TestVideo.sound(edited) == TestVideo.sound(path)) }
        #expect(abs(result.duration - original.duration) < 0.1)
        await studio.host.shutDown()
    }

    @Test("a part starts with the frame that is shown at its start", arguments: kinds)
    func trimmed(kind: [String]) async throws {
        let path = try make(kind[0], Array(kind.dropFirst()))
        let video = try await add(path)
        try await studio.edit(video, "trim", ["start": "0.8", "end": "1.4"])
        let edited = try studio.folder.write(try studio.currentBytes(video), to: "edited.mov")
        // A frame is kept if the middle of its time is in the part.
        let times = try times(path)
        let kept = times.indices.filter { (0.8..<1.4).contains(times[$0] + 0.02) }
        let frames = try TestVideo.frames(edited)
        #expect(frames.compactMap(\.first).map(number) == kept)
        #expect(try #require(TestVideo.times(edited).first.flatMap(Double.init)) < 0.0015)
        await studio.host.shutDown()
    }

    @Test("the samples of AVCHD's linear PCM are kept")
    func linear() async throws {
        let path = try make(
            "a.m2ts", ["-c:v", "libx264", "-c:a", "pcm_bluray", "-ar", "48000", "-ac", "2"])
        let video = try await add(path)
        try await studio.edit(video, "sepia")
        let edited = try studio.folder.write(try studio.currentBytes(video), to: "edited.mov")
        #expect(try TestVideo.probe(edited).audioCodec == "pcm_s16le")
        var samples: [Data] = []
        for (index, path) in [path, edited].enumerated() {
            let output = studio.folder.file("\(index).raw")
            try TestVideo.run(["-i", path, "-map", "0:a", "-f", "s16le", output])
            samples.append(try Data(contentsOf: URL(fileURLWithPath: output)))
        }
        #expect(samples[0] == samples[1] && samples[0].count == 2 * 48_000 * 4)
        await studio.host.shutDown()
    }

    /// Arguments for 12 s with a key frame every 4 s, and frames that refer to a later key frame.
    private static let longGroups: [[String]] = [
        [
            "a.ts", "-f", "mpegts", "-c:v", "libx265", "-x265-params",
            "keyint=100:min-keyint=100:scenecut=0:open-gop=1:crf=10:log-level=none",
        ],
        [
            "b.ts", "-f", "mpegts", "-c:v", "mpeg4", "-q:v", "2", "-bf", "2", "-g", "100",
            "-sc_threshold", "1000000000",
        ],
        [
            "c.mts", "-f", "mpegts", "-c:v", "libx264", "-crf", "10", "-x264-params",
            "keyint=100:min-keyint=100:scenecut=0:open-gop=1",
        ],
        ["d.mpg", "-c:v", "mpeg2video", "-q:v", "2", "-bf", "2", "-g", "60"],
    ]

    @Test("frames between key frames are decoded from a key frame", arguments: longGroups)
    func sought(kind: [String]) async throws {
        let path = studio.folder.file(kind[0])
        // Without colour, the conversions of FFmpeg's command and of this project are equal.
        try TestVideo.run(
            [
                "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=12", "-vf", "format=gray", "-pix_fmt",
                "yuv420p",
            ] + kind.dropFirst() + [path])
        let video = try await add(path)
        let frames = try TestVideo.frames(path)
        #expect(frames.count == 300)
        var ratios: [Double] = []
        // Each picture is decoded by a new reader, which seeks.
        try await studio.host.exportFrames(
            of: video, every: 0.7, in: studio.library, to: studio.folder.file("frames"),
            format: .png
        ) { path, time in
            let picture = try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: path)))
            let number = min(Int(time * 25 + 0.01), frames.count - 1)
            ratios.append(TestVideo.ratio(picture.samples, frames[number]))
        }
        #expect(ratios.count == 18 && ratios.allSatisfy { $0 > 35 }, "\(ratios)")
        await studio.host.shutDown()
    }

    /// Makes 12 s whose sound starts at 9 s.
    private func makeLate(_ name: String, codec: String) throws -> String {
        let path = studio.folder.file(name)
        try TestVideo.run([
            "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=12", "-itsoffset", "9", "-f", "lavfi",
            "-i", "sine=d=2", "-c:v", "mpeg2video", "-pix_fmt", "yuv420p", "-c:a", codec, path,
        ])
        return path
    }

    @Test("sound that starts late is kept", arguments: [("a.mts", "ac3"), ("b.mpg", "mp2")])
    func late(name: String, codec: String) async throws {
        let path = try makeLate(name, codec: codec)
        let video = try await add(path)
        try await studio.edit(video, "sepia")
        let edited = try studio.folder.write(try studio.currentBytes(video), to: "edited.mov")
        #expect(try TestVideo.probe(edited).audioCodec == codec)
        let first = try #require(try TestVideo.packets(edited).first)
        #expect(abs(first.time - 9) < 0.1)
        await studio.host.shutDown()
    }

    @Test("a declared sound without samples is left out with a warning")
    func silent() async throws {
        // Half of it ends before the sound starts.
        let whole = try Data(
            contentsOf: URL(fileURLWithPath: try makeLate("whole.mts", codec: "ac3")))
        let half = studio.folder.file("half.mts")
        try whole.prefix(whole.count / 2 / 188 * 188).write(to: URL(fileURLWithPath: half))
        let video = try await add(half)
        let outcome = try await studio.edit(video, "sepia")
        #expect(outcome.warnings.contains { $0.contains("no samples were found: 1") })
        let edited = try studio.folder.write(try studio.currentBytes(video), to: "edited.mov")
        #expect(try TestVideo.probe(edited).audioCodec == nil)
        await studio.host.shutDown()
    }

    @Test("times continue if recordings were joined", arguments: kinds.prefix(3))
    func joined(kind: [String]) async throws {
        let part = try Data(
            contentsOf: URL(fileURLWithPath: try make(kind[0], Array(kind.dropFirst()))))
        let path = try studio.folder.write(part + part, to: "joined-" + kind[0])
        let video = try await add(path)
        let asset = try studio.library.asset(withLocalIdentifier: video)
        #expect(abs(asset.duration - 4) < 0.3)
        try await studio.edit(video, "sepia")
        let edited = try studio.folder.write(try studio.currentBytes(video), to: "edited.mov")
        let times = try TestVideo.times(edited).compactMap(Double.init)
        #expect((98...100).contains(times.count) && times == times.sorted(), "\(times)")
        #expect(abs((times.last ?? 0) - 4) < 0.3)
        let grays = try TestVideo.frames(edited).compactMap(\.first).map(Int.init)
        #expect(zip(grays.prefix(50).suffix(40), grays.suffix(40)).allSatisfy { abs($0 - $1) < 5 })
        await studio.host.shutDown()
    }

    @Test("joined recordings are copied")
    func joinedCopy() async throws {
        let arguments = ["-f", "mpegts", "-c:v", "libx264", "-c:a", "ac3"]
        let part = try Data(contentsOf: URL(fileURLWithPath: try make("a.mts", arguments)))
        let video = try await add(try studio.folder.write(part + part, to: "joined.mts"))
        var options = ExportOptions()
        options.metadata = ExportOptions.Metadata.none
        let copy = try await studio.host.export(
            video, from: studio.library, to: studio.folder.file("out"), options)
        let times = try TestVideo.times(copy).compactMap(Double.init)
        #expect(times.count == 100 && abs((times.last ?? 0) - 4) < 0.3)
        await studio.host.shutDown()
    }

    /// Arguments that write the user data of AVCHD: 2024-05-06 07:08:11 as ExifTool's table H264::MDPM describes it. A
    /// filter's text may not contain zeros.
    private static let recording = [
        // With one key frame, because the filter writes further user data behind pictures.
        "-c:v", "libx264", "-g", "100", "-bsf:v",
        "h264_metadata=sei_user_data=17ee8c60f84d11d98cd60800200c9a66+"
            + "MDPM\u{2}\u{18}\u{1} $\u{5}\u{19}\u{6}\u{7}\u{8}\u{11}",
    ]

    @Test("the capture date of AVCHD is read from its first frame")
    func recorded() async throws {
        let path = try make("a.mts", ["-f", "mpegts"] + Self.recording)
        let asset = try studio.asset(await add(path))
        #expect(asset.captureDate?.text == "2024-05-06T07:08:11")
        try await studio.edit(asset.localIdentifier, "sepia")
        let edited = try studio.folder.write(
            try studio.currentBytes(asset.localIdentifier), to: "edited.mov")
        #expect(try TestVideo.tags(edited).contains("creationdate=2024-05-06T07:08:11"))
        let plain = try studio.asset(
            await add(try make("b.mts", ["-f", "mpegts", "-c:v", "libx264"])))
        #expect(plain.captureDate == nil)
        await studio.host.shutDown()
    }

    @Test(
        "exports without a location or metadata lose the user data of AVCHD",
        arguments: ["a.mts", "a.mov", "a.mkv"])
    func discreet(name: String) async throws {
        let path = try make(name, Self.recording)
        let mark = Data("MDPM".utf8)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).range(of: mark) != nil)
        let video = try await add(path)
        var cases = [ExportOptions(), ExportOptions(), ExportOptions()]
        cases[0].includesLocation = false
        cases[1].metadata = .copyright
        cases[2].metadata = ExportOptions.Metadata.none
        for (number, options) in cases.enumerated() {
            let copy = try await studio.host.export(
                video, from: studio.library, to: studio.folder.file("\(number)"), options)
            #expect(try Data(contentsOf: URL(fileURLWithPath: copy)).range(of: mark) == nil)
            #expect(try TestVideo.frames(copy) == TestVideo.frames(path))
        }
        await studio.host.shutDown()
    }

    @Test("sidecars belong to .ts videos, and TypeScript files are skipped")
    func typeScript() async throws {
        let folder = studio.folder.file("in")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        _ = try make("in/video.ts", ["-f", "mpegts", "-c:v", "mpeg2video"])
        let sidecar = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
            xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
            """
        try Data(sidecar.utf8).write(to: URL(fileURLWithPath: "\(folder)/video.xmp"))
        let text = String(repeating: "export const value = 1;\n", count: 40)
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/index.ts"))
        var results: [String: ImportResult] = [:]
        try await studio.host.importPhotos(at: [folder], into: studio.library) {
            results[URL(fileURLWithPath: $0.path).lastPathComponent] = $0
        }
        #expect(results["index.ts"]?.status == .skipped)
        let asset = try #require(results["video.ts"]?.assetIdentifier)
        #expect(try studio.asset(asset).rating == 4)
        await studio.host.shutDown()
    }

    @Test("a truncated Windows Media video is imported with a warning")
    func truncated() async throws {
        let path = try make("whole.wmv", ["-c:v", "wmv2", "-c:a", "wmav2"])
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let cut = try studio.folder.write(whole.dropLast(1000), to: "cut.wmv")
        for (path, count) in [(path, 0), (cut, 1)] {
            var warnings: [String] = []
            try await studio.host.importPhotos(at: [path], into: studio.library) {
                #expect($0.error == nil)
                warnings += $0.warnings
            }
            #expect(warnings.filter { $0.contains("1000 bytes are missing") }.count == count)
        }
        await studio.host.shutDown()
    }

    @Test("Windows Media without video is sound")
    func sound() async throws {
        let path = studio.folder.file("a.wma")
        try TestVideo.run(["-f", "lavfi", "-i", "sine=d=1", "-c:a", "wmav2", path])
        var errors: [String] = []
        try await studio.host.importPhotos(at: [path], into: studio.library) {
            errors.append($0.error.map { "\($0)" } ?? "")
        }
        #expect(errors.count == 1 && errors[0].contains("sounds cannot be imported"), "\(errors)")
        await studio.host.shutDown()
    }
}
