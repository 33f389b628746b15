// SPDX-License-Identifier: Apache-2.0

import CJPEG
import ImageMetadata

/// Detects complete JPEG files without an end marker, which libvips treats as truncated.
struct JPEGEnding {
    private let bytes: Bytes
    /// The position of the lowest bit known so far of every coefficient, by component. `nil` before the first scan of
    /// it.
    private var known: [UInt8: [Int?]] = [:]

    /// Returns a copy of the file with an end marker; `nil` if it has one or is truncated. Three kinds of data may
    /// be missing. No decoder reports missing components or the bits of later scans of a progressive picture. libjpeg
    /// reports a truncated scan.
    static func completed(_ bytes: Bytes) -> Bytes? {
        let count = bytes.count
        guard let last = bytes[count - 1], let before = bytes[count - 2] else { return nil }
        // Most files end with this marker.
        if before == 0xFF, last == 0xD9 { return nil }
        // Zero padding is decoded as pixels and needs no marker.
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

    /// Reads the components of a Huffman-coded picture. libjpeg reports missing bits only for these.
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

    /// Limits the time, because each scan takes a pass over the picture. Progressive pictures have about ten.
    private static let maximumScans = 256

    /// Whether the scans contain all bits of all coefficients.
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
