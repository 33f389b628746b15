// SPDX-License-Identifier: Apache-2.0

/// The languages in which a user wants to read.
public enum UserLanguages {
    /// The most languages that are looked at.
    private static let maximumCount = 16

    /// The languages that the environment names, as tags (BCP 47), the one that is liked best first: those of
    /// `LANGUAGE`, then that of the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is not empty. None
    /// where the latter is `C` or `POSIX`, as with gettext.
    public static func preferred(in environment: [String: String]) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
            .first { !$0.isEmpty }
        if let locale, isPlain(locale) { return [] }
        let list = (environment["LANGUAGE"] ?? "").split(separator: ":").prefix {
            !isPlain(String($0))
        }
        var tags: [String] = []
        for name in list.prefix(maximumCount).map(String.init) + (locale.map { [$0] } ?? []) {
            if let tag = tag(ofLocale: name), !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    /// Whether it is the locale of programs that speak no language.
    private static func isPlain(_ locale: String) -> Bool {
        ["C", "POSIX"].contains(locale.prefix { $0 != "." })
    }

    /// The tag of a POSIX locale: `de-AT` for `de_AT.UTF-8`, `sr-Latn-RS` for `sr_RS@latin`; nil where it is
    /// none of a language.
    static func tag(ofLocale locale: String) -> String? {
        let halves = locale.split(separator: "@", maxSplits: 1)
        guard let name = halves.first?.prefix(while: { $0 != "." }) else { return nil }
        var parts = name.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }
            .map(String.init)
        if halves.count == 2 {
            let modifier = halves[1].lowercased()
            if let script = scripts[modifier] {
                parts.insert(script, at: 1)
            } else if (5...8).contains(modifier.utf8.count) {
                // A variant, as in ca_ES@valencia; others, such as @euro, are none of the language.
                parts.append(modifier)
            }
        }
        let tag = parts.joined(separator: "-")
        return LanguageTag.isWellFormed(tag) ? tag : nil
    }

    private static let scripts = [
        "latin": "Latn", "cyrillic": "Cyrl", "arabic": "Arab", "devanagari": "Deva",
    ]
}
