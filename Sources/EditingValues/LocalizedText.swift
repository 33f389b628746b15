// SPDX-License-Identifier: Apache-2.0

/// A text for people, in one language or in several. In a manifest it is a string, or an object of
/// languages and texts: `{"en": "Strength", "de": "Stärke"}`.
public enum LocalizedText: Hashable, Sendable {
    /// The same for everybody.
    case text(String)
    /// By the tag of the language (BCP 47), for example `en` or `pt-BR`.
    case texts([String: String])

    /// The text in the language of the user, by RFC 4647's lookup: the first of the languages for which
    /// there is a text, each of them shortened part by part, so that `de` does for `de-AT`. Otherwise the
    /// English one, otherwise that of the tag that is first in alphabetical order.
    ///
    /// - Parameter languages: tags (BCP 47), the one that is liked best first; programs have `UserLanguages`.
    public func text(for languages: [String]) -> String {
        switch self {
        case .text(let text): return text
        case .texts(let texts):
            let ordered = texts.sorted { $0.key < $1.key }
            let byTag = Dictionary(
                ordered.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { one, _ in one }
            )
            for range in languages + ["en"] {
                if let text = LanguageTag.ranges(from: range).lazy.compactMap({ byTag[$0] }).first {
                    return text
                }
            }
            return ordered.first?.value ?? ""
        }
    }
}

extension LocalizedText: ExpressibleByStringLiteral {
    /// Makes a text that is the same for everybody.
    public init(stringLiteral text: String) { self = .text(text) }
}

extension LocalizedText: ExpressibleByDictionaryLiteral {
    /// Makes a text in several languages, by their tags; of two of the same tag the first counts.
    public init(dictionaryLiteral texts: (String, String)...) {
        self = .texts(Dictionary(texts, uniquingKeysWith: { first, _ in first }))
    }
}

extension LocalizedText: Codable {
    /// Decodes a string, or an object of tags and texts.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let texts = try? value.decode([String: String].self) {
            self = .texts(texts)
        } else {
            throw DecodingError.dataCorruptedError(
                in: value,
                debugDescription: "must be a string, or an object of languages and texts")
        }
    }

    /// Encodes what ``init(from:)`` decodes.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .text(let text): try value.encode(text)
        case .texts(let texts): try value.encode(texts)
        }
    }
}

/// Tags of languages (BCP 47), as far as texts of manifests need them.
package enum LanguageTag {
    /// Whether a tag has the form of one: a language of 2 to 8 letters, and parts of 1 to 8 letters and
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

    /// What RFC 4647 (3.4) looks up for a range, in this order, in small letters: itself, and without its
    /// last parts; a part of one letter or digit goes with the one after it.
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
