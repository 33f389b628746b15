// SPDX-License-Identifier: Apache-2.0

/// The segments of a JPEG file before its first scan (ITU-T T.81, B.1).
struct JPEGHeader {
    /// One segment.
    struct Segment {
        /// Its marker, without the byte 0xFF.
        let marker: UInt8
        /// Where all of it is, its marker included.
        let range: Range<Int>
        /// What is in it.
        let contents: Range<Int>
    }

    /// In their order.
    let segments: [Segment]
    /// Where the first scan begins.
    let scan: Int

    /// Nil where the file is not made of whole segments.
    init?(_ bytes: Bytes) {
        guard bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
        var found: [Segment] = []
        var place = 2
        while true {
            guard bytes[place] == 0xFF else { return nil }
            var start = place
            // Any number of these may lie before a marker.
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
                Segment(marker: marker, range: place..<end, contents: start + 4..<end))
            place = end
        }
        segments = found
        self.bytes = bytes
        scan = place
    }

    /// What the segments of a kind hold behind the mark that they begin with.
    func contents(_ marker: UInt8, _ mark: String) -> [Range<Int>] {
        segments.filter {
            $0.marker == marker && $0.contents.count >= mark.utf8.count
                && bytes.has(mark, at: $0.contents.lowerBound)
        }.map { $0.contents.lowerBound + mark.utf8.count..<$0.contents.upperBound }
    }

    private let bytes: Bytes

    private static let startOfScan: UInt8 = 0xDA
    private static let endMarker: UInt8 = 0xD9
    private static let maximumSegments = 10_000

    /// Where the picture ends, and others may begin; the end of a file that has no end marker.
    func end(_ bytes: Bytes) -> Int { endOfImage ?? bytes.count }

    /// Where the picture ends, behind its marker; nil where it has none.
    var endOfImage: Int? {
        var place = scan
        let memory = bytes.memory
        while let start = bytes.next(0xFF, from: place), start + 1 < memory.count {
            // Most are this, of which there are tens of thousands.
            if memory[start + 1] == 0 {
                place = start + 2
                continue
            }
            switch memory[start + 1] {
            case Self.endMarker: return start + 2
            // Restarts lie in the data of a scan.
            case 0x01, 0xD0...0xD7: place = start + 2
            case 0xFF: place = start + 1
            default:
                guard let length = bytes.number(start + 2, 2, bigEndian: true) else { return nil }
                place = start + 2 + max(2, Int(length))
            }
        }
        return nil
    }
}
