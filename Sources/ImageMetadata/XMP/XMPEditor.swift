// SPDX-License-Identifier: Apache-2.0

/// Removes properties from an XMP packet and adds others. All other data keeps its bytes. Decision 11: a library such
/// as Exempi would rewrite the whole packet.
struct XMPEditor {
    /// The scope of property names.
    enum Depth {
        /// The properties of the picture itself.
        case own
        /// The properties of any resource in the packet, such as the ingredients of a composite.
        case any
    }

    let document: XMPDocument
    private let depth: Depth
    /// The indices of the elements that hold the properties.
    let descriptions: [Int]
    /// The ranges to remove.
    private(set) var cuts: [Range<Int>] = []
    private var appended: [UInt8] = []
    private var additions: [(name: String, value: XMPValue)] = []
    private var replacements: [(range: Range<Int>, new: [UInt8])] = []

    /// Parses the packet. Returns `nil` if it is malformed or has no descriptions.
    init?(_ packet: XMPPacket, _ depth: Depth = .own) {
        guard let document = XMPDocument(packet.text) else { return nil }
        self.document = document
        self.depth = depth
        descriptions = document.descriptions
        if descriptions.isEmpty { return nil }
    }

    /// Whether the packet has a property.
    func has(_ name: String) -> Bool {
        let name = XMPName(name)
        return !ranges { $0 == name }.isEmpty
    }

    /// Removes all properties that match.
    mutating func remove(where matches: (XMPName) -> Bool) { cuts += ranges(where: matches) }

    /// Removes properties by name.
    mutating func remove(_ names: String...) {
        let names = Set(names.map { XMPName($0) })
        remove { names.contains($0) }
    }

    /// Sets a property, replacing its old value.
    mutating func set(_ name: String, to value: XMPValue) {
        remove(name)
        additions.append((name, value))
    }

    /// Appends descriptions from ``standaloneDescriptions``.
    mutating func append(_ descriptions: [UInt8]) { appended += descriptions }

    /// Removes a range of the text.
    mutating func cut(_ range: Range<Int>) { cuts.append(range) }

    /// Replaces a range by a text.
    mutating func replace(_ range: Range<Int>, with text: String) {
        replacements.append((range, Array(text.utf8)))
    }

    /// Inserts a text.
    mutating func insert(_ text: String, at position: Int) {
        replace(position..<position, with: text)
    }

    /// Returns the value of a property; `nil` if it is missing or has another structure.
    func value(_ name: String) -> XMPValue? {
        let name = XMPName(name)
        for index in descriptions {
            let description = document.elements[index]
            if let attribute = description.attributes.first(where: { $0.name == name }) {
                return .text(text(attribute.value))
            }
            if let (position, element) = children(of: index).first(where: { $1.name == name }) {
                return value(of: position, element)
            }
        }
        return nil
    }

    /// The packet with all changes applied.
    var packet: XMPPacket {
        if cuts.isEmpty && additions.isEmpty && appended.isEmpty && replacements.isEmpty {
            return XMPPacket(document.text)
        }
        var edits = cuts.map { (range: $0, new: [UInt8]()) } + replacements
        if let first = descriptions.first, let root = document.elements[first].parent {
            let end = document.elements[root].content.upperBound
            let added = additions.isEmpty ? "" : addition
            edits.append((end..<end, appended + added.utf8))
        }
        return XMPPacket(Self.applying(edits, to: document.text[...]))
    }

    /// The description of all added properties.
    private var addition: String {
        description(
            "", prefixes: Set(additions.map { String($0.name.prefix { $0 != ":" }) }),
            content: additions.map { "\n   \($0.value.element($0.name))" }.joined())
    }

    /// Returns a separate description with its own prefix declarations, because the packet may bind the prefixes
    /// differently.
    func description(_ attributes: String, prefixes: Set<String>, content: String) -> String {
        let about = descriptions.first.flatMap { first in
            document.elements[first].attributes.first { $0.name == XMPName("rdf:about") }
        }
        let declarations = prefixes.union(["rdf"]).sorted().compactMap { prefix in
            XMPName.namespaces[prefix].map { " xmlns:\(prefix)=\"\($0)\"" }
        }
        let subject = XMPValue.escaped(about.map { text($0.value) } ?? "")
        return
            " <rdf:Description rdf:about=\"\(subject)\"\(declarations.joined())\(attributes)>"
            + content + "\n  </rdf:Description>\n "
    }

    /// Applies edits, which may be nested, in a single pass.
    static func applying(
        _ edits: [(range: Range<Int>, new: [UInt8])], to text: ArraySlice<UInt8>
    ) -> [UInt8] {
        var result: [UInt8] = []
        var position = text.startIndex
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            if edit.range.lowerBound > position { result += text[position..<edit.range.lowerBound] }
            result += edit.new
            position = max(position, edit.range.upperBound)
        }
        return result + text[position...]
    }

    // MARK: - Finding

    private func ranges(where matches: (XMPName) -> Bool) -> [Range<Int>] {
        var found: [Range<Int>] = []
        let descriptionIndexes = Set(descriptions)
        for index in document.elements.indices {
            let element = document.elements[index]
            let isProperty =
                element.parent.map { depth == .any || descriptionIndexes.contains($0) } ?? false
            if isProperty && !descriptionIndexes.contains(index) && matches(element.name) {
                found.append(element.range)
            }
            guard depth == .any || descriptionIndexes.contains(index) else { continue }
            found += element.attributes.filter { matches($0.name) }.map(\.range)
        }
        return found
    }

    private func children(of index: Int) -> [(Int, XMPDocument.Element)] {
        var position = index + 1
        var found: [(Int, XMPDocument.Element)] = []
        let end = document.elements[index].range.upperBound
        while position < document.elements.count {
            let element = document.elements[position]
            guard element.range.lowerBound < end else { break }
            if element.parent == index { found.append((position, element)) }
            position += 1
        }
        return found
    }

    private func value(of index: Int, _ element: XMPDocument.Element) -> XMPValue? {
        let inside = children(of: index)
        if inside.isEmpty { return .text(text(element.content)) }
        guard let (position, list) = inside.first,
            let kind = [XMPValue.Kind.bag, .sequence, .choice].first(where: {
                XMPName($0.rawValue) == list.name
            })
        else { return nil }
        let language = XMPName("xml:lang")
        return .list(
            kind,
            children(of: position).filter { $1.name == XMPName("rdf:li") }.map { position, item in
                XMPValue.Item(
                    text: children(of: position).isEmpty ? text(item.content) : "",
                    language: item.attributes.first { $0.name == language }
                        .map { text($0.value) })
            }.filter { !$0.text.isEmpty })
    }

    /// Returns the plain text of a range.
    func text(_ range: Range<Int>) -> String {
        (XMLText.plain(document.text, range) ?? "").trimmingBlanks
    }
}
