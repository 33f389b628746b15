// SPDX-License-Identifier: Apache-2.0

/// Decodes text in XML.
enum XMLText {
    /// Returns the plain text of a range: without comments, and with references and `CDATA` decoded. Returns `nil` if
    /// it contains elements.
    static func plain(_ text: [UInt8], _ range: Range<Int>) -> String? {
        guard text.find([UInt8(ascii: "<")], in: range) != nil else {
            return unescaped(text[range])
        }
        var scanner = XMLScanner(text, in: range)
        var result = ""
        var position = range.lowerBound
        while let tag = scanner.next() {
            guard tag.kind == .data else { return nil }
            result += withoutComments(text, position..<tag.range.lowerBound)
            result += String(decoding: text[tag.name], as: UTF8.self)
            position = tag.range.upperBound
        }
        return scanner.isBroken ? nil : result + withoutComments(text, position..<range.upperBound)
    }

    private static func withoutComments(_ text: [UInt8], _ range: Range<Int>) -> String {
        var result = ""
        var position = range.lowerBound
        while let start = text.find([UInt8(ascii: "<")], in: position..<range.upperBound) {
            let isComment = text[start..<range.upperBound].starts(with: "<!--".utf8)
            let mark = Array((isComment ? "-->" : "?>").utf8)
            guard isComment || start + 1 < range.upperBound && text[start + 1] == UInt8(ascii: "?"),
                let end = text.find(mark, in: start + 2..<range.upperBound)
            else { break }
            result += unescaped(text[position..<start])
            position = end + mark.count
        }
        return result + unescaped(text[position..<range.upperBound])
    }

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

    /// Returns the character of a reference, which is passed without its delimiters: `amp`, `#228`, `#xE4`.
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
