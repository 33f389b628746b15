// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import ImageMetadata
import TestSupport
import Testing

/// Metadata and still image times written from scratch.
@Suite("writing movie metadata")
struct MovieMetadataTests {
    private let folder: TemporaryFolder
    private let identifier = "6F2A1C60-0B3B-4C1E-9A64-2B5A6A1D7F00"

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "an identifier is set and replaced; other values, video and sound stay",
        arguments: [[], ["-movflags", "faststart"], ["-movflags", "use_metadata_tags"]])
    func identifier(arguments: [String]) throws {
        let title = ["-metadata", "title=Sea", "-metadata", "com.example.key=é"]
        let file = try MovieFile.pattern(folder.file("a.mov"), title + arguments)
        let packets = try file.packets()
        for value in ["one", identifier, String(repeating: "x", count: 100), identifier] {
            try Movie.setMetadata(
                [
                    .contentIdentifier: MetadataValue(value),
                    MetadataKey("com.example.n"): MetadataValue(
                        type: 22, bytes: [7]),
                ],
                in: file.open())
            #expect(try file.movie().metadata()[.contentIdentifier]?.text == value)
            #expect(try file.tags("-G1")["Keys:ContentIdentifier"] == value)
        }
        let tags = try file.tags()
        #expect(tags["Title"] == "Sea")
        #expect(try file.packets() == packets && file.complaints() == "")
        #expect(try file.movie().metadata()[MetadataKey("com.example.n")]?.bytes == [7])
        if arguments.last == "use_metadata_tags" {
            #expect(try file.movie().metadata()[MetadataKey("com.example.key")]?.text == "é")
        }
        let result = try runProgram(
            "/usr/bin/env",
            ["ffprobe", "-v", "error", "-show_entries", "format_tags", "-of", "json", file.path])
        #expect(result.output.contains(identifier), "\(result.output)")
    }

    @Test("a real Live Photo gets another identifier, and nothing else changes", .corpus)
    func replaced() throws {
        for (index, (name, _)) in LiveVideos.all.enumerated() {
            let original = try LiveVideos.file(name)
            let file = try MovieFile(path: folder.write(original.data, to: "\(index).mov"))
            try Movie.setMetadata([.contentIdentifier: MetadataValue(identifier)], in: file.open())
            var (old, new) = (try original.tags("-ee", "-G3:1"), try file.tags("-ee", "-G3:1"))
            #expect(
                new["Main:Keys:ContentIdentifier"] ?? new["Keys:ContentIdentifier"] == identifier)
            for key in old.keys
            where key.contains(":System:") || key.hasPrefix("System:") || key.contains("Source")
                || key.hasSuffix("ContentIdentifier")
            {
                old[key] = nil
            }
            new = new.filter { old[$0.key] != nil }
            #expect(new == old, "\(name)")
            #expect(try file.data.prefix(1 << 19) == original.data.prefix(1 << 19))
        }
    }

    @Test("a still image time is added to a MOV or MP4 without one")
    func still() throws {
        for (name, arguments) in [
            ("a.mov", []), ("b.mov", ["-movflags", "faststart"]), ("c.mp4", []),
            ("d.mov", ["-movie_timescale", "600"]),
        ] {
            let file = try MovieFile.pattern(folder.file(name), arguments)
            let packets = try file.packets()
            #expect(try file.stillImageTime() == nil)
            let said = try Movie.addStillImageTime(RationalTime(721, over: 600), to: file.open())
            #expect(try file.stillImageTime() == said)
            #expect(abs(said.seconds - 721 / 600) < 0.00051)
            #expect(abs(try file.starts().last.map { $0 - said.seconds } ?? 1) < 0.000001)
            let tags = try file.sampleTags()
            #expect(tags["Doc1:StillImageTime"] == "-1" && tags["Doc1:SampleTime"] == "0")
            #expect(try file.packets() == packets && file.complaints() == "")
            #expect(try file.tags("-ContentDescribes")["ContentDescribes"] == "1")
            let error = #expect(throws: MovieError.self) {
                try Movie.addStillImageTime(RationalTime(1, over: 2), to: file.open())
            }
            #expect(error?.code == .unsupported)
        }
        let start = try MovieFile.pattern(folder.file("start.mov"))
        try Movie.addStillImageTime(RationalTime(0, over: 1), to: start.open())
        #expect(try start.stillImageTime()?.seconds == 0)
        for time in [-1, 3, 1 << 40] as [Int64] {
            let file = try MovieFile.pattern(folder.file("\(time).mov"))
            let before = try file.data
            let error = #expect(throws: MovieError.self) {
                try Movie.addStillImageTime(RationalTime(time, over: 1), to: file.open())
            }
            #expect(try error?.code == .unsupported && file.data == before)
        }
    }

    @Test(
        "the added track has the boxes of a camera's, byte for byte for equal values",
        .corpus)
    func bytes() throws {
        let camera = try LiveVideos.file("live/jpegvideocomplement_1.mov").data
        let file = try MovieFile.pattern(folder.file("a.mov"), ["-movie_timescale", "600"])
        try Movie.addStillImageTime(RationalTime(721, over: 600), to: file.open())
        let made = try file.data
        for (name, length) in [
            ("elst", 36), ("gmin", 20), ("dref", 24), ("stsd", 108), ("stts", 20), ("stsc", 24),
            ("stsz", 16),
        ] {
            func last(_ data: Data) throws -> Data {
                let found = try #require(data.range(of: Data(name.utf8), options: .backwards))
                return data[found.lowerBound..<found.lowerBound + length]
            }
            #expect(try Array(last(made)) == Array(last(camera)), "\(name)")
        }
    }
}
