// SPDX-License-Identifier: Apache-2.0

import CJPEG

/// JPEG files without their end marker, which libvips takes for truncated ones.
struct JPEGEnding {
    private let bytes: Bytes
    /// What is still to come of each component's coefficients: the bit that is known of each; nil: none.
    private var known: [UInt8: [Int?]] = [:]

    /// A copy of the file with an end marker; nil where it has one, or pixels are missing, too: components, or the bits
    /// that later scans of a progressive picture bring, of which no decoder warns, or a part of a scan, of which libjpeg
    /// does.
    static func completed(_ bytes: Bytes) -> Bytes? {
        let count = bytes.count
        guard let last = bytes[count - 1], let before = bytes[count - 2] else { return nil }
        // Most files end like this.
        if before == 0xFF, last == 0xD9 { return nil }
        // Padding of zeros is read as pixels, and needs no marker.
        if before != 0xFF, last == 0 { return nil }
        guard let header = JPEGHeader(bytes), header.endOfImage == nil else { return nil }
        var ending = JPEGEnding(bytes: bytes)
        guard ending.hasComponents(header.segments), ending.readScans(from: header.scan) else {
            return nil
        }
        var end = count
        while bytes[end - 1] == 0xFF { end -= 1 }
        let completed = Bytes(Array(bytes.memory[..<end]) + [0xFF, 0xD9])
        let start = completed.memory.bindMemory(to: UInt8.self).baseAddress
        return cjpeg_is_complete(start, completed.count) ? completed : nil
    }

    private init(bytes: Bytes) { self.bytes = bytes }

    /// Reads which components the picture has, of those that are coded by Huffman's method: libjpeg warns of too few
    /// bits in none but these.
    private mutating func hasComponents(_ segments: [JPEGHeader.Segment]) -> Bool {
        guard let frame = segments.first(where: { (0xC0...0xC2).contains($0.marker) }),
            let count = bytes[frame.contents.lowerBound + 5].map(Int.init),
            frame.contents.count >= 6 + count * 3
        else { return false }
        for index in 0..<count {
            guard let name = bytes[frame.contents.lowerBound + 6 + index * 3] else { return false }
            known[name] = [Int?](repeating: nil, count: 64)
        }
        return !known.isEmpty
    }

    /// Progressive pictures have about ten scans, and each takes a pass over the picture.
    private static let maximumScans = 256

    /// Whether the scans bring all bits of all coefficients.
    private mutating func readScans(from start: Int) -> Bool {
        var (place, scans) = (start, 0)
        while let marker = bytes.next(0xFF, from: place), let kind = bytes[marker + 1] {
            switch kind {
            case 0, 0x01, 0xD0...0xD7: place = marker + 2
            case 0xFF: place = marker + 1
            default:
                guard let length = bytes.number(marker + 2, 2, bigEndian: true).map(Int.init),
                    length >= 2, length <= bytes.count - marker - 2
                else { return false }
                if kind == 0xDA {
                    scans += 1
                    guard scans <= Self.maximumScans, readScan(at: marker + 4) else { return false }
                }
                place = marker + 2 + length
            }
        }
        return known.values.allSatisfy { $0.allSatisfy { $0 == 0 } }
    }

    private mutating func readScan(at start: Int) -> Bool {
        guard let count = bytes[start].map(Int.init), (1...4).contains(count) else { return false }
        let end = start + 1 + count * 2
        guard let first = bytes[end].map(Int.init), let last = bytes[end + 1].map(Int.init),
            let bits = bytes[end + 2], first <= last, last < 64
        else { return false }
        for index in 0..<count {
            guard let name = bytes[start + 1 + index * 2], known[name] != nil else { return false }
            for coefficient in first...last { known[name]?[coefficient] = Int(bits & 15) }
        }
        return true
    }
}
