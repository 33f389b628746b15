// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The information in the segments of a JPEG file about pictures after the first.
struct JPEGAuxiliaryPictures {
    private let bytes: Bytes

    /// The limits, which no file exceeds: the number of pictures, and the number of segments before the pixels of a
    /// picture.
    private static let maximumPictures = 16
    private static let maximumSegments = 4096

    init(_ bytes: Bytes) { self.bytes = bytes }

    /// The media subtypes of the first picture that follow from the others.
    var mediaSubtypes: MediaSubtype {
        let segments = segments(at: 0)
        var subtypes: MediaSubtype = hasGainMap(segments) ? .photoHDR : []
        for position in additionalPictures(segments) {
            let segments = self.segments(at: position)
            if hasGainMap(segments) { subtypes.insert(.photoHDR) }
            subtypes.formUnion(xmp(segments)?.auxiliarySubtypes ?? [])
        }
        return subtypes
    }

    /// Whether one of the pictures is a gain map of the first.
    var containsGainMap: Bool { mediaSubtypes.contains(.photoHDR) }

    /// The uses of the other pictures, as declared by the URNs in their XMP.
    var auxiliaryTypes: [String] {
        additionalPictures.compactMap { position in
            xmp(segments(at: position))?.localizedText("apdi:AuxiliaryImageType")
        }
    }

    /// The offsets of the other pictures in the file's index.
    var additionalPictures: [Int] { additionalPictures(segments(at: 0)) }

    // MARK: - Segments

    private struct Segment {
        let marker: UInt8
        let content: Range<Int>
    }

    /// Returns the segments of a picture before its pixels, up to the first truncated one.
    private func segments(at start: Int) -> [Segment] {
        guard bytes[start] == 0xFF, bytes[start + 1] == 0xD8 else { return [] }
        var found: [Segment] = []
        var position = start + 2
        while found.count < Self.maximumSegments, bytes[position] == 0xFF,
            let marker = bytes[position + 1], marker != 0xDA, marker != 0xD9
        {
            if marker == 0xFF {
                // Any number of fill bytes may precede a marker.
                position += 1
                continue
            }
            guard let length = bytes.number(position + 2, 2, bigEndian: true).map(Int.init),
                length >= 2, length <= bytes.count - position - 2
            else { break }
            found.append(Segment(marker: marker, content: position + 4..<position + 2 + length))
            position += 2 + length
        }
        return found
    }

    /// Returns the payload of the first segment with a marker and an identifier, without the identifier.
    private func content(_ marker: UInt8, _ mark: String, _ segments: [Segment]) -> Range<Int>? {
        segments.first { $0.marker == marker && bytes.has(mark, at: $0.content.lowerBound) }
            .map { $0.content.lowerBound + mark.utf8.count..<$0.content.upperBound }
    }

    // MARK: - Contents

    /// Whether the segments contain the mark of ISO 21496-1, which is present in the picture and in the gain map.
    private func hasGainMap(_ segments: [Segment]) -> Bool {
        content(0xE2, "urn:iso:std:iso:ts:21496:-1\0", segments) != nil
    }

    private func xmp(_ segments: [Segment]) -> XMPPacket? {
        content(0xE1, "http://ns.adobe.com/xap/1.0/\0", segments)
            .flatMap { bytes.slice($0.lowerBound, $0.count) }.map(XMPPacket.init)
    }

    /// Returns the offsets of the other pictures in the index of the Multi-Picture Format (CIPA DC-007).
    private func additionalPictures(_ segments: [Segment]) -> [Int] {
        guard let list = content(0xE2, "MPF\0", segments),
            let reader = TIFFReader(bytes, origin: list.lowerBound), let first = reader.first,
            let entries = reader.raw(ExifTag.mpEntry, in: first).map({ Bytes($0) })
        else { return [] }
        return (0..<min(entries.count / 16, Self.maximumPictures)).compactMap { index in
            // The offset of the first picture is 0. The others are relative to the index.
            entries.number(index * 16 + 8, 4, bigEndian: reader.isBigEndian)
                .flatMap { $0 == 0 ? nil : list.lowerBound + Int($0) }
        }
    }
}
