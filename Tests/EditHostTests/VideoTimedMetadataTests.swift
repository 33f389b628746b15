// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import TestSupport
import Testing

/// Edited videos of Live Photos keep the timed metadata of their originals.
@Suite("timed metadata of videos")
struct VideoTimedMetadataTests {
    private let studio: TestStudio
    private static let names = [
        "live/jpegvideocomplement_1.mov", "cameras/iphone15promax_ios26.MOV",
        "cameras/IMG_7943_HEVC.MOV",
    ]

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
        try studio.folder.write(studio.currentBytes(identifier), to: "\(UUID().uuidString).mov")
    }

    /// The tags that ExifTool reads from a file, by group and name.
    private func tags(_ path: String, _ arguments: String...) throws -> [String: String] {
        let result = try runProgram(
            "/usr/bin/env", ["exiftool", "-j", "-n", "-a"] + arguments + [path])
        let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        return try #require((json as? [[String: Any]])?.first).mapValues { "\($0)" }
    }

    /// The start times of timed metadata streams in seconds, as FFmpeg reads them from edit lists.
    private func starts(_ path: String) throws -> [Double] {
        let result = try runProgram(
            "/usr/bin/env",
            [
                "ffprobe", "-v", "error", "-select_streams", "d", "-show_entries",
                "stream=start_time", "-of", "csv=p=0", path,
            ])
        return result.output.split(separator: "\n").compactMap {
            Double($0.prefix { $0 != "," })
        }
    }

    @Test(
        "sepia of a Live Photo video keeps its still image time, samples and identifier",
        .corpus)
    func sepia() async throws {
        for name in Self.names {
            let path = try Corpus.path(name)
            let video = try await add(path)
            let result = try await studio.edit(video, "sepia")
            #expect(result.status == .committed)
            #expect(!"\(result.warnings)".contains("metadata"), "\(result.warnings)")
            let edited = try current(video)
            let samples = try tags(path, "-ee", "-G3").filter { $0.key.hasPrefix("Doc") }
            #expect(samples.keys.contains { $0.hasSuffix(":StillImageTime") }, "\(name)")
            #expect(
                try tags(edited, "-ee", "-G3").filter { $0.key.hasPrefix("Doc") } == samples,
                "\(name)")
            #expect(try starts(edited) == starts(path), "\(name)")
            let keys = try tags(path, "-G1").filter { $0.key.hasPrefix("Keys:") }
            let found = try tags(edited, "-G1")
            #expect(keys["Keys:ContentIdentifier"]?.count == 36, "\(name)")
            for (key, value) in keys { #expect(found[key] == value, "\(name): \(key)") }
            #expect(try TestVideo.times(edited) == TestVideo.times(path), "\(name)")
            #expect(try TestVideo.sound(edited) == TestVideo.sound(path), "\(name)")
            let played = try runProgram(
                "/usr/bin/env",
                ["ffmpeg", "-nostdin", "-v", "error", "-i", edited, "-f", "null", "-"])
            #expect(played.status == 0 && played.errors == "", "\(played.errors)")
            // A re-render gives the same bytes.
            let before = try studio.currentBytes(video)
            try await studio.host.rerender([video], in: studio.library, force: true, jobs: 1) {
                #expect($0.status == .rendered)
            }
            #expect(try studio.currentBytes(video) == before, "\(name)")
        }
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test("a trimmed Live Photo video's still image time counts from the new start", .corpus)
    func trimmed() async throws {
        for name in Self.names {
            let path = try Corpus.path(name)
            let still = try #require(starts(path).last)
            let video = try await add(path)
            _ = try await studio.edit(video, "trim", ["start": "0.5", "end": "1.8"])
            let edited = try current(video)
            // The trim begins with the nearest frame.
            let first = try #require(
                TestVideo.times(path).compactMap(Double.init).min {
                    abs($0 - 0.5) < abs($1 - 0.5)
                })
            let found = try #require(starts(edited).last)
            #expect(abs(found - (still - first)) < 0.001, "\(name): \(found) \(still) \(first)")
            _ = try await studio.edit(video, "trim", ["start": "0", "end": "0.3"])
            let short = try current(video)
            #expect(try starts(short).allSatisfy { $0 < 0.1 }, "\(name)")
            #expect(
                try !tags(short, "-ee", "-G3").keys.contains { $0.hasSuffix(":StillImageTime") })
        }
        await studio.host.shutDown()
    }

    @Test(
        "damaged timed metadata is dropped with a warning, and the video is edited",
        .corpus)
    func damaged() async throws {
        let path = try Corpus.path(Self.names[0])
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        let table = try #require(data.range(of: Data("stsz".utf8), options: .backwards))
        data.replaceSubrange(table.upperBound + 8..<table.upperBound + 12, with: [0, 0, 0, 9])
        let video = try await add(studio.folder.write(data, to: "damaged.mov"))
        let result = try await studio.edit(video, "sepia")
        #expect(result.status == .committed)
        #expect("\(result.warnings)".contains("timed metadata"), "\(result.warnings)")
        let edited = try current(video)
        #expect(try starts(edited).count == 1)
        #expect(try TestVideo.times(edited) == TestVideo.times(path))
        await studio.host.shutDown()
    }
}
