// SPDX-License-Identifier: Apache-2.0

/// The extended part of a JPEG's XMP, which does not fit into one segment. It is split into portions in separate
/// segments, and the main packet contains its digest (XMP Specification, part 3, 1.1.3.1).
package enum ExtendedXMP {
    /// The identifier of a portion's segment. It is followed by the digest, the total length, and the offset of the
    /// portion.
    static let mark = "http://ns.adobe.com/xmp/extension/\0"
    /// The property of the main packet with the digest.
    static let property = "xmpNote:HasExtendedXMP"
    /// The length of a digest in bytes.
    static let digestLength = 32
    /// The length of the header of a portion.
    static let headerLength = mark.utf8.count + digestLength + 8

    /// Returns the packet joined with its extended part. Properties of the main packet take precedence.
    ///
    /// - Returns: The packet, or `nil` if there is no extended part, or it is incomplete or too long.
    package static func joined(_ packet: XMPPacket, in bytes: Bytes) -> XMPPacket? {
        guard packet.text.find(Array("HasExtendedXMP".utf8), from: 0) != nil,
            var editor = XMPEditor(packet), case .text(let digest)? = editor.value(property),
            let header = JPEGHeader(bytes),
            let text = text(
                digest.uppercased(), bytes, header,
                limit: XMPPacket.maximumLength - packet.text.count),
            var other = XMPEditor(XMPPacket(text))
        else { return nil }
        editor.remove(property)
        other.remove(property)
        let own = editor.propertyNames
        other.remove { own.contains($0) }
        editor.append(other.standaloneDescriptions)
        return editor.packet
    }

    /// Splits a packet for a file with limited space. The main packet contains the digest of the extended part and, as
    /// far as they fit, the properties that users write.
    ///
    /// - Parameters:
    ///   - packet: The whole packet.
    ///   - room: The maximum length of the main packet, in bytes.
    /// - Returns: The parts, or `nil` if the packet is malformed.
    static func parts(of packet: XMPPacket, room: Int) -> (packet: XMPPacket, extended: [UInt8])? {
        guard var rest = XMPEditor(packet), var new = XMPEditor(.empty) else { return nil }
        // This reserves space for the empty packet, the namespaces, and the digest.
        var left = room - 4096
        for name in Self.essentialProperties {
            guard let value = rest.value(name), value != .text("") else { continue }
            let length = value.element(name).utf8.count + 4
            guard length <= left else { continue }
            left -= length
            new.set(name, to: value)
            rest.remove(name)
        }
        let extended = rest.bareElement
        new.set(property, to: .text(MD5.digest(extended)))
        let main = new.packet
        return main.text.count <= room ? (main, extended) : nil
    }

    /// The properties that users write and that a library reads.
    private static let essentialProperties =
        XMPPacket.copyrightProperties + [
            "dc:title", "dc:description", "dc:subject", "xmp:Rating", "xmp:Label",
            "exif:DateTimeOriginal", "photoshop:DateCreated", "exif:GPSLatitude",
            "exif:GPSLongitude", "photoshop:Headline", "photoshop:City", "photoshop:State",
            "photoshop:Country", "photoshop:Credit", "photoshop:Source",
        ]

    /// Returns the extended part that matches a digest.
    private static func text(
        _ digest: String, _ bytes: Bytes, _ header: JPEGHeader, limit: Int
    ) -> [UInt8]? {
        let portions = header.segments.compactMap { Portion($0, bytes) }
            .filter { $0.digest == digest }.sorted { $0.offset < $1.offset }
        guard let length = portions.first?.length, length <= limit,
            portions.allSatisfy({ $0.length == length })
        else { return nil }
        var text: [UInt8] = []
        for portion in portions {
            // Portions may overlap. The digest detects contradictions.
            let known = text.count - portion.offset
            guard known >= 0 else { return nil }
            guard known < portion.contents.count else { continue }
            let rest = portion.contents.dropFirst(known)
            guard text.count + rest.count <= length else { return nil }
            text += bytes.slice(rest.lowerBound, rest.count) ?? []
        }
        return text.count == length && MD5.digest(text) == digest ? text : nil
    }

    /// A portion in one segment.
    private struct Portion {
        let digest: String
        /// The length of all portions together.
        let length: Int
        let offset: Int
        let contents: Range<Int>

        init?(_ segment: JPEGHeader.Segment, _ bytes: Bytes) {
            let start = segment.contents.lowerBound
            let numbers = start + ExtendedXMP.headerLength - 8
            guard segment.marker == 0xE1, segment.contents.count > ExtendedXMP.headerLength,
                bytes.has(ExtendedXMP.mark, at: start),
                let name = bytes.slice(numbers - digestLength, digestLength),
                let length = bytes.number(numbers, 4, bigEndian: true).map(Int.init),
                let offset = bytes.number(numbers + 4, 4, bigEndian: true).map(Int.init)
            else { return nil }
            digest = String(decoding: name, as: UTF8.self).uppercased()
            self.length = length
            self.offset = offset
            contents = numbers + 8..<segment.contents.upperBound
        }
    }
}
