// SPDX-License-Identifier: Apache-2.0

import FileAccess
import RunnerProtocol

/// Puts XMP into a JPEG that libvips has written: it leaves out packets of more than 60,000 bytes, though a
/// segment has room for more.
enum JPEGMetadata {
    /// The longest packet that libvips writes.
    private static let written = 60_000
    /// The longest that a segment has room for, beside its mark.
    private static let room = 65_500

    /// A packet as a JPEG can have it: without the padding at its end where it is too long with them; where
    /// it is then, too, with the properties only that people write.
    static func fitting(_ packet: XMPPacket) -> XMPPacket? {
        if packet.text.count <= written { return packet }
        let plain = packet.withoutPadding
        return plain.text.count <= room ? plain : plain.keeping(XMPPacket.essentialProperties)
    }

    /// - Parameters:
    ///   - xmp: The packet that was given to libvips.
    ///   - file: What it has written.
    static func add(xmp: [UInt8]?, to file: OpenFile) throws(RunnerFailure) {
        guard let xmp, xmp.count > written, xmp.count <= room else { return }
        guard let length = file.length, let bytes = Bytes(mapping: file, length: length) else {
            throw unwritable
        }
        // Behind the mark of the file and what libvips writes before XMP: JFIF, EXIF.
        var place = 2
        while bytes[place] == 0xFF, bytes[place + 1] == 0xE0 || bytes.has("Exif\0", at: place + 4),
            let size = bytes.number(place + 2, 2, bigEndian: true)
        {
            place += 2 + Int(size)
        }
        let mark = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
        let size = xmp.count + mark.count + 2
        guard let rest = bytes.slice(place, bytes.count - place) else { throw unwritable }
        let added = [0xFF, 0xE1, UInt8(size >> 8), UInt8(size & 0xFF)] + mark + xmp + rest
        guard (try? added.withUnsafeBytes { try file.write($0, at: place) }) != nil else {
            throw unwritable
        }
    }

    private static var unwritable: RunnerFailure {
        RunnerFailure(
            code: .outputFailed, message: "the output cannot be written: no room for XMP")
    }
}

extension XMPPacket {
    /// The packet without the padding that programs leave before its end (XMP Specification, part 1, 7.3.2).
    var withoutPadding: XMPPacket {
        let mark = Array("<?xpacket end".utf8)
        guard let end = text.lastRange(of: mark)?.lowerBound else { return self }
        let isBlank: (UInt8) -> Bool = { $0 <= 0x20 }
        let start = text[..<end].lastIndex { !isBlank($0) }.map { $0 + 1 } ?? end
        return XMPPacket(text[..<start] + [0x0A] + text[end...])
    }

    /// What people write, and what a library says of a photograph.
    static let essentialProperties =
        copyrightProperties + [
            "dc:title", "dc:description", "dc:subject", "xmp:Rating", "xmp:Label",
            "exif:DateTimeOriginal", "photoshop:DateCreated", "exif:GPSLatitude",
            "exif:GPSLongitude", "photoshop:Headline", "photoshop:City", "photoshop:State",
            "photoshop:Country", "photoshop:Credit", "photoshop:Source",
        ]
}

extension Array where Element == UInt8 {
    /// Where a pattern lies last.
    fileprivate func lastRange(of pattern: [UInt8]) -> Range<Int>? {
        guard pattern.count <= count else { return nil }
        var place = count - pattern.count
        while place >= 0 {
            if self[place] == pattern[0], self[place..<place + pattern.count].elementsEqual(pattern)
            {
                return place..<place + pattern.count
            }
            place -= 1
        }
        return nil
    }
}
