// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import RunnerProtocol

/// Completes a PNG file that libvips has written. It writes XMP as compressed Latin-1; libpng before 1.6.40
/// writes EXIF a second time at the end; and PNG has no place of its own for IPTC: ImageMagick's is
/// understood by many, and libvips cuts its keyword off at the first blank.
enum PNGMetadata {
    /// - Parameters:
    ///   - xmp: XMP to add before the pixels.
    ///   - block: IPTC to add behind them.
    ///   - texts: Whole chunks to add there, as ``texts(of:)`` gives them.
    ///   - file: A PNG file as libvips writes it.
    static func finish(
        _ file: OpenFile, adding block: IPTCBlock?, xmp: [UInt8]? = nil, texts: [UInt8] = []
    ) throws(RunnerFailure) {
        guard let length = file.length, let bytes = Bytes(mapping: file, length: length),
            let pixels = pixels(bytes)
        else { throw unwritable }
        var tail: [UInt8] = []
        let (start, end) = (pixels.lowerBound, pixels.upperBound)
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
        let head = xmp.map { Self.chunk("iTXt", Self.xmpMark + $0) } ?? []
        guard write(tail, to: file, at: end + head.count),
            move(pixels, by: head.count, in: file, bytes), write(head, to: file, at: start),
            ftruncate(file.descriptor, off_t(end + head.count + tail.count)) == 0
        else { throw unwritable }
    }

    /// What a chunk of XMP begins with (XMP Specification, part 3): neither compression nor a language.
    private static let xmpMark = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8)

    /// Has a file that libvips has written say of its resolution only that its pixels are square.
    static func removeResolution(from file: OpenFile) throws(RunnerFailure) {
        guard let length = file.length, let bytes = Bytes(mapping: file, length: length) else {
            throw unwritable
        }
        var old: Int?
        forEachChunk(of: bytes) { type, place, length in
            if type == "pHYs", length == 21 { old = old ?? place }
        }
        let square = chunk("pHYs", word(1) + word(1) + [0])
        guard old.map({ write(square, to: file, at: $0) }) ?? true else { throw unwritable }
    }

    private static var unwritable: RunnerFailure {
        RunnerFailure(code: .outputFailed, message: "the PNG file cannot be completed")
    }

    private static func write(_ bytes: [UInt8], to file: OpenFile, at place: Int) -> Bool {
        (try? bytes.withUnsafeBytes { try file.write($0, at: place) }) != nil
    }

    /// Moves a part of a file towards its end, in pieces, the last one first.
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

    /// The chunks of a file that hold comments of people and programs, one after the other. Those that
    /// hold other metadata, or tell of a thumbnail, are not among them.
    static func texts(of bytes: Bytes) -> [UInt8] {
        var texts: [UInt8] = []
        forEachChunk(of: bytes) { type, place, length in
            if ["tEXt", "zTXt", "iTXt"].contains(type), texts.count + length <= maximumTexts,
                !otherTexts.contains(where: { bytes.has($0, at: place + 8) })
            {
                texts += bytes.slice(place, length) ?? []
            }
        }
        return texts
    }

    /// Gives the type, the place and the length of each chunk before the end, in bytes, with its own length, type
    /// and checksum.
    static func forEachChunk(
        of bytes: Bytes, _ body: (_ type: String, _ place: Int, _ length: Int) -> Void
    ) {
        var place = 8
        var count = 0
        while count < maximumChunks, let chunk = chunk(at: place, in: bytes), chunk.type != "IEND" {
            count += 1
            body(chunk.type, place, chunk.length)
            place += chunk.length
        }
    }

    /// No picture has more comments, in bytes.
    private static let maximumTexts = 1 << 20
    private static let maximumChunks = 1 << 16
    private static let otherTexts = ["Raw profile type ", "XML:com.adobe.xmp\0", "Thumb::"]

    /// Where the chunks of pixels are.
    private static func pixels(_ bytes: Bytes) -> Range<Int>? {
        var place = 8
        var found: Range<Int>?
        while let chunk = chunk(at: place, in: bytes) {
            let start = found?.lowerBound ?? place
            place += chunk.length
            if chunk.type == "IDAT" { found = start..<place } else if found != nil { break }
        }
        return found
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
