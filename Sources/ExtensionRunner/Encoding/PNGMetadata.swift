// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import RunnerProtocol

/// Writes the end of a PNG file anew. libpng before 1.6.40 writes EXIF a second time there; and PNG has no
/// place of its own for IPTC: ImageMagick's is understood by many, and libvips cuts its keyword off at
/// the first blank.
enum PNGMetadata {
    /// - Parameters:
    ///   - block: IPTC to add.
    ///   - texts: Whole chunks to add, as ``texts(of:)`` gives them.
    ///   - file: A PNG file as libvips writes it.
    static func finish(
        _ file: OpenFile, adding block: IPTCBlock?, texts: [UInt8] = []
    ) throws(RunnerFailure) {
        let unwritable = RunnerFailure(
            code: .outputFailed, message: "the end of the PNG file cannot be written")
        guard let length = file.length, let bytes = Bytes(mapping: file, length: length),
            let end = endOfPixels(bytes)
        else { throw unwritable }
        var tail: [UInt8] = []
        var place = end
        while let chunk = Self.chunk(at: place, in: bytes) {
            if !["eXIf", "IEND"].contains(chunk.type) {
                tail += bytes.slice(place, chunk.length) ?? []
            }
            place += chunk.length
        }
        if let block {
            let text = RawProfile.iptcKeyword + "\0" + RawProfile.text(block.resource)
            tail += Self.chunk("tEXt", Array(text.utf8))
        }
        tail += texts
        tail += Self.chunk("IEND", [])
        guard (try? tail.withUnsafeBytes { try file.write($0, at: end) }) != nil,
            ftruncate(file.descriptor, off_t(end + tail.count)) == 0
        else { throw unwritable }
    }

    /// The chunks of a file that hold comments of people and programs, one after the other. Those that
    /// hold other metadata, or tell of a thumbnail, are not among them.
    static func texts(of bytes: Bytes) -> [UInt8] {
        var texts: [UInt8] = []
        var place = 8
        var count = 0
        while count < maximumChunks, let chunk = chunk(at: place, in: bytes), chunk.type != "IEND" {
            count += 1
            if ["tEXt", "zTXt", "iTXt"].contains(chunk.type),
                texts.count + chunk.length <= maximumTexts,
                !otherTexts.contains(where: { bytes.has($0, at: place + 8) })
            {
                texts += bytes.slice(place, chunk.length) ?? []
            }
            place += chunk.length
        }
        return texts
    }

    /// No picture has more comments, in bytes.
    private static let maximumTexts = 1 << 20
    private static let maximumChunks = 1 << 16
    private static let otherTexts = ["Raw profile type ", "XML:com.adobe.xmp\0", "Thumb::"]

    /// Where the last chunk of pixels ends.
    private static func endOfPixels(_ bytes: Bytes) -> Int? {
        var place = 8
        var end: Int?
        while let chunk = chunk(at: place, in: bytes) {
            place += chunk.length
            if chunk.type == "IDAT" { end = place } else if end != nil { break }
        }
        return end
    }

    private static func chunk(at place: Int, in bytes: Bytes) -> (type: String, length: Int)? {
        guard let count = bytes.number(place, 4, bigEndian: true), count < 1 << 31,
            let type = bytes.slice(place + 4, 4), place + Int(count) + 12 <= bytes.count
        else { return nil }
        return (String(decoding: type, as: UTF8.self), Int(count) + 12)
    }

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
