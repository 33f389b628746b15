// SPDX-License-Identifier: Apache-2.0

extension XMPPacket {
    /// Whether the packet has an element, and each of its elements is closed.
    package var isComplete: Bool {
        var scanner = XMLScanner(text, in: 0..<text.count)
        var open: [Range<Int>] = []
        var hasElement = false
        while let tag = scanner.next() {
            switch tag.kind {
            case .data: break
            case .empty: hasElement = true
            case .opening: open.append(tag.name)
            case .closing:
                guard let name = open.popLast(), text[name] == text[tag.name] else { return false }
                hasElement = true
            }
        }
        return hasElement && open.isEmpty && !scanner.isBroken
    }
}
