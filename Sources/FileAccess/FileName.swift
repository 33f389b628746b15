// SPDX-License-Identifier: Apache-2.0

/// A file name or relative path, compared byte by byte as Linux does.
///
/// Do not use a `String` as the key of a file, for two reasons. It treats composed and decomposed characters (é) as
/// equal, but they are the names of two files. A name with escaped bytes can be written as two different strings, but
/// they name one file (see `String.init(pathBytes:)`).
package struct FileName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The canonical text of the name, for messages and text files.
    package let text: String

    /// Creates a name from any of its string forms.
    package init(_ text: String) {
        self.text = text.hasEscapedBytes ? String(pathBytes: text.pathBytes) : text
    }

    /// The canonical text of the name.
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

    /// A case-folded text, equal for names that some file systems treat as the same.
    ///
    /// Memory cards ignore case, and other file systems ignore character composition. Use it only to choose new
    /// names, since two such names may be two files.
    package var folded: String { text.uppercased().lowercased() }

    /// Returns whether the name starts with the bytes of a text.
    package func hasPrefix(_ start: some StringProtocol) -> Bool {
        text.utf8.starts(with: start.utf8)
    }

    /// Returns whether the name ends with the bytes of a text.
    package func hasSuffix(_ end: some StringProtocol) -> Bool {
        text.utf8.reversed().starts(with: end.utf8.reversed())
    }

    /// The path without its file name extension, and the extension with A to Z in lowercase; empty if it has
    /// none.
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
