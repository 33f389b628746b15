// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension XMPPacket {
    /// The keywords: those of `dc:subject`; if it has none, those of the first list in which programs keep
    /// theirs, of a hierarchy the lowest word; last, those of a text with marks between them.
    var keywords: [String] {
        let plain = items("dc:subject")
        if !plain.isEmpty { return plain }
        for (name, mark) in Self.keywordLists {
            let words = items(name).compactMap { item in
                mark.map { item.split(separator: $0).last.map(String.init) } ?? item
            }
            let found = Self.once(words.map(\.trimmingBlanks))
            if !found.isEmpty { return found }
        }
        for name in ["dc:subject", "lr:hierarchicalSubject", "acdsee:keywords", "pdf:Keywords"] {
            guard let text = value(name) else { continue }
            let words = text.split { $0 == ";" || $0 == "," }.map { String($0).trimmingBlanks }
            let leaves = words.map { $0.split(separator: "|").last.map(String.init) ?? $0 }
            let found = Self.once(leaves).prefix(PhotoMetadata.maximumKeywords)
            if !found.isEmpty { return Array(found) }
        }
        return []
    }

    /// Lists of keywords, with what separates the levels of a hierarchy.
    private static let keywordLists: [(name: String, mark: Character?)] = [
        ("lr:hierarchicalSubject", "|"), ("digiKam:TagsList", "/"), ("acdsee:keywords", nil),
        ("MicrosoftPhoto:LastKeywordXMP", "/"), ("MicrosoftPhoto:LastKeywordIPTC", "/"),
        ("mediapro:CatalogSets", "|"),
    ]

    private static func once(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
