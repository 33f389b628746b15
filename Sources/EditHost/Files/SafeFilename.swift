// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// An untrusted name from a database, a manifest or a picture, sanitized for use as a filename.
///
/// The name is a single visible path component. Path separators, control characters, line separators and
/// bidirectional controls become `_`. So does a leading dot, which would hide the file or make it the
/// configuration of some program.
struct SafeFilename: Hashable, Sendable {
    /// The maximum length of a filename, in bytes of UTF-8.
    static let maximumBytes = 255
    /// The maximum length of a filename extension that is kept when a name is shortened, in bytes.
    private static let maximumEndingBytes = 32

    /// The part before the last dot. Never empty.
    let stem: String
    /// The filename extension, without the dot; empty if there is none.
    var ending: String

    /// - Parameter name: Any string.
    init(_ name: String) {
        // The escaped bytes of an invalid name may stand for any character.
        let known = FileName(name).text.unicodeScalars
        var name = String(
            String.UnicodeScalarView(known.map { $0.isUnsafeInFilename ? "_" : $0 }))
        if name.utf8.first == UInt8(ascii: ".") { name = "_" + name.dropFirst(byScalars: 1) }
        if name.isEmpty { name = "_" }
        // A leading dot does not start an extension; it was replaced above.
        if let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex,
            case let ending = name[name.utf8.index(after: dot)...], !ending.isEmpty
        {
            stem = String(name[..<dot])
            self.ending = String(ending)
        } else {
            stem = name
            ending = ""
        }
    }

    /// - Parameters:
    ///   - stem: Any string. Dots in it do not start an extension.
    ///   - ending: The filename extension of another safe name.
    init(stem: String, ending: String) {
        let other = SafeFilename(stem)
        self.stem = other.ending.isEmpty ? other.stem : "\(other.stem).\(other.ending)"
        self.ending = ending
    }

    /// Returns the filename, with a suffix after the stem. A name that is too long is shortened between characters.
    ///
    /// - Parameter limit: The maximum length, in bytes of UTF-8.
    func text(suffix: String = "", limit: Int = maximumBytes) -> String {
        var tail = ending.isEmpty ? suffix : "\(suffix).\(ending)"
        if stem.utf8.count + tail.utf8.count <= limit { return stem + tail }
        if ending.utf8.count > Self.maximumEndingBytes {
            tail = "\(suffix).\(ending.prefix(bytes: Self.maximumEndingBytes))"
        }
        return stem.prefix(bytes: max(1, limit - tail.utf8.count)) + tail
    }
}

extension String {
    /// Returns a prefix of at most `limit` bytes that ends between characters, or within the first character if that is
    /// longer.
    func prefix(bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var length = 0
        let whole = prefix { character in
            length += character.utf8.count
            return length <= limit
        }
        if !whole.isEmpty { return String(whole) }
        length = 0
        let scalars = unicodeScalars.prefix { scalar in
            length += UTF8.width(scalar)
            return length <= limit
        }
        return String(scalars)
    }

    /// Drops scalars instead of characters, because a dot with combining marks is a single character.
    fileprivate func dropFirst(byScalars count: Int) -> String {
        String(unicodeScalars.dropFirst(count))
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is replaced in filenames.
    fileprivate var isUnsafeInFilename: Bool {
        switch self {
        case "/": true
        // Line and paragraph separators, and bidirectional controls.
        case "\u{2028}", "\u{2029}", "\u{061C}", "\u{200E}", "\u{200F}",
            "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
            true
        default: properties.generalCategory == .control
        }
    }
}
