// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension XMPPacket {
    /// The keywords, with their places in hierarchies.
    var keywords: [String] { KeywordPath.joining(plainKeywords, keywordPaths) }

    /// The keywords in lists without hierarchies. The search order is `dc:subject`, then ACDSee's list, then texts with
    /// separators.
    var plainKeywords: [String] {
        for name in ["dc:subject", "acdsee:keywords"] {
            let found = items(name)
            if !found.isEmpty { return found }
        }
        for name in ["dc:subject", "acdsee:keywords", "pdf:Keywords"] {
            let found = words(of: name)
            if !found.isEmpty { return found }
        }
        return []
    }

    /// The keywords in hierarchies, without duplicates.
    ///
    /// All programs write `dc:subject`, but none writes every list of hierarchies. If it is present, it states which
    /// keywords exist, and the first list that contains a keyword states its places. Otherwise, a list that a program
    /// has not updated would restore a keyword that was removed or moved. A list that has nothing in common with
    /// `dc:subject` was not written together with it, so it is read as a whole.
    ///
    /// If `dc:subject` contains only levels above a keyword, the keyword was removed. Lightroom and darktable write all
    /// levels, and digiKam writes the last one, so no program writes the levels above without the keyword. A program
    /// that knows only `dc:subject` leaves them behind when it removes the keyword.
    var keywordPaths: [KeywordPath] {
        let plain = Set(plainKeywords)
        var lists = Self.mainLists.map { paths(in: $0, besides: plain) } + [groupPaths]
        for list in Self.otherLists where lists.allSatisfy(\.isEmpty) {
            lists = [paths(in: list, besides: plain)]
        }
        if lists.allSatisfy(\.isEmpty) {
            lists = [words(of: Self.mainLists[0].name).map { KeywordPath($0) }]
        }
        if hasSubject {
            let others = Self.otherLists.map { paths(in: $0, besides: plain).filter(\.isNested) }
            let separate = lists.filter { !Self.shares(plain, $0) }
            lists = Self.places(of: plain, in: lists + others) + separate
        }
        var known: Set<KeywordPath> = []
        return lists.flatMap(\.self).filter { known.insert($0).inserted }
    }

    /// Whether a list contains one of some keywords as a level, in any case.
    private static func shares(_ keywords: Set<String>, _ list: [KeywordPath]) -> Bool {
        let known = Set(keywords.map { $0.lowercased() })
        return list.contains { $0.names.contains { known.contains($0.lowercased()) } }
    }

    private var hasSubject: Bool {
        !items("dc:subject").isEmpty || !words(of: "dc:subject").isEmpty
    }

    /// Whether the list of Lightroom or digiKam contains keywords that were removed or moved by a program that did not
    /// update it.
    var hasOutdatedPaths: Bool {
        guard hasSubject else { return false }
        let plain = Set(plainKeywords)
        // Some programs list the levels above a keyword too.
        let known = Set(keywordPaths.flatMap(\.branches))
        return Self.mainLists.contains { list in
            paths(in: list, besides: plain).contains { path in
                !known.contains(path) && (path.isNested || !plain.contains(path.name))
            }
        }
    }

    /// Returns the paths of keywords, each from the first list that contains it. A list may write a keyword in another
    /// case.
    private static func places(
        of keywords: Set<String>, in lists: [[KeywordPath]]
    ) -> [[KeywordPath]] {
        let names = Set(lists.flatMap { $0.map(\.name) })
        let exact = keywords.intersection(names)
        let others = Set(keywords.subtracting(exact).map { $0.lowercased() })
        var rest = exact.union(names.filter { others.contains($0.lowercased()) })
        return lists.map { list in
            let found = list.filter { rest.contains($0.name) }
            rest.subtract(found.map(\.name))
            return found
        }
    }

    private typealias KeywordList = (name: String, separator: Unicode.Scalar)

    /// The lists of Lightroom and digiKam. Other programs write them too.
    private static let mainLists: [KeywordList] = [
        ("lr:hierarchicalSubject", "|"), ("digiKam:TagsList", "/"),
    ]
    /// Lists that are read only if those are missing.
    private static let otherLists: [KeywordList] = [
        ("MicrosoftPhoto:LastKeywordXMP", "/"), ("MicrosoftPhoto:LastKeywordIPTC", "/"),
        ("mediapro:CatalogSets", "|"),
    ]

    /// Returns the paths in a list. Plain keywords that contain the separator, such as `f/2.8`, are not split.
    private func paths(in list: KeywordList, besides plain: Set<String>) -> [KeywordPath] {
        items(list.name).filter { !$0.isEmpty }
            .map { Self.path($0, separator: list.separator, besides: plain) }
    }

    /// Returns the path in an item of a list.
    static func path(
        _ item: String, separator: Unicode.Scalar, besides plain: Set<String>
    ) -> KeywordPath {
        plain.contains(item)
            ? KeywordPath(item) : KeywordPath(item, separator: separator, joining: plain)
    }

    /// Returns the words of a text property.
    private func words(of property: String) -> [String] {
        guard let text = value(property) else { return [] }
        var known: Set<String> = []
        let words = text.split { $0 == ";" || $0 == "," }.map { String($0).trimmingBlanks }
            .filter { !$0.isEmpty && known.insert($0).inserted }
        return Array(words.prefix(PhotoMetadata.maximumKeywords))
    }

    // MARK: - The Metadata Working Group

    /// The keywords in `mwg-kw:Keywords`: nested lists of structures with a keyword and its children. The innermost
    /// ones are used, and those that are marked as applied.
    ///
    /// Source: Guidelines for Handling Metadata, version 2.0, 5.6.
    private var groupPaths: [KeywordPath] {
        let (keyword, mark) = (XMPName("mwg-kw:Keyword"), XMPName("mwg-kw:Applied"))
        guard text.find(Array(keyword.namespace.utf8), from: 0) != nil,
            let document = XMPDocument(text)
        else { return [] }
        var names: [Int: String] = [:]
        var applied: Set<Int> = []
        func note(_ property: XMPName, _ value: Range<Int>, of index: Int) {
            guard property == keyword || property == mark,
                names.count < PhotoMetadata.maximumKeywords,
                let text = XMLText.plain(document.text, value)?.trimmingBlanks, !text.isEmpty
            else { return }
            if property == keyword {
                names[index] = text
            } else if text == "True" {
                applied.insert(index)
            }
        }
        for (index, element) in document.elements.enumerated() {
            for attribute in element.attributes { note(attribute.name, attribute.value, of: index) }
            if let parent = element.parent { note(element.name, element.content, of: parent) }
        }
        let holders = names.keys.sorted()
        let above = holders.map { document.ancestors(of: $0).filter { names[$0] != nil } }
        let outer = Set(above.flatMap(\.self))
        return zip(holders, above).filter { !outer.contains($0.0) || applied.contains($0.0) }
            .map { holder, above in
                KeywordPath((above.reversed() + [holder]).compactMap { names[$0] })
            }
    }
}

extension XMPDocument {
    /// Returns the elements that enclose one, innermost first.
    fileprivate func ancestors(of index: Int) -> [Int] {
        var found: [Int] = []
        var next = elements[index].parent
        while let index = next {
            found.append(index)
            next = elements[index].parent
        }
        return found
    }
}
