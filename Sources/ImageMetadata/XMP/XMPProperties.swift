// SPDX-License-Identifier: Apache-2.0

/// The positions of the picture's properties in a packet: those of the descriptions below `rdf:RDF`. Nested
/// properties of other pictures, such as the ingredients of a composite, and comments are ignored.
///
/// In a malformed packet, only the properties before the first error are found.
struct XMPProperties: Sendable {
    /// A property, written as an attribute or an element.
    struct Property: Sendable {
        let isAttribute: Bool
        /// The range between the quotes or between the tags.
        let value: Range<Int>
    }

    private var found: [XMPName: [Property]] = [:]
    private var count = 0

    /// The maximum number of properties. Additional ones are ignored.
    private static let maximumCount = 20_000
    /// The maximum depth of `rdf:RDF`.
    private static let maximumRootDepth = 8

    /// The properties with a name, such as `dc:title`, in order.
    subscript(name: String) -> [Property] { found[XMPName(name)] ?? [] }

    init(_ text: [UInt8]) {
        var scanner = XMLScanner(text, in: 0..<text.count)
        var scopes = XMPScopes()
        /// The open elements, from the outermost one down to a property.
        var names: [Range<Int>] = []
        var depth = 0
        /// The depth of `rdf:RDF`.
        var root: Int?
        var property: (name: XMPName, start: Int)?
        while count < Self.maximumCount, let tag = scanner.next() {
            switch tag.kind {
            case .data: break
            case .closing:
                depth -= 1
                guard depth >= 0 else { return }
                guard depth < names.count else { continue }
                guard text[names.removeLast()] == text[tag.name] else { return }
                scopes.close()
                if depth == root { root = nil }
                if let root, depth == root + 2, let ended = property {
                    add(
                        ended.name,
                        Property(isAttribute: false, value: ended.start..<tag.range.lowerBound))
                    property = nil
                }
            case .opening, .empty:
                defer { if tag.kind == .opening { depth += 1 } }
                // Inside properties, only the depth is tracked.
                guard depth == names.count, depth <= (root ?? Self.maximumRootDepth) + 2 else {
                    continue
                }
                let attributes = XMLScanner.attributes(text, tag.attributes)
                guard scopes.open(attributes.map { (text[$0.name], text[$0.value]) }) else {
                    return
                }
                let name = scopes.name(text[tag.name], isAttribute: false)
                if root == nil {
                    // RDF allows a single description without `rdf:RDF`.
                    root = name == Self.root ? depth : name == Self.description ? depth - 1 : nil
                }
                if let root, depth == root + 1 {
                    for (name, value) in attributes {
                        add(
                            scopes.name(text[name], isAttribute: true),
                            Property(isAttribute: true, value: value))
                    }
                } else if let root, depth == root + 2 {
                    count += 1
                    property = (name, tag.range.upperBound)
                }
                if tag.kind == .empty {
                    scopes.close()
                    if depth == root { root = nil }
                    property = nil
                } else {
                    names.append(tag.name)
                }
            }
        }
    }

    private static let root = XMPName("rdf:RDF")
    private static let description = XMPName("rdf:Description")

    private mutating func add(_ name: XMPName, _ property: Property) {
        if property.isAttribute { count += 1 }
        found[name, default: []].append(property)
    }
}
