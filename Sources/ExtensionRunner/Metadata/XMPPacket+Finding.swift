// SPDX-License-Identifier: Apache-2.0

import Glibc

extension XMPPacket {
    /// An element of XML: where what is in it lies, where its attributes do, and where it ends.
    struct Element {
        let attributes: Range<Int>
        let content: Range<Int>
        let end: Int
    }

    /// The next element of a name, such as `dc:title`, that begins in a part of the packet and ends there.
    func element(_ name: String, in range: Range<Int>) -> Element? {
        let tag = Array("<\(name)".utf8)
        var place = range.lowerBound
        while let start = find(tag, in: place..<range.upperBound) {
            place = start + tag.count
            guard isEndOfName(place) else { continue }
            // What is not found from here on is not behind the next tag either.
            guard let close = find([UInt8(ascii: ">")], in: place..<range.upperBound) else {
                return nil
            }
            if text[close - 1] == UInt8(ascii: "/") {
                return Element(
                    attributes: place..<close, content: close..<close, end: close + 1)
            }
            let closing = Array("</\(name)>".utf8)
            return find(closing, in: close..<range.upperBound).map {
                Element(
                    attributes: place..<close, content: close + 1..<$0, end: $0 + closing.count)
            }
        }
        return nil
    }

    /// Where a pattern lies next.
    func find(_ pattern: [UInt8], from start: Int) -> Int? { text.find(pattern, from: start) }

    /// Where a pattern lies first in a part of the packet.
    func find(_ pattern: [UInt8], in range: Range<Int>) -> Int? { text.find(pattern, in: range) }

    /// Whether a tag's name ends before this byte; otherwise it is another name that begins so.
    private func isEndOfName(_ place: Int) -> Bool {
        guard place < text.count else { return false }
        return text[place] <= 0x20 || [UInt8(ascii: ">"), UInt8(ascii: "/")].contains(text[place])
    }
}

extension Array where Element == UInt8 {
    /// Where a pattern lies next.
    func find(_ pattern: [UInt8], from start: Int) -> Int? {
        start < count ? find(pattern, in: start..<count) : nil
    }

    /// Where a pattern lies first in a part.
    func find(_ pattern: [UInt8], in range: Range<Int>) -> Int? {
        guard let first = pattern.first, range.lowerBound >= 0, range.upperBound <= count
        else {
            return nil
        }
        return withUnsafeBytes { bytes -> Int? in
            guard let start = bytes.baseAddress else { return nil }
            var place = range.lowerBound
            // Not by a collection's means: there may be megabytes.
            while pattern.count <= range.upperBound - place,
                let next = memchr(
                    start + place, Int32(first), range.upperBound - place - pattern.count + 1)
            {
                if memcmp(next, pattern, pattern.count) == 0 {
                    return UnsafeRawPointer(next) - start
                }
                place = UnsafeRawPointer(next) - start + 1
            }
            return nil
        }
    }
}
