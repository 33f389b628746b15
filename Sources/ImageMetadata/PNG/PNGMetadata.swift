// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import RunnerProtocol

/// Completes a PNG file written by libvips. libvips writes XMP as compressed Latin-1, and libpng before 1.6.40 repeats
/// EXIF at the end. PNG has no chunk for IPTC. Many programs support the one of ImageMagick, but libvips truncates its
/// keyword at the first space.
package enum PNGMetadata {
    /// - Parameters:
    ///   - xmp: The XMP to add before the pixels.
    ///   - block: The IPTC to add after them.
    ///   - texts: The complete chunks to add there, from ``texts(of:)``.
    ///   - file: A PNG file as libvips writes it.
    /// - Throws: `outputFailed`.
    package static func finish(
        _ file: OpenFile, adding block: IPTCBlock?, xmp: [UInt8]? = nil, texts: [UInt8] = []
    ) throws(RunnerFailure) {
        guard let length = file.length, let bytes = Bytes(mapping: file, length: length),
            let pixels = pixels(bytes)
        else { throw unwritable }
        var tail: [UInt8] = []
        let (start, end) = (pixels.lowerBound, pixels.upperBound)
        var position = end
        while let chunk = PNGChunk(at: position, in: bytes) {
            if !["eXIf", "IEND"].contains(chunk.type) {
                tail += bytes.slice(position, chunk.range.count) ?? []
            }
            position = chunk.range.upperBound
        }
        if let block {
            let text = RawProfile.iptcKeyword + "\0" + RawProfile.text(block.resource)
            tail += Self.chunk("tEXt", Array(text.utf8))
        }
        tail += texts
        tail += Self.chunk("IEND", [])
        let head = xmp.map { Self.chunk("iTXt", Self.xmpMark + $0) } ?? []
        guard write(tail, to: file, at: end + head.count),
            move(pixels, by: head.count, in: file, bytes), write(head, to: file, at: start),
            ftruncate(file.descriptor, off_t(end + head.count + tail.count)) == 0
        else { throw unwritable }
    }

    /// The header of an XMP chunk (XMP Specification, part 3), without compression and language.
    private static let xmpMark = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8)

    /// Replaces the resolution in a file written by libvips with square pixels of unknown size.
    package static func removeResolution(from file: OpenFile) throws(RunnerFailure) {
        guard let length = file.length, let bytes = Bytes(mapping: file, length: length) else {
            throw unwritable
        }
        let old = chunks(of: bytes).first { $0.type == "pHYs" && $0.contents.count == 9 }
        let square = chunk("pHYs", word(1) + word(1) + [0])
        guard old.map({ write(square, to: file, at: $0.range.lowerBound) }) ?? true else {
            throw unwritable
        }
    }

    private static var unwritable: RunnerFailure {
        RunnerFailure(code: .outputFailed, message: "the PNG file cannot be completed")
    }

    private static func write(_ bytes: [UInt8], to file: OpenFile, at position: Int) -> Bool {
        (try? bytes.withUnsafeBytes { try file.write($0, at: position) }) != nil
    }

    /// Moves a part of a file towards its end, in pieces from the last to the first.
    private static func move(
        _ range: Range<Int>, by distance: Int, in file: OpenFile, _ bytes: Bytes
    ) -> Bool {
        guard distance > 0 else { return true }
        var end = range.upperBound
        while end > range.lowerBound {
            let start = max(range.lowerBound, end - 1 << 20)
            guard let piece = bytes.slice(start, end - start),
                write(piece, to: file, at: start + distance)
            else { return false }
            end = start
        }
        return true
    }

    /// Returns the chunks of a file that contain comments of users and programs. Chunks with other metadata or
    /// thumbnails are omitted.
    package static func texts(of bytes: Bytes) -> [UInt8] {
        var texts: [UInt8] = []
        for chunk in chunks(of: bytes) {
            let range = chunk.range
            if ["tEXt", "zTXt", "iTXt"].contains(chunk.type),
                texts.count + range.count <= maximumTexts,
                !otherTexts.contains(where: { bytes.has($0, at: chunk.contents.lowerBound) })
            {
                texts += bytes.slice(range.lowerBound, range.count) ?? []
            }
        }
        return texts
    }

    /// Returns the chunks before the end chunk.
    package static func chunks(of bytes: Bytes) -> some Sequence<PNGChunk> {
        PNGChunk.chunks(of: bytes).lazy.prefix(1 << 16).prefix { $0.type != "IEND" }
    }

    /// The maximum length of comments, in bytes.
    private static let maximumTexts = 1 << 20
    private static let otherTexts = ["Raw profile type ", "XML:com.adobe.xmp\0", "Thumb::"]

    /// Returns the range of the pixel chunks.
    private static func pixels(_ bytes: Bytes) -> Range<Int>? {
        var found: Range<Int>?
        for chunk in PNGChunk.chunks(of: bytes) {
            if chunk.type == "IDAT" {
                found = (found ?? chunk.range).lowerBound..<chunk.range.upperBound
            } else if found != nil {
                break
            }
        }
        return found
    }

    private static func chunk(_ type: String, _ contents: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + contents
        return word(UInt32(contents.count)) + body + word(checksum(body))
    }

    /// Returns the CRC-32 as defined by PNG.
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
