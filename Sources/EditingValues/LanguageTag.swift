// SPDX-License-Identifier: Apache-2.0

/// The subset of BCP 47 language tags that manifests need.
package enum LanguageTag {
    /// Returns whether a tag is well-formed: a language of 2 to 8 letters, then subtags of 1 to 8 letters and
    /// digits.
    package static func isWellFormed(_ tag: String) -> Bool {
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        guard let language = parts.first, (2...8).contains(language.utf8.count),
            language.allSatisfy({ $0.isASCII && $0.isLetter })
        else { return false }
        return parts.dropFirst().allSatisfy { part in
            (1...8).contains(part.utf8.count)
                && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
    }

    /// Returns the lookup sequence of a language range in lowercase (RFC 4647, 3.4): the range, then ever
    /// shorter prefixes.
    ///
    /// A subtag of one letter or digit is removed together with the one after it.
    package static func ranges(from range: String) -> [String] {
        var parts = range.lowercased().split(separator: "-")
        var ranges: [String] = []
        while !parts.isEmpty {
            ranges.append(parts.joined(separator: "-"))
            parts.removeLast()
            if parts.last?.count == 1 { parts.removeLast() }
        }
        return ranges
    }
}
