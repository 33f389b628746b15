// SPDX-License-Identifier: Apache-2.0

import Foundation

extension TestVideo {
    /// When each frame is shown and for how long, as `ffprobe` says, in seconds.
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

    /// The packets of all sounds: their times, lengths and hashes, as `ffmpeg` copies them.
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

    /// All frames as `ffmpeg` gives them, upright: RGB, 8 bits.
    ///
    /// - Parameter filter: what is done to them.
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

    /// The ratio of the greatest to the mean squared error, in decibels (peak signal-to-noise ratio).
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
}
