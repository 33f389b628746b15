// SPDX-License-Identifier: Apache-2.0

/// Chunks of PNG files.
enum PNGChunk {
    /// A complete chunk, with its length and checksum.
    static func bytes(_ type: String, _ contents: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + contents
        let checksum = ~body.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
                sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1
            }
        }
        return FileNumber.big(contents.count, 4) + body + FileNumber.big(Int(checksum), 4)
    }

    /// A file with further chunks after its header.
    static func inserting(_ chunks: [(String, [UInt8])], into file: [UInt8]) -> [UInt8] {
        file[..<33] + chunks.flatMap { bytes($0.0, $0.1) } + file[33...]
    }
}
