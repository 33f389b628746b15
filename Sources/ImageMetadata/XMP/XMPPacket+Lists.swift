// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension XMPPacket {
    /// Returns the items of a list property such as `dc:subject`, limited in number and length.
    func items(_ property: String) -> [String] {
        items(property, count: PhotoMetadata.maximumKeywords, length: Self.maximumItemLength)
    }

    /// Returns all items of a property.
    func allItems(_ property: String) -> [String] { items(property, count: .max, length: .max) }

    private func items(_ property: String, count: Int, length: Int) -> [String] {
        for property in properties[property] where !property.isAttribute {
            let found = listItems(in: property.value, count: count)
                .filter { $0.content.count <= length }
                .compactMap { (plainItem($0) ?? qualifiedItem($0))?.trimmingBlanks }
            if !found.isEmpty { return found }
        }
        return []
    }

    private func plainItem(_ item: Item) -> String? { XMLText.plain(text, item.content) }

    /// Returns the text of an item with qualifiers, which is its `rdf:value`.
    private func qualifiedItem(_ item: Item) -> String? {
        var scanner = XMLScanner(text, in: item.content)
        var start: Int?
        while let tag = scanner.next() {
            guard text[tag.name].elementsEqual("rdf:value".utf8) else { continue }
            if tag.kind == .opening { start = tag.range.upperBound }
            if tag.kind == .closing, let start {
                return XMLText.plain(text, start..<tag.range.lowerBound)
            }
        }
        return nil
    }

    /// The maximum length of an item in bytes.
    private static let maximumItemLength = 4096

    // MARK: - Languages

    /// Returns a text that has alternatives in several languages: the default one, or otherwise the first. The text may
    /// be a list element, a text element, or an attribute.
    func localizedText(_ property: String) -> String? {
        let all = properties[property]
        let elements = all.lazy.filter { !$0.isAttribute }
        return elements.compactMap { alternative(in: $0.value) }.first
            ?? all.lazy.filter(\.isAttribute).compactMap { words($0.value) }.first
    }

    /// The maximum number of languages.
    private static let maximumAlternatives = 1000

    private func alternative(in content: Range<Int>) -> String? {
        var first: String?
        let items = listItems(in: content, count: Self.maximumAlternatives)
        for item in items {
            guard let words = words(item.content) else { continue }
            if text.find(Array("x-default".utf8), in: item.attributes) != nil { return words }
            first = first ?? words
        }
        return items.isEmpty ? words(content) : first
    }

    private func words(_ range: Range<Int>) -> String? {
        // A long text is truncated, unless it contains markup.
        let beginning = range.prefix(Self.maximumValueLength)
        let isLong = beginning.count < range.count
        guard !isLong || text.find([UInt8(ascii: "<")], in: range) == nil else { return nil }
        let words = XMLText.plain(text, beginning)?.trimmingBlanks ?? ""
        return words.isEmpty ? nil : words
    }

    // MARK: - Elements

    /// An item of a list.
    struct Item {
        let attributes: Range<Int>
        let content: Range<Int>
    }

    /// Returns the items of the list in a property's element.
    func listItems(in content: Range<Int>, count: Int) -> [Item] {
        var scanner = XMLScanner(text, in: content)
        var depth = 0
        var open: (attributes: Range<Int>, start: Int)?
        var items: [Item] = []
        while items.count < count, let tag = scanner.next() {
            switch tag.kind {
            case .data, .empty: break
            case .opening:
                if depth == 1, isItem(tag.name) { open = (tag.attributes, tag.range.upperBound) }
                depth += 1
            case .closing:
                depth -= 1
                if depth == 1, let item = open {
                    items.append(
                        Item(
                            attributes: item.attributes,
                            content: item.start..<tag.range.lowerBound))
                    open = nil
                }
            }
        }
        return items
    }

    private func isItem(_ name: Range<Int>) -> Bool {
        text[name].split(separator: UInt8(ascii: ":")).last?.elementsEqual("li".utf8) ?? false
    }
}
