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
        /// The range between the tags, empty for an empty-element tag.
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
        var place = 0
        while let start = text.find([UInt8(ascii: "<")], from: place) {
            guard let end = take(at: start) else { return nil }
            place = end
        }
        guard open.isEmpty, !elements.isEmpty else { return nil }
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

    /// Parses markup that starts with `<` and returns its end.
    private mutating func take(at start: Int) -> Int? {
        switch start + 1 < text.count ? text[start + 1] : 0 {
        case UInt8(ascii: "?"): return end(of: "?>", from: start + 2)
        case UInt8(ascii: "/"): return close(at: start)
        case UInt8(ascii: "!"):
            if has("<!--", at: start) { return end(of: "-->", from: start + 4) }
            if has("<![CDATA[", at: start) { return end(of: "]]>", from: start + 9) }
            // Document types are rejected, because their entities can have any content.
            return nil
        default: return openElement(at: start)
        }
    }

    private mutating func close(at start: Int) -> Int? {
        guard let index = open.popLast() else { return nil }
        let name = elements[index].qualifiedName
        let end = skipBlanks(start + 2 + name.count)
        guard end < text.count, text[end] == UInt8(ascii: ">"),
            text[start + 2..<start + 2 + name.count].elementsEqual(text[name])
        else { return nil }
        elements[index].content = elements[index].tag.upperBound..<start
        elements[index].range = elements[index].tag.lowerBound..<end + 1
        scopes.close()
        return end + 1
    }

    private mutating func openElement(at start: Int) -> Int? {
        let name = self.name(at: start + 1)
        guard !name.isEmpty, elements.count < Self.maximumElements,
            open.count < Self.maximumDepth
        else { return nil }
        var found: [(name: Range<Int>, range: Range<Int>, value: Range<Int>)] = []
        var place = name.upperBound
        while let attribute = attribute(at: place) {
            found.append(attribute)
            attributeCount += 1
            guard attributeCount <= Self.maximumElements else { return nil }
            place = attribute.range.upperBound
        }
        place = skipBlanks(place)
        let isEmpty = place < text.count && text[place] == UInt8(ascii: "/")
        if isEmpty { place += 1 }
        guard place < text.count, text[place] == UInt8(ascii: ">") else { return nil }
        guard scopes.open(found.map { (text[$0.name], text[$0.value]) }) else { return nil }
        let end = place + 1
        elements.append(
            Element(
                name: scopes.name(text[name], isAttribute: false), qualifiedName: name,
                parent: open.last,
                attributes: found.map {
                    Attribute(
                        name: scopes.name(text[$0.name], isAttribute: true), range: $0.range,
                        value: $0.value)
                },
                tag: start..<end, content: end..<end, range: start..<end))
        if isEmpty { scopes.close() } else { open.append(elements.count - 1) }
        return end
    }

    private func attribute(
        at start: Int
    ) -> (name: Range<Int>, range: Range<Int>, value: Range<Int>)? {
        let name = name(at: skipBlanks(start))
        let equals = skipBlanks(name.upperBound)
        guard !name.isEmpty, name.lowerBound > start, equals < text.count,
            text[equals] == UInt8(ascii: "=")
        else { return nil }
        let quote = skipBlanks(equals + 1)
        guard quote < text.count, [0x22, 0x27].contains(text[quote]),
            let end = text.find([text[quote]], from: quote + 1)
        else { return nil }
        return (name, start..<end + 1, quote + 1..<end)
    }

    private func name(at start: Int) -> Range<Int> {
        guard start < text.count else { return text.count..<text.count }
        let end = text[start...].firstIndex { $0 <= 0x20 || Self.marks.contains($0) }
        return start..<(end ?? text.count)
    }

    /// The characters besides white space that end a name.
    private static let marks = Array("<>/='\"".utf8)

    private func skipBlanks(_ start: Int) -> Int {
        var place = min(start, text.count)
        while place < text.count, text[place] <= 0x20 { place += 1 }
        return place
    }

    private func has(_ mark: String, at start: Int) -> Bool {
        text[start...].starts(with: mark.utf8)
    }

    private func end(of mark: String, from start: Int) -> Int? {
        guard start <= text.count else { return nil }
        let pattern = Array(mark.utf8)
        return text.find(pattern, from: start).map { $0 + pattern.count }
    }
}
