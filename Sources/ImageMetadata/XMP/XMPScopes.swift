// SPDX-License-Identifier: Apache-2.0

/// The prefix bindings in scope while a document is parsed.
struct XMPScopes {
    private var bindings: [(prefix: [UInt8], namespace: String)] = []
    private var starts: [Int] = []

    private static let maximumBindings = 500

    /// Opens the scope of an element, whose attributes may declare prefixes.
    ///
    /// - Returns: False if there are too many declarations.
    mutating func open(_ attributes: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]) -> Bool
    {
        starts.append(bindings.count)
        let mark = Array("xmlns".utf8)
        for (name, value) in attributes where name.starts(with: mark) {
            guard bindings.count < Self.maximumBindings else { return false }
            let prefix = Array(name.dropFirst(mark.count).drop { $0 == UInt8(ascii: ":") })
            bindings.append((prefix, XMLText.unescaped(value)))
        }
        return true
    }

    /// Closes the innermost scope.
    mutating func close() {
        bindings.removeLast(bindings.count - (starts.popLast() ?? bindings.count))
    }

    /// Resolves a qualified name. An undeclared prefix is resolved to its usual namespace.
    func name(_ qualified: ArraySlice<UInt8>, isAttribute: Bool) -> XMPName {
        let colon = qualified.firstIndex(of: UInt8(ascii: ":"))
        let prefix = colon.map { qualified[..<$0] } ?? []
        let local = colon.map { qualified[($0 + 1)...] } ?? qualified
        let text = String(decoding: local, as: UTF8.self)
        // Attributes without a prefix have no namespace.
        if prefix.isEmpty, isAttribute { return XMPName(namespace: "", local: text) }
        if let binding = bindings.last(where: { $0.prefix.elementsEqual(prefix) }) {
            return XMPName(namespace: XMPName.canonical(binding.namespace), local: text)
        }
        let prefixText = String(decoding: prefix, as: UTF8.self)
        return XMPName(namespace: XMPName.namespaces[prefixText] ?? prefixText, local: text)
    }
}
