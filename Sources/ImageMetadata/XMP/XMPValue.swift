// SPDX-License-Identifier: Apache-2.0

/// The value of an XMP property.
enum XMPValue: Equatable {
    /// A simple text.
    case text(String)
    /// A list of strings. The items of a choice have languages.
    case list(Kind, [Item])

    /// The kinds of RDF containers.
    enum Kind: String {
        case bag = "rdf:Bag"
        case sequence = "rdf:Seq"
        case choice = "rdf:Alt"
    }

    /// A text in a list.
    struct Item: Equatable {
        let text: String
        var language: String?
    }

    /// Creates an unordered list of strings.
    static func bag(_ texts: [String]) -> XMPValue { .list(.bag, texts.map { Item(text: $0) }) }

    /// Creates a text in the default language.
    static func plain(_ text: String) -> XMPValue {
        .list(.choice, [Item(text: text, language: defaultLanguage)])
    }

    /// The mark of the default language.
    static let defaultLanguage = "x-default"

    /// Returns the XML element of a property with this value.
    func element(_ name: String) -> String {
        switch self {
        case .text(let text): return "<\(name)>\(Self.escaped(text))</\(name)>"
        case .list(let kind, let items):
            let list = items.map { item in
                let language = item.language.map { " xml:lang=\"\(Self.escaped($0))\"" } ?? ""
                return "<rdf:li\(language)>\(Self.escaped(item.text))</rdf:li>"
            }
            return "<\(name)><\(kind.rawValue)>\(list.joined())</\(kind.rawValue)></\(name)>"
        }
    }

    /// Escapes a text for XML. Characters that are invalid in XML are dropped.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\r": result += "&#xD;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
