// SPDX-License-Identifier: Apache-2.0

/// The positions of all elements and attributes of an XMP packet. They allow edits that keep all other bytes.
///
/// A packet is rejected if it is not well formed, has a document type, or exceeds any plausible size or depth.
struct XMPDocument {
    /// An attribute of an element.
    struct Attribute {
        let name: XMPName
        /// The range including the white space before it.
        let range: Range<Int>
        /// The range between the quotes.
        let value: Range<Int>
    }

    /// An element of the document.
    struct Element {
        let name: XMPName
        /// The qualified name as written, with its prefix.
        let qualifiedName: Range<Int>
        /// The index of the parent element.
        let parent: Int?
        let attributes: [Attribute]
        /// The range of the start tag.
        let tag: Range<Int>
        /// The range between the tags; empty for an empty-element tag.
        var content: Range<Int>
        /// The range of the whole element.
        var range: Range<Int>
    }

    /// The bytes of the packet.
    let text: [UInt8]
    /// The elements in the order of their start tags.
    private(set) var elements: [Element] = []

    private var open: [Int] = []
    private var scopes = XMPScopes()
    private var attributeCount = 0

    private static let maximumElements = 1_000_000
    private static let maximumDepth = 200

    init?(_ text: [UInt8]) {
        self.text = text
        var scanner = XMLScanner(text, in: 0..<text.count)
        while let tag = scanner.next() {
            switch tag.kind {
            case .data: break
            case .closing: guard close(tag) else { return nil }
            case .opening, .empty: guard open(tag) else { return nil }
            }
        }
        guard !scanner.isBroken, !scanner.hasSkippedMarkup, open.isEmpty, !elements.isEmpty else {
            return nil
        }
    }

    // MARK: - Properties

    /// The indices of the elements below the outermost `rdf:RDF`, which hold the properties.
    var descriptions: [Int] {
        let root = XMPName("rdf:RDF")
        return elements.indices.filter { index in
            guard let parent = elements[index].parent, elements[parent].name == root else {
                return false
            }
            var outer = elements[parent].parent
            while let next = outer {
                if elements[next].name == root { return false }
                outer = elements[next].parent
            }
            return true
        }
    }

    // MARK: - Reading

    private mutating func close(_ tag: XMLScanner.Tag) -> Bool {
        guard let index = open.popLast(), isBlank(tag.attributes),
            text[elements[index].qualifiedName] == text[tag.name]
        else { return false }
        elements[index].content = elements[index].tag.upperBound..<tag.range.lowerBound
        elements[index].range = elements[index].tag.lowerBound..<tag.range.upperBound
        scopes.close()
        return true
    }

    private mutating func open(_ tag: XMLScanner.Tag) -> Bool {
        let found = XMLScanner.attributes(text, tag.attributes)
        attributeCount += found.count
        guard isName(tag.name), elements.count < Self.maximumElements,
            open.count < Self.maximumDepth, attributeCount <= Self.maximumElements,
            scopes.open(found.map { (text[$0.name], text[$0.value]) })
        else { return false }
        var attributes: [Attribute] = []
        var position = tag.attributes.lowerBound
        for (name, value) in found {
            guard isName(name), name.lowerBound > position else { return false }
            attributes.append(
                Attribute(
                    name: scopes.name(text[name], isAttribute: true),
                    range: position..<value.upperBound + 1, value: value))
            position = value.upperBound + 1
        }
        guard isBlank(position..<tag.attributes.upperBound) else { return false }
        elements.append(
            Element(
                name: scopes.name(text[tag.name], isAttribute: false), qualifiedName: tag.name,
                parent: open.last, attributes: attributes, tag: tag.range,
                content: tag.range.upperBound..<tag.range.upperBound, range: tag.range))
        if tag.kind == .empty { scopes.close() } else { open.append(elements.count - 1) }
        return true
    }

    private func isName(_ range: Range<Int>) -> Bool {
        !range.isEmpty && text[range].allSatisfy { $0 > 0x20 && !Self.marks.contains($0) }
    }

    /// The characters besides white space that a name cannot contain.
    private static let marks = Array("<>/='\"".utf8)

    private func isBlank(_ range: Range<Int>) -> Bool { text[range].allSatisfy { $0 <= 0x20 } }
}
