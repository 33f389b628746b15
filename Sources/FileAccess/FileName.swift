// SPDX-License-Identifier: Apache-2.0

/// The name of a file, or a path of such names, compared as Linux compares it: byte by byte.
///
/// A `String` must not be the key of a file: it takes an é of one scalar and an é of two for the same, which are two
/// files, and a name may have two texts, one with escaped bytes (see `String.init(pathBytes:)`), which are one file.
package struct FileName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The name's one text, for messages and for files of text.
    package let text: String

    /// Takes any text of the name.
    package init(_ text: String) {
        self.text = text.hasEscapedBytes ? String(pathBytes: text.pathBytes) : text
    }

    /// The name's text.
    package var description: String { text }

    package static func == (one: FileName, other: FileName) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }

    package static func < (one: FileName, other: FileName) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }

    /// A text that is the same, as a `String`, of names that some folder may take for one: memory cards ignore case, others
    /// also how an accent is written. Only for choosing names that are new; two such names may be two files.
    package var folded: String { text.uppercased().lowercased() }

    /// Whether the name begins with some bytes.
    package func hasPrefix(_ start: some StringProtocol) -> Bool {
        text.utf8.starts(with: start.utf8)
    }

    /// Whether the name ends with some bytes.
    package func hasSuffix(_ end: some StringProtocol) -> Bool {
        text.utf8.reversed().starts(with: end.utf8.reversed())
    }

    /// A path without the ending of its file, and that ending, without the dot before it and with the letters A to Z in
    /// lower case; empty if it has none.
    package var parts: (stem: FileName, ending: String) {
        let bytes = text.utf8
        let start =
            bytes.lastIndex(of: UInt8(ascii: "/")).map(bytes.index(after:)) ?? bytes.startIndex
        guard let dot = bytes[start...].lastIndex(of: UInt8(ascii: ".")), dot > start,
            case let ending = bytes[bytes.index(after: dot)...], !ending.isEmpty
        else { return (self, "") }
        let lowered = ending.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        return (FileName(String(text[..<dot])), String(decoding: lowered, as: UTF8.self))
    }
}

extension FileName: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
