// SPDX-License-Identifier: Apache-2.0

/// A text for users in one or more languages.
///
/// In a manifest it is a string, or an object that maps languages to strings: `{"en": "Strength", "de": "Stärke"}`.
public enum LocalizedText: Hashable, Sendable {
    /// A single text for all languages.
    case text(String)
    /// The strings by BCP 47 language tag, for example `en` or `pt-BR`.
    case texts([String: String])

    /// Returns the text in the user's language, by the lookup algorithm of RFC 4647.
    ///
    /// The first language with a text is used. Each language is shortened subtag by subtag, so that `de`
    /// matches `de-AT`. The fallback is English, otherwise the first tag in alphabetical order.
    ///
    /// - Parameter languages: BCP 47 tags, most preferred first. `UserLanguages` provides them in programs.
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
    /// Creates a single text for all languages.
    public init(stringLiteral text: String) { self = .text(text) }
}

extension LocalizedText: ExpressibleByDictionaryLiteral {
    /// Creates a text in several languages, keyed by language tag. The first of duplicate tags is used.
    public init(dictionaryLiteral texts: (String, String)...) {
        self = .texts(Dictionary(texts, uniquingKeysWith: { first, _ in first }))
    }
}

extension LocalizedText: Codable {
    /// Decodes a string, or an object that maps tags to strings.
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

    /// Encodes the form that ``init(from:)`` decodes.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .text(let text): try value.encode(text)
        case .texts(let texts): try value.encode(texts)
        }
    }
}
