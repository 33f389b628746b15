// SPDX-License-Identifier: Apache-2.0

/// The segments of a JPEG file before its first scan (ITU-T T.81, B.1).
package struct JPEGHeader {
    /// A marker segment.
    package struct Segment {
        /// The marker, without the byte 0xFF.
        package let marker: UInt8
        /// The range of the segment, including its marker.
        let range: Range<Int>
        /// The range of the payload.
        package let contents: Range<Int>
    }

    /// The segments before the first scan, in order.
    package let segments: [Segment]
    /// The offset of the first scan.
    package let scan: Int

    /// Reads the header. Returns `nil` if a segment is malformed.
    package init?(_ bytes: Bytes) {
        guard bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
        var found: [Segment] = []
        var position = 2
        while true {
            guard bytes[position] == 0xFF else { return nil }
            var start = position
            // Any number of fill bytes may precede a marker.
            while bytes[start + 1] == 0xFF { start += 1 }
            guard let marker = bytes[start + 1] else { return nil }
            if marker == Self.startOfScan { break }
            guard marker >= 0xC0, !(0xD0...0xD9).contains(marker),
                let length = bytes.number(start + 2, 2, bigEndian: true).map(Int.init),
                length >= 2, start + 2 + length <= bytes.count,
                found.count < Self.maximumSegments
            else { return nil }
            let end = start + 2 + length
            found.append(
                Segment(marker: marker, range: position..<end, contents: start + 4..<end))
            position = end
        }
        segments = found
        self.bytes = bytes
        scan = position
    }

    /// Returns the payloads of the segments with a marker and an identifier, without the identifier.
    package func contents(_ marker: UInt8, _ mark: String) -> [Range<Int>] {
        segments.filter {
            $0.marker == marker && $0.contents.count >= mark.utf8.count
                && bytes.has(mark, at: $0.contents.lowerBound)
        }.map { $0.contents.lowerBound + mark.utf8.count..<$0.contents.upperBound }
    }

    private let bytes: Bytes

    private static let startOfScan: UInt8 = 0xDA
    private static let endMarker: UInt8 = 0xD9
    private static let maximumSegments = 10_000

    /// Returns the end of the first picture, or the end of the file if the picture has no end marker.
    func end(_ bytes: Bytes) -> Int { endOfImage ?? bytes.count }

    /// The end of the first picture, after its end marker; `nil` if it has none.
    package var endOfImage: Int? {
        var position = scan
        let memory = bytes.memory
        while let start = bytes.next(0xFF, from: position), start + 1 < memory.count {
            // This is the most frequent case: a picture has tens of thousands of stuffed bytes.
            if memory[start + 1] == 0 {
                position = start + 2
                continue
            }
            switch memory[start + 1] {
            case Self.endMarker: return start + 2
            // Restart markers lie within the data of a scan.
            case 0x01, 0xD0...0xD7: position = start + 2
            case 0xFF: position = start + 1
            default:
                guard let length = bytes.number(start + 2, 2, bigEndian: true) else { return nil }
                position = start + 2 + max(2, Int(length))
            }
        }
        return nil
    }
}
