// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol

/// Adds IPTC to a PNG file. PNG has no place of its own for it; ImageMagick's is understood by
/// many. libvips cuts its keyword off at the first blank.
enum PNGMetadata {
    /// Puts the chunk before the last one, which ends the file.
    ///
    /// - Parameters:
    ///   - block: What to add.
    ///   - file: A PNG file.
    static func add(_ block: IPTCBlock, to file: OpenFile) throws(RunnerFailure) {
        let text = RawProfile.iptcKeyword + "\0" + RawProfile.text(block.resource)
        let bytes = chunk("tEXt", Array(text.utf8)) + chunk("IEND", [])
        guard let length = file.length, length > endLength,
            (try? bytes.withUnsafeBytes({ try file.write($0, at: length - endLength) })) != nil
        else {
            throw RunnerFailure(
                code: .outputFailed, message: "the output cannot be written: no room for IPTC")
        }
    }

    private static let endLength = 12

    private static func chunk(_ type: String, _ contents: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + contents
        return word(UInt32(contents.count)) + body + word(checksum(body))
    }

    /// CRC-32 as PNG's specification defines it.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
                sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1
            }
        }
    }

    private static func word(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init)
    }
}
