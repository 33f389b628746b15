// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension XMPPacket {
    /// Whether a list of hierarchies has keywords that `dc:subject` lacks, so that they are not read: a program that does
    /// not update the list has removed them. `false` if `dc:subject` is missing or not read completely.
    var hasOutdatedKeywords: Bool {
        let plain = items("dc:subject")
        guard !plain.isEmpty, plain.count == allItems("dc:subject").count else { return false }
        let names = plain + KeywordPath.allNames(of: plain + keywords)
        let known = Set(names.map { $0.lowercased() })
        return Self.hierarchies.contains { list in
            allItems(list.name).contains { item in
                let path = KeywordPath(
                    item.lowercased(), separator: list.separator, joining: known)
                return !item.isEmpty && !known.contains(path.name)
                    && !known.contains(KeywordPath(path.name).name)
            }
        }
    }

    /// The lists that changes of keywords update.
    private static let hierarchies: [(name: String, separator: Unicode.Scalar)] = [
        ("lr:hierarchicalSubject", "|"), ("digiKam:TagsList", "/"),
        ("MicrosoftPhoto:LastKeywordXMP", "/"), ("MicrosoftPhoto:LastKeywordIPTC", "/"),
        ("mediapro:CatalogSets", "|"),
    ]
}
