// SPDX-License-Identifier: Apache-2.0

/// Which prefixes stand for which namespaces, inside the elements that are open.
struct XMPScopes {
    private var bindings: [(prefix: [UInt8], namespace: String)] = []
    private var starts: [Int] = []

    private static let maximumBindings = 500

    /// An element begins, with attributes that may declare prefixes.
    ///
    /// - Returns: false where there are more than any program writes.
    mutating func open(_ attributes: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]) -> Bool
    {
        starts.append(bindings.count)
        let mark = Array("xmlns".utf8)
        for (name, value) in attributes where name.starts(with: mark) {
            guard bindings.count < Self.maximumBindings else { return false }
            let prefix = Array(name.dropFirst(mark.count).drop { $0 == UInt8(ascii: ":") })
            bindings.append((prefix, XMPPacket.unescaped(value)))
        }
        return true
    }

    /// The element that began last ends.
    mutating func close() {
        bindings.removeLast(bindings.count - (starts.popLast() ?? bindings.count))
    }

    /// What a name stands for. A prefix that is not declared is taken for what it usually is.
    func name(_ qualified: ArraySlice<UInt8>, isAttribute: Bool) -> XMPName {
        let colon = qualified.firstIndex(of: UInt8(ascii: ":"))
        let prefix = colon.map { qualified[..<$0] } ?? []
        let local = colon.map { qualified[($0 + 1)...] } ?? qualified
        let text = String(decoding: local, as: UTF8.self)
        // An attribute without a prefix is in no namespace.
        if prefix.isEmpty, isAttribute { return XMPName(namespace: "", local: text) }
        if let binding = bindings.last(where: { $0.prefix.elementsEqual(prefix) }) {
            return XMPName(namespace: XMPName.usual(binding.namespace), local: text)
        }
        let usual = String(decoding: prefix, as: UTF8.self)
        return XMPName(namespace: XMPName.namespaces[usual] ?? usual, local: text)
    }
}
