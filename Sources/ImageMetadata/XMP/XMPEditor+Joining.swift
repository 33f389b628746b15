// SPDX-License-Identifier: Apache-2.0

extension XMPEditor {
    /// The names of all properties in the packet.
    var propertyNames: Set<XMPName> {
        let descriptionIndexes = Set(descriptions)
        var names: Set<XMPName> = []
        for element in document.elements
        where element.parent.map(descriptionIndexes.contains) == true {
            names.insert(element.name)
        }
        let others = ["", "xmlns", XMPName("rdf:about").namespace, XMPName("xml:lang").namespace]
        for index in descriptions {
            names.formUnion(
                document.elements[index].attributes.map(\.name)
                    .filter { !others.contains($0.namespace) })
        }
        return names
    }

    /// The descriptions without removed parts. Each contains all inherited prefix declarations, so that it can be
    /// inserted into another packet.
    var standaloneDescriptions: [UInt8] {
        descriptions.flatMap { index -> [UInt8] in
            let element = document.elements[index]
            let position = element.qualifiedName.upperBound
            var edits = cuts.filter { element.range.contains($0.lowerBound) }
                .map { (range: $0, new: [UInt8]()) }
            edits.append((position..<position, declarations(around: element)))
            let range = element.range
            return Self.applying(edits, to: document.text[range]) + [0x0A]
        }
    }

    /// Returns the prefix declarations that an element inherits and does not override.
    private func declarations(around element: XMPDocument.Element) -> [UInt8] {
        var known = Set(element.attributes.map(\.name).filter(Self.isDeclaration))
        var found: [UInt8] = []
        var next = element.parent
        while let index = next {
            let outer = document.elements[index]
            for attribute in outer.attributes where Self.isDeclaration(attribute.name) {
                if known.insert(attribute.name).inserted { found += document.text[attribute.range] }
            }
            next = outer.parent
        }
        return found
    }

    private static func isDeclaration(_ name: XMPName) -> Bool {
        name.namespace == "xmlns" || name == XMPName(namespace: "", local: "xmlns")
    }

    /// The root element with its changes, without the packet wrapper.
    var bareElement: [UInt8] {
        let whole = packet.text
        guard let root = document.elements.first?.range else { return whole }
        return Array(
            whole.dropFirst(root.lowerBound).dropLast(document.text.count - root.upperBound))
    }
}
