// SPDX-License-Identifier: Apache-2.0

extension LocalizedText {
    /// Validates the language tags.
    ///
    /// - Throws: `InvalidValueError` with the code `invalidManifest`, which names the tag.
    func check(key: String) throws {
        guard case .texts(let texts) = self else { return }
        guard !texts.isEmpty else {
            throw InvalidValueError.manifest(key, "has no text")
        }
        var tags: Set<String> = []
        for tag in texts.keys.sorted() {
            guard LanguageTag.isWellFormed(tag) else {
                let closest = UserLanguages.tag(ofLocale: tag)
                throw InvalidValueError.manifest(
                    key, "has \"\(tag)\", which is not a language tag (BCP 47)\(closest.suggestion)"
                )
            }
            guard tags.insert(tag.lowercased()).inserted else {
                throw InvalidValueError.manifest(key, "has the language \(tag) more than once")
            }
        }
    }
}
