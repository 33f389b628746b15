// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension XMPPacket {
    /// The items of a property such as `dc:subject`, which is a bag, a sequence or a choice: as many, and as long,
    /// as are of use.
    func items(_ property: String) -> [String] {
        items(property, count: PhotoMetadata.maximumKeywords, length: Self.maximumItemLength)
    }

    /// All items of a property.
    func allItems(_ property: String) -> [String] { items(property, count: .max, length: .max) }

    private func items(_ property: String, count: Int, length: Int) -> [String] {
        guard let content = content(property) else { return [] }
        let closing = Array("</rdf:li>".utf8)
        var found: [String] = []
        var place = content.lowerBound
        while found.count < count,
            let start = opening("rdf:li", from: place), start < content.upperBound,
            let end = find(closing, from: start), end <= content.upperBound
        {
            if end - start <= length {
                found.append(Self.unescaped(text[start..<end]).trimmingBlanks)
            }
            place = end + closing.count
        }
        return found
    }

    /// No item that is longer, in bytes, is of use.
    private static let maximumItemLength = 4096

    /// What lies between the element's tags; of the first that has both.
    private func content(_ name: String) -> Range<Int>? {
        guard let start = opening(name, from: 0),
            let end = find(Array("</\(name)>".utf8), from: start)
        else { return nil }
        return start..<end
    }

    /// Where the content of the next element of a name begins.
    private func opening(_ name: String, from start: Int) -> Int? {
        let tag = Array("<\(name)".utf8)
        var place = start
        while let found = find(tag, from: place) {
            place = found + tag.count
            guard place < text.count else { return nil }
            // Otherwise it is another name that begins so.
            guard text[place] == UInt8(ascii: ">") || text[place] <= 0x20 else { continue }
            return text[place...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
        }
        return nil
    }

    /// The text that XML's references stand for.
    static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        var parts = String(decoding: bytes, as: UTF8.self)
            .split(separator: "&", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return String(parts[0]) }
        var result = String(parts.removeFirst())
        for part in parts {
            guard let end = part.firstIndex(of: ";"), let character = character(part[..<end]) else {
                result += "&" + part
                continue
            }
            result.unicodeScalars.append(character)
            result += part[part.index(after: end)...]
        }
        return result
    }

    /// The character of a reference, given without its marks: `amp`, `#228`, `#xE4`.
    private static func character(_ reference: Substring) -> Unicode.Scalar? {
        switch reference {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard reference.hasPrefix("#") else { return nil }
            let digits = reference.dropFirst()
            let number =
                digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return number.flatMap(Unicode.Scalar.init)
        }
    }
}
