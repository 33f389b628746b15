// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc
import RunnerProtocol

/// Adds XMP to a JPEG written by libvips. libvips drops packets of more than 60,000 bytes, although a single segment
/// can contain more, and several segments any length.
package enum JPEGMetadata {
    /// The maximum length of a packet that libvips writes.
    private static let written = 60_000
    /// The maximum length of a packet in one segment, without its identifier.
    private static let room = 65_500

    /// Returns the segments of a packet. If the packet is too long, its padding is removed. If it is still too long, it
    /// is split into a main packet and an extended part.
    ///
    /// - Parameter completing: Adds properties that must be in the main packet, which have a few kilobytes at most.
    /// - Returns: The segments, or `nil` if the packet must be split but is malformed.
    static func segments(
        _ packet: XMPPacket, completing: (XMPPacket) -> XMPPacket = { $0 }
    ) -> [[UInt8]]? {
        let whole = completing(packet)
        if whole.text.count <= room { return [segment(mark, whole.text[...])] }
        let plain = whole.withoutPadding
        if plain.text.count <= room { return [segment(mark, plain.text[...])] }
        guard
            let parts = ExtendedXMP.parts(
                of: packet.withoutPadding, room: written)
        else { return nil }
        let (main, extended) = (completing(parts.packet), parts.extended)
        let head = Array((ExtendedXMP.mark + MD5.digest(extended)).utf8) + word(extended.count)
        return [segment(mark, main.text[...])]
            + stride(from: 0, to: extended.count, by: portion).map { start in
                segment(
                    head + word(start), extended[start..<min(extended.count, start + portion)])
            }
    }

    /// Whether a JPEG can contain the whole packet.
    package static func hasRoom(for packet: XMPPacket) -> Bool {
        packet.text.count <= room || segments(packet) != nil
    }

    /// The identifier of an XMP segment.
    package static let xmpMark = "http://ns.adobe.com/xap/1.0/\0"
    private static let mark = Array(xmpMark.utf8)
    /// The length of the extended part in each segment.
    private static let portion = 65_400

    private static func segment(_ mark: [UInt8], _ contents: ArraySlice<UInt8>) -> [UInt8] {
        let length = mark.count + contents.count + 2
        return [0xFF, 0xE1, UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)] + mark + contents
    }

    private static func word(_ number: Int) -> [UInt8] { TIFFWriter.bytes(number, 4).reversed() }

    /// Returns the comment segments of a file, up to a total of one mebibyte.
    package static func comments(of bytes: Bytes) -> [[UInt8]] {
        var room = 1 << 20
        return (JPEGHeader(bytes)?.segments ?? []).filter { $0.marker == 0xFE }.compactMap {
            room -= $0.range.count
            return room >= 0 ? bytes.slice($0.range.lowerBound, $0.range.count) : nil
        }
    }

    /// Adds metadata that libvips does not write.
    ///
    /// - Parameters:
    ///   - xmp: The packet that was passed to libvips.
    ///   - comments: The complete comment segments.
    ///   - trailer: The bytes after the picture.
    ///   - file: The file written by libvips.
    /// - Throws: `outputFailed`.
    package static func add(
        xmp: [UInt8]?, comments: [[UInt8]], trailer: [UInt8], to file: OpenFile
    ) throws(RunnerFailure) {
        let long = xmp.flatMap { $0.count > written ? segments(XMPPacket($0)) : nil } ?? []
        guard !long.isEmpty || !comments.isEmpty || !trailer.isEmpty else { return }
        guard let length = file.length, let bytes = Bytes(mapping: file, length: length) else {
            throw unwritable
        }
        // After the start marker and the segments that libvips writes before XMP: JFIF and EXIF.
        var position = 2
        while bytes[position] == 0xFF,
            bytes[position + 1] == 0xE0 || bytes.has("Exif\0", at: position + 4),
            let size = bytes.number(position + 2, 2, bigEndian: true)
        {
            position += 2 + Int(size)
        }
        guard let rest = bytes.slice(position, bytes.count - position) else { throw unwritable }
        let added = (long + comments).joined() + rest + trailer
        guard (try? added.withUnsafeBytes { try file.write($0, at: position) }) != nil else {
            throw unwritable
        }
    }

    /// Removes the EXIF that libvips adds to every picture. Adds the JFIF segment, which libvips omits if there is
    /// EXIF.
    package static func removeExif(from file: OpenFile) throws(RunnerFailure) {
        guard let length = file.length, let bytes = Bytes(mapping: file, length: length),
            let header = JPEGHeader(bytes)
        else { throw unwritable }
        let isExif = { (segment: JPEGHeader.Segment) in
            segment.marker == 0xE1 && bytes.has("Exif\0\0", at: segment.contents.lowerBound)
        }
        guard header.segments.contains(where: isExif) else { return }
        let hasMark = header.segments.contains { $0.marker == 0xE0 }
        let left = header.segments.filter { !isExif($0) }
            .compactMap { bytes.slice($0.range.lowerBound, $0.range.count) }
        guard let rest = bytes.slice(header.scan, bytes.count - header.scan) else {
            throw unwritable
        }
        let new = [0xFF, 0xD8] + (hasMark ? [] : plainMark) + left.joined() + rest
        guard (try? new.withUnsafeBytes { try file.write($0, at: 0) }) != nil,
            ftruncate(file.descriptor, off_t(new.count)) == 0
        else { throw unwritable }
    }

    /// JFIF 1.01 with square pixels.
    private static let plainMark: [UInt8] =
        [0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]

    private static var unwritable: RunnerFailure {
        RunnerFailure(
            code: .outputFailed, message: "the output cannot be written: no room for XMP")
    }
}
