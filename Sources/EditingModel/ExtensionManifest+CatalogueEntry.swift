// SPDX-License-Identifier: Apache-2.0

extension ExtensionManifest {
    /// The maximum length of ``homepage`` and ``support``, and of ``description`` in each language, in bytes.
    package static let maximumTextSize = 2048
    /// The maximum number of ``categories``.
    package static let maximumCategories = 16

    /// Validates the fields that lists of extensions show.
    ///
    /// - Throws: `InvalidValueError` with the code `invalidManifest`.
    func checkCatalogueEntry() throws {
        for (key, text) in [("vendor", vendor), ("author", author), ("license", license)] {
            if let text { try Self.checkName(text, key: key) }
        }
        if let homepage {
            try Self.checkURL(homepage, schemes: ["https", "http"], key: "homepage")
        }
        if let support {
            try Self.checkURL(support, schemes: ["https", "http", "mailto"], key: "support")
        }
        if let description {
            try description.check(key: "description")
            guard description.allTexts.allSatisfy(Self.isDescription) else {
                throw InvalidValueError.manifest(
                    "description",
                    "must be 1 to \(Self.maximumTextSize) bytes without control characters, line "
                        + "separators and bidirectional controls")
            }
        }
        guard categories.count <= Self.maximumCategories else {
            throw InvalidValueError.manifest(
                "categories", "has more than \(Self.maximumCategories) categories")
        }
        for category in categories { try Self.checkName(category, key: "categories") }
        if let icon { try Self.checkFile(icon, key: "icon") }
    }

    private static func isDescription(_ text: String) -> Bool {
        (1...maximumTextSize).contains(text.utf8.count) && text.hasNameCharactersOnly
    }

    /// Accepts only visible ASCII characters, so that no URL looks like a different one.
    private static func checkURL(_ text: String, schemes: [String], key: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let scheme = parts[0].lowercased()
        let rest = parts.dropFirst().first ?? ""
        let hasTarget =
            scheme == "mailto"
            ? rest.contains("@") : rest.hasPrefix("//") && rest.count > 2
        guard schemes.contains(scheme), hasTarget, text.utf8.count <= maximumTextSize,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw InvalidValueError.manifest(
                key,
                "must be a URL that begins with \(schemes.joined(separator: ", ")), of at most "
                    + "\(maximumTextSize) visible ASCII characters")
        }
    }
}

extension LocalizedText {
    /// The text in every language.
    fileprivate var allTexts: [String] {
        switch self {
        case .text(let text): [text]
        case .texts(let texts): Array(texts.values)
        }
    }
}
