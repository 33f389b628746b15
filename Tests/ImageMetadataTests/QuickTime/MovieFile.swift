// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import ImageMetadata
import TestSupport
import Testing

/// Movie files of a test, inspected by independent programs.
struct MovieFile {
    let path: String

    /// Opens the file for reading and writing.
    func open() throws -> OpenFile { try OpenFile(path, O_RDWR) }

    /// Opens the file for reading only.
    func openForReading() throws -> OpenFile { try OpenFile(path, O_RDONLY) }

    func movie() throws -> Movie { try Movie(reading: openForReading()) }

    var data: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: path)) } }

    func stillImageTime() throws -> RationalTime? {
        let file = try openForReading()
        return try Movie(reading: file).stillImageTime(in: file)
    }

    func copy(to path: String) throws -> MovieFile {
        try FileManager.default.copyItem(atPath: self.path, toPath: path)
        return MovieFile(path: path)
    }

    // MARK: - Making

    /// A movie that libavformat makes from this one, with only its video, sound and movie metadata.
    func remade(
        _ path: String, timescale: Int = 1000, movieInFront: Bool = false,
        _ arguments: [String] = []
    ) throws -> MovieFile {
        let flags = "use_metadata_tags" + (movieInFront ? "+faststart" : "")
        try TestVideo.run(
            ["-i", self.path, "-map", "0:v:0", "-map", "0:a?"] + arguments + [
                "-vf", "scale=160:-2", "-vsync", "passthrough", "-c:v", "libx264", "-preset",
                "ultrafast", "-c:a", "copy", "-movflags", flags, "-movie_timescale",
                "\(timescale)", path,
            ])
        return MovieFile(path: path)
    }

    /// A movie of a moving pattern and a tone, with 25 frames per second.
    static func pattern(_ path: String, seconds: Int = 2, _ arguments: [String] = []) throws
        -> MovieFile
    {
        try TestVideo.make(path, size: "64x48", seconds: seconds, ["-bf", "0"] + arguments)
        return MovieFile(path: path)
    }

    // MARK: - ExifTool

    /// All tags of a file, by group and name.
    ///
    /// - Parameter arguments: Options such as `-G3`, and the requested tags.
    func tags(_ arguments: String...) throws -> [String: String] {
        let result = try runProgram(
            "/usr/bin/env",
            ["exiftool", "-j", "-n", "-a", "-api", "largefilesupport=1"] + arguments + [path])
        let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        let tags = try #require((json as? [[String: Any]])?.first)
        return tags.mapValues { "\($0)" }
    }

    /// The tags of timed metadata samples that ExifTool reads, with the number of the sample.
    func sampleTags() throws -> [String: String] {
        try tags("-ee", "-G3").filter { $0.key.hasPrefix("Doc") }
    }

    // MARK: - FFmpeg

    /// The packets of video and sound: times, sizes, positions and hashes.
    func packets() throws -> [String] {
        try ["v:0", "a"].flatMap { stream in
            try runProgram(
                "/usr/bin/env",
                [
                    "ffprobe", "-v", "error", "-select_streams", stream, "-show_packets",
                    "-show_data_hash", "md5", "-of", "compact=p=0", path,
                ]
            ).output.split(separator: "\n").map(String.init)
        }
    }

    /// The start times of timed metadata streams in seconds, as libavformat reads their edit lists.
    func starts() throws -> [Double] {
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

    /// The errors that `ffmpeg` prints when it decodes the whole movie.
    func complaints() throws -> String {
        let result = try runProgram(
            "/usr/bin/env",
            ["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-f", "null", "-"])
        return result.errors + (result.status == 0 ? "" : " \(result.status)")
    }
}

/// The Live Photo videos of the corpus, and the times of their stills from their edit lists.
enum LiveVideos {
    static let all = [
        (name: "live/jpegvideocomplement_1.mov", units: 721),
        (name: "cameras/iphone15promax_ios26.MOV", units: 860),
        (name: "cameras/IMG_7943_HEVC.MOV", units: 880),
    ]

    static func file(_ name: String) throws -> MovieFile {
        MovieFile(path: try Corpus.path(name))
    }
}

extension RationalTime {
    /// Creates a time, which must be valid.
    init(_ value: Int64, over timescale: Int64) throws {
        self = try #require(RationalTime(value: value, timescale: timescale))
    }
}
