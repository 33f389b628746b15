// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads the tags of an XML text in a single forward pass, without storing them.
///
/// Comments and processing instructions are skipped. Entities of a document type are not supported.
struct XMLScanner {
    /// A tag, or a section of literal text.
    struct Tag {
        enum Kind {
            case opening, closing
            /// An empty-element tag.
            case empty
            /// A section of literal text, `<![CDATA[`.
            case data
        }

        let kind: Kind
        /// The range of the name, or of the text of a data section.
        let name: Range<Int>
        /// The range between the name and the end of the tag.
        let attributes: Range<Int>
        /// The range of the whole tag.
        let range: Range<Int>
    }

    private let text: [UInt8]
    private let end: Int
    private var position: Int
    /// Whether a construct is unterminated.
    private(set) var isBroken = false
    /// Whether a document type or an unescaped `<` was skipped.
    private(set) var hasSkippedMarkup = false

    init(_ text: [UInt8], in range: Range<Int>) {
        self.text = text
        (position, end) = (range.lowerBound, min(range.upperBound, text.count))
    }

    /// Returns the next tag; `nil` at the end or at an unterminated construct.
    mutating func next() -> Tag? {
        while let start = find(UInt8(ascii: "<"), from: position) {
            let mark = start + 1 < end ? text[start + 1] : 0
            switch mark {
            case UInt8(ascii: "?"):
                guard skip(Self.instructionEnd, from: start + 2) else { return nil }
            case UInt8(ascii: "!"):
                if let data = declaration(at: start) { return data }
                if isBroken { return nil }
            default:
                let isClosing = mark == UInt8(ascii: "/")
                let first = start + (isClosing ? 2 : 1)
                guard first < end, Self.canStartName(text[first]) else {
                    // An unescaped `<`, which should be written as a reference.
                    hasSkippedMarkup = true
                    position = start + 1
                    continue
                }
                return tag(at: start, first, isClosing)
            }
        }
        return nil
    }

    private mutating func tag(at start: Int, _ first: Int, _ isClosing: Bool) -> Tag? {
        guard let close = closingBracket(from: first) else {
            isBroken = true
            return nil
        }
        position = close + 1
        let isEmpty = !isClosing && text[close - 1] == UInt8(ascii: "/")
        let last = isEmpty ? close - 1 : close
        var nameEnd = first
        while nameEnd < last, text[nameEnd] > 0x20, text[nameEnd] != UInt8(ascii: "/") {
            nameEnd += 1
        }
        return Tag(
            kind: isClosing ? .closing : isEmpty ? .empty : .opening, name: first..<nameEnd,
            attributes: nameEnd..<last, range: start..<close + 1)
    }

    /// Reads a construct that starts with `<!`. Returns a data section; `nil` if another construct was skipped.
    private mutating func declaration(at start: Int) -> Tag? {
        let third = start + 2 < end ? text[start + 2] : 0
        if third == UInt8(ascii: "["), text[start..<end].starts(with: Self.data) {
            let content = start + Self.data.count
            guard skip(Self.dataEnd, from: content) else { return nil }
            return Tag(
                kind: .data, name: content..<position - Self.dataEnd.count,
                attributes: position..<position,
                range: start..<position)
        }
        if third == UInt8(ascii: "-"), start + 3 < end, text[start + 3] == third {
            _ = skip(Self.commentEnd, from: start + 4)
            return nil
        }
        hasSkippedMarkup = true
        guard let close = find(UInt8(ascii: ">"), from: start) else {
            isBroken = true
            return nil
        }
        position = close + 1
        if text.find([UInt8(ascii: "[")], in: start..<close) != nil {
            // The internal subset of a document type contains markup itself.
            _ = skip([UInt8(ascii: "]")], from: start) && skip([UInt8(ascii: ">")], from: position)
        }
        return nil
    }

    private static let data = Array("<![CDATA[".utf8)
    private static let dataEnd = Array("]]>".utf8)
    private static let commentEnd = Array("-->".utf8)
    private static let instructionEnd = Array("?>".utf8)

    private func find(_ byte: UInt8, from start: Int) -> Int? {
        guard start < end else { return nil }
        return text.withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress,
                let found = memchr(base + start, Int32(byte), end - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    private mutating func skip(_ pattern: [UInt8], from start: Int) -> Bool {
        guard start <= end, let found = text.find(pattern, in: start..<end) else {
            isBroken = true
            return false
        }
        position = found + pattern.count
        return true
    }

    /// Returns the position of the `>` that ends a tag, ignoring those in quotes.
    private func closingBracket(from start: Int) -> Int? {
        text.withUnsafeBufferPointer { bytes -> Int? in
            guard let base = bytes.baseAddress else { return nil }
            var quote: UInt8 = 0
            var position = start
            while position < end {
                let byte = base[position]
                if quote != 0 {
                    if byte == quote { quote = 0 }
                } else if byte == 0x3E {
                    return position
                } else if byte == 0x22 || byte == 0x27 {
                    quote = byte
                }
                position += 1
            }
            return nil
        }
    }

    private static func canStartName(_ byte: UInt8) -> Bool {
        byte >= 0x41
            && (byte <= 0x5A || byte >= 0x61 && byte <= 0x7A || byte == 0x5F || byte > 0x7F)
    }

    /// Returns the attributes between the name and the end of a tag.
    static func attributes(
        _ text: [UInt8], _ range: Range<Int>
    ) -> [(name: Range<Int>, value: Range<Int>)] {
        var found: [(name: Range<Int>, value: Range<Int>)] = []
        var position = range.lowerBound
        while found.count < maximumAttributes,
            let equals = text.find([UInt8(ascii: "=")], in: position..<range.upperBound)
        {
            var (start, end) = (position, equals)
            while start < end, text[start] <= 0x20 { start += 1 }
            while end > start, text[end - 1] <= 0x20 { end -= 1 }
            var quote = equals + 1
            while quote < range.upperBound, text[quote] <= 0x20 { quote += 1 }
            guard quote < range.upperBound, [0x22, 0x27].contains(text[quote]),
                let close = text.find([text[quote]], in: quote + 1..<range.upperBound)
            else { break }
            found.append((start..<end, quote + 1..<close))
            position = close + 1
        }
        return found
    }

    private static let maximumAttributes = 10_000
}
