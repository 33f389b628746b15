// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes and reads videos with the `ffmpeg` and `ffprobe` commands.
public enum TestVideo {
    /// The facts about a video, as reported by `ffprobe`.
    public struct Description: Sendable {
        /// The upright width.
        public let width: Int
        /// The upright height.
        public let height: Int
        /// The duration of the whole file in seconds.
        public let duration: Double
        /// The average number of frames per second.
        public let frameRate: Double
        /// The codec of the first video track.
        public let codec: String
        /// The codec of the first sound track, or nil if there is no sound.
        public let audioCodec: String?
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Makes a video of a moving pattern and a tone.
    ///
    /// - Parameter arguments: Options of `ffmpeg` for the output.
    public static func make(
        _ path: String, size: String, seconds: Int, _ arguments: [String]
    ) throws {
        let usual = arguments.contains("-c:v") ? [] : ["-c:v", "libx264", "-c:a", "aac"]
        try run(
            [
                "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=25:duration=\(seconds)", "-f",
                "lavfi", "-i", "sine=frequency=440:duration=\(seconds)",
            ] + usual + arguments + ["-shortest", path])
    }

    /// Runs `ffmpeg` without standard input. It overwrites no file.
    public static func run(_ arguments: [String]) throws {
        let usual = ["ffmpeg", "-nostdin", "-v", "error", "-threads", "1", "-n"]
        let result = try runProgram("/usr/bin/env", usual + arguments)
        guard result.status == 0 else { throw Failure(description: result.errors) }
    }

    /// Reads the facts about a video with `ffprobe`.
    public static func probe(_ path: String) throws -> Description {
        let result = try runProgram(
            "/usr/bin/env",
            ["ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "json", path])
        guard result.status == 0,
            let found = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
                as? [String: Any],
            let streams = found["streams"] as? [[String: Any]],
            let format = found["format"] as? [String: Any],
            let video = streams.first(where: { $0["codec_type"] as? String == "video" }),
            let width = video["width"] as? Int, let height = video["height"] as? Int,
            let duration = (format["duration"] as? String).flatMap(Double.init)
        else { throw Failure(description: "ffprobe: \(result.errors)") }
        let turns =
            (video["side_data_list"] as? [[String: Any]])?
            .compactMap { $0["rotation"] as? Int }.first ?? 0
        let isTurned = abs(turns) % 180 == 90
        let rate = ((video["avg_frame_rate"] as? String) ?? "0/1").split(separator: "/")
            .compactMap { Double($0) }
        return Description(
            width: isTurned ? height : width, height: isTurned ? width : height,
            duration: duration, frameRate: rate.count == 2 ? rate[0] / rate[1] : 0,
            codec: video["codec_name"] as? String ?? "",
            audioCodec: streams.first { $0["codec_type"] as? String == "audio" }?["codec_name"]
                as? String)
    }

    /// The first frame decoded by `ffmpeg`, rotated upright as in players, in 8-bit RGB.
    public static func firstFrame(
        _ path: String
    ) throws -> (width: Int, height: Int, pixels: [UInt8]) {
        let folder = try TemporaryFolder()
        let output = folder.file("frame.rgb")
        try run(["-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", output])
        let size = try probe(path)
        return (size.width, size.height, Array(try Data(contentsOf: URL(fileURLWithPath: output))))
    }

    /// A QuickTime file that declares its samples to be in another file: the data references of its
    /// tracks become aliases (QuickTime File Format, "Data Reference Atoms").
    ///
    /// - Parameter track: The index of the only track to change, or nil for all.
    public static func referring(
        _ bytes: Data, to path: String, track: Int? = nil
    ) throws -> Data {
        Data(boxes(Array(bytes), path: Array(path.utf8), track: track))
    }

    /// A fragmented MP4 with another file's sound track after one of its fragments. The length of the fragment in the
    /// index is increased accordingly (ISO/IEC 14496-12, 8.3.1, 8.16.3).
    public static func inserting(
        soundOf other: Data, behindFragment fragment: Int, of bytes: Data
    ) throws -> Data {
        func children(_ data: Data, _ range: Range<Int>) -> [(name: String, range: Range<Int>)] {
            var (found, place): ([(name: String, range: Range<Int>)], Int) = ([], range.lowerBound)
            while place + 8 <= range.upperBound {
                let length = data[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
                guard length >= 8, place + length <= range.upperBound else { break }
                let name = String(decoding: data[place + 4..<place + 8], as: UTF8.self)
                found.append((name, place..<place + length))
                place += length
            }
            return found
        }
        let movie = children(other, 0..<other.count).first { $0.name == "moov" }
        let tracks = movie.map { children(other, $0.range.lowerBound + 8..<$0.range.upperBound) }
        let sound = tracks?.first {
            $0.name == "trak" && other.range(of: Data("smhd".utf8), in: $0.range) != nil
        }
        let top = children(bytes, 0..<bytes.count)
        let ends = top.filter { $0.name == "mdat" }.map(\.range.upperBound)
        guard let sound, ends.indices.contains(fragment) else {
            throw Failure(description: "there is no sound, or no such fragment")
        }
        var (track, result) = (Data(other[sound.range]), bytes)
        // A track ID that no other track has.
        if let header = track.range(of: Data("tkhd".utf8)) { track[header.upperBound + 15] = 9 }
        for index in top where index.name == "sidx" {
            let start = index.range.lowerBound
            let size = start + (bytes[start + 8] == 0 ? 32 : 40) + 12 * fragment
            let old = bytes[size..<size + 4].reduce(0) { $0 << 8 | Int($1) }
            result.replaceSubrange(size..<size + 4, with: number(old + track.count, 4))
        }
        result.insert(contentsOf: track, at: ends[fragment])
        return result
    }

    private static func boxes(_ bytes: [UInt8], path: [UInt8], track: Int?) -> [UInt8] {
        var (result, place, tracks) = ([UInt8](), 0, 0)
        while place + 8 <= bytes.count {
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length >= 8, place + length <= bytes.count else { break }
            let name = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
            var content = Array(bytes[place + 8..<place + length])
            if name == "trak" { tracks += 1 }
            if name == "trak", let track, track != tracks - 1 {
                // Unchanged.
            } else if ["moov", "trak", "mdia", "minf", "dinf"].contains(name) {
                content = boxes(content, path: path, track: track)
            } else if name == "dref" {
                content = [0, 0, 0, 0, 0, 0, 0, 1] + alias(to: path)
            }
            result += number(8 + content.count, 4) + Array(name.utf8) + content
            place += length
        }
        return result + bytes[place...]
    }

    /// A data reference with an alias record whose only tagged field is the absolute path.
    private static func alias(to path: [UInt8]) -> [UInt8] {
        let padded = path.count % 2 == 0 ? path : path + [0]
        let record =
            [UInt8](repeating: 0, count: 150) + number(2, 2) + number(path.count, 2) + padded
            + number(0xFFFF, 2) + number(0, 2)
        return number(12 + record.count, 4) + Array("alis".utf8) + [0, 0, 0, 0] + record
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(value >> (8 * (count - 1 - $0)) & 0xFF) }
    }
}
