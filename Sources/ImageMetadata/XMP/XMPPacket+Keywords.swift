// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension XMPPacket {
    /// The keywords. The search order is `dc:subject`, then the keyword lists of other programs, then texts with
    /// separators. Of a hierarchy, the lowest level is used.
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

    /// The keyword lists, with the separators of hierarchies.
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
