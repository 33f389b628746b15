// SPDX-License-Identifier: Apache-2.0

/// The user's preferred languages.
public enum UserLanguages {
    /// The maximum number of languages; further ones are ignored.
    private static let maximumCount = 16

    /// Returns the preferred languages of the environment as BCP 47 tags, most preferred first.
    ///
    /// `LANGUAGE` comes first, then the first non-empty variable of `LC_ALL`, `LC_MESSAGES` and `LANG`. As with
    /// gettext, the list is empty if that variable is `C` or `POSIX`.
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

    /// `true` for the locales `C` and `POSIX`, which have no language.
    private static func isPlain(_ locale: String) -> Bool {
        ["C", "POSIX"].contains(locale.prefix { $0 != "." })
    }

    /// Returns the BCP 47 tag of a POSIX locale: `de-AT` for `de_AT.UTF-8`, `sr-Latn-RS` for `sr_RS@latin`.
    ///
    /// - Returns: `nil` if the locale has no language.
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
                // A variant of the language, as in ca_ES@valencia. Other modifiers, such as @euro, are ignored.
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
