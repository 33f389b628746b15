// SPDX-License-Identifier: Apache-2.0

import Foundation

extension TestVideo {
    /// The presentation time of each frame in seconds, as reported by `ffprobe`.
    public static func times(_ path: String) throws -> [String] {
        let result = try runProgram(
            "/usr/bin/env",
            [
                "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
                "frame=pts_time", "-of", "csv=p=0", path,
            ])
        return result.output.split(whereSeparator: \.isNewline).map {
            String($0.prefix { $0 != "," })
        }
    }

    /// The metadata tags of the file and its tracks, in `ffprobe`'s format.
    public static func tags(_ path: String) throws -> String {
        try runProgram(
            "/usr/bin/env",
            [
                "ffprobe", "-v", "error", "-show_entries", "format_tags:stream_tags", "-of",
                "compact", path,
            ]
        ).output
    }

    /// The hashes of all sound tracks, copied by `ffmpeg`.
    public static func sound(_ path: String) throws -> [String] {
        guard try probe(path).audioCodec != nil else { return [] }
        let result = try runProgram(
            "/usr/bin/env",
            [
                "ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:a?", "-c", "copy", "-f",
                "data", "-hash", "md5", "-f", "streamhash", "-",
            ])
        return result.output.split(whereSeparator: \.isNewline).map(String.init)
    }

    /// All frames decoded by `ffmpeg`, upright, in 8-bit RGB.
    ///
    /// - Parameter filter: An `ffmpeg` filter to apply.
    public static func frames(_ path: String, filter: String = "null") throws -> [[UInt8]] {
        let folder = try TemporaryFolder()
        let output = folder.file("frames.rgb")
        let scaled = "scale=out_range=full:flags=bicubic+full_chroma_int+accurate_rnd,format=rgb24"
        try run([
            "-i", path, "-map", "0:v:0", "-vsync", "passthrough", "-vf", "\(scaled),\(filter)",
            "-f", "rawvideo", "-pix_fmt", "rgb24", output,
        ])
        let size = try probe(path)
        let data = try Data(contentsOf: URL(fileURLWithPath: output))
        let length = size.width * size.height * 3
        return stride(from: 0, to: data.count - length + 1, by: length).map {
            Array(data[$0..<$0 + length])
        }
    }

    /// The peak signal-to-noise ratio in decibels, or 100 for equal samples.
    public static func ratio(_ left: [UInt8], _ right: [UInt8]) -> Double {
        guard left.count == right.count, !left.isEmpty else { return 0 }
        var sum = 0
        for (one, other) in zip(left, right) {
            let difference = Int(one) - Int(other)
            sum += difference * difference
        }
        let mean = Double(sum) / Double(left.count)
        return mean == 0 ? 100 : 10 * log10(255 * 255 / mean)
    }

    /// The similarity of a video to another one after a filter: the peak signal-to-noise ratio of each frame in
    /// decibels, over all planes of 4:2:0, computed by `ffmpeg`'s filter `psnr`. The maximum is 100.
    public static func ratios(_ path: String, to original: String, filter: String) throws
        -> [Double]
    {
        let folder = try TemporaryFolder()
        let output = folder.file("psnr.txt")
        let full = "scale=out_range=full:flags=bicubic+full_chroma_int+accurate_rnd"
        let planes =
            "scale=out_color_matrix=bt709:out_range=full:flags=accurate_rnd,format=yuv420p"
        try run([
            "-i", path, "-i", original, "-filter_complex",
            "[0:v]\(full),format=rgb24,\(planes)[a];[1:v]\(full),format=rgb24,\(filter),\(planes)[b];"
                + "[a][b]psnr=stats_file=\(output)", "-f", "null", "-",
        ])
        let lines = try String(contentsOfFile: output, encoding: .utf8)
        return lines.split(whereSeparator: \.isNewline).compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("psnr_avg:") }
                .map { Double($0.dropFirst("psnr_avg:".count)) ?? 100 }
                .map { min($0, 100) }
        }
    }

    /// A sound packet.
    public struct Packet: Sendable {
        /// The presentation time in seconds.
        public let time: Double
        /// The hash of the bytes.
        public let hash: String
    }

    /// The packets of a sound track, as reported by `ffprobe`.
    ///
    /// - Parameter track: The index of the sound track.
    public static func packets(_ path: String, track: Int = 0) throws -> [Packet] {
        let result = try runProgram(
            "/usr/bin/env",
            [
                "ffprobe", "-v", "error", "-select_streams", "a:\(track)", "-show_packets",
                "-show_data_hash",
                "md5", "-show_entries", "packet=pts_time,data_hash", "-of", "csv=p=0", path,
            ])
        return result.output.split(whereSeparator: \.isNewline).compactMap { line in
            let parts = line.split(separator: ",")
            guard let time = parts.first.flatMap({ Double($0) }),
                let hash = parts.first(where: { $0.hasPrefix("MD5:") })
            else { return nil }
            return Packet(time: time, hash: String(hash))
        }
    }
}
