// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// A name that came from a database, a manifest or a picture, made fit for a file in a user's folder.
///
/// It is a single visible component of a path: whatever separates components, ends a name, speaks to a
/// terminal or turns the direction of what is read becomes `_`; so does a dot at the beginning, which would
/// hide the file, or make it some program's configuration.
struct SafeFilename: Hashable, Sendable {
    /// The longest name that a file can have, in bytes of UTF-8.
    static let maximumBytes = 255
    /// The longest ending that is kept whole where a name has to be shortened, in bytes.
    private static let maximumEndingBytes = 32

    /// What comes before the last dot; never empty.
    let stem: String
    /// What comes after it; empty where there is none.
    var ending: String

    /// - Parameter name: anything.
    init(_ name: String) {
        // Escaped bytes may be those of any character.
        let known = FileName(name).text.unicodeScalars
        var name = String(
            String.UnicodeScalarView(known.map { $0.isUnsafeInFilename ? "_" : $0 }))
        if name.utf8.first == UInt8(ascii: ".") { name = "_" + name.dropFirst(byScalars: 1) }
        if name.isEmpty { name = "_" }
        // A dot at the beginning separates no ending, and there is none any more.
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
    ///   - stem: anything, in which a dot separates nothing.
    ///   - ending: one of a name.
    init(stem: String, ending: String) {
        let other = SafeFilename(stem)
        self.stem = other.ending.isEmpty ? other.stem : "\(other.stem).\(other.ending)"
        self.ending = ending
    }

    /// The name; of the second file and others with a number at the end of its stem. It is
    /// shortened, between characters, where it would be too long.
    ///
    /// - Parameter limit: how many bytes of UTF-8 it may have.
    func text(number: Int = 0, limit: Int = maximumBytes) -> String {
        let suffix = number == 0 ? "" : "-\(number)"
        var tail = ending.isEmpty ? suffix : "\(suffix).\(ending)"
        if stem.utf8.count + tail.utf8.count <= limit { return stem + tail }
        if ending.utf8.count > Self.maximumEndingBytes {
            tail = "\(suffix).\(ending.prefix(bytes: Self.maximumEndingBytes))"
        }
        return stem.prefix(bytes: max(1, limit - tail.utf8.count)) + tail
    }
}

extension String {
    /// The beginning, of at most `limit` bytes, cut between characters; within one where the first
    /// alone is longer.
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

    /// Without the first scalars: a dot may carry accents, and is one character with them.
    fileprivate func dropFirst(byScalars count: Int) -> String {
        String(unicodeScalars.dropFirst(count))
    }
}

extension Unicode.Scalar {
    /// Whether it must not be in a name that this program gives a file.
    fileprivate var isUnsafeInFilename: Bool {
        switch self {
        case "/": true
        // Line and paragraph separators, and what sets the direction of text.
        case "\u{2028}", "\u{2029}", "\u{061C}", "\u{200E}", "\u{200F}",
            "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
            true
        default: properties.generalCategory == .control
        }
    }
}
