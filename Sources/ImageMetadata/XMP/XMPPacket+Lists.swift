// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension XMPPacket {
    /// Returns the items of a list property such as `dc:subject`, limited in number and length.
    func items(_ property: String) -> [String] {
        items(property, count: PhotoMetadata.maximumKeywords, length: Self.maximumItemLength)
    }

    /// Returns all items of a property.
    func allItems(_ property: String) -> [String] { items(property, count: .max, length: .max) }

    private func items(_ property: String, count: Int, length: Int) -> [String] {
        for property in properties[property] where !property.isAttribute {
            let found = listItems(in: property.value, count: count)
                .filter { $0.content.count <= length }
                .compactMap { (plainItem($0) ?? qualifiedItem($0))?.trimmingBlanks }
            if !found.isEmpty { return found }
        }
        return []
    }

    private func plainItem(_ item: Item) -> String? { Self.plainText(text, item.content) }

    /// Returns the text of an item with qualifiers, its `rdf:value`.
    private func qualifiedItem(_ item: Item) -> String? {
        var scanner = XMLScanner(text, in: item.content)
        var start: Int?
        while let tag = scanner.next() {
            guard text[tag.name].elementsEqual("rdf:value".utf8) else { continue }
            if tag.kind == .opening { start = tag.range.upperBound }
            if tag.kind == .closing, let start {
                return Self.plainText(text, start..<tag.range.lowerBound)
            }
        }
        return nil
    }

    /// The maximum length of an item in bytes.
    private static let maximumItemLength = 4096

    /// Decodes the character references in an XML text.
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

    /// Returns the character of a reference without its delimiters: `amp`, `#228`, `#xE4`.
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
