// SPDX-License-Identifier: Apache-2.0

extension XMPPacket {
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

    /// Returns the plain text of a range: without comments, with references and `CDATA` decoded. `nil` if it contains
    /// elements.
    static func plainText(_ text: [UInt8], _ range: Range<Int>) -> String? {
        guard text.find([UInt8(ascii: "<")], in: range) != nil else {
            return unescaped(text[range])
        }
        var scanner = XMLScanner(text, in: range)
        var result = ""
        var place = range.lowerBound
        while let tag = scanner.next() {
            guard tag.kind == .data else { return nil }
            result += withoutComments(text, place..<tag.range.lowerBound)
            result += String(decoding: text[tag.name], as: UTF8.self)
            place = tag.range.upperBound
        }
        return scanner.isBroken ? nil : result + withoutComments(text, place..<range.upperBound)
    }

    private static func withoutComments(_ text: [UInt8], _ range: Range<Int>) -> String {
        var result = ""
        var place = range.lowerBound
        while let start = text.find([UInt8(ascii: "<")], in: place..<range.upperBound) {
            let isComment = text[start..<range.upperBound].starts(with: "<!--".utf8)
            let mark = Array((isComment ? "-->" : "?>").utf8)
            guard isComment || start + 1 < range.upperBound && text[start + 1] == UInt8(ascii: "?"),
                let end = text.find(mark, in: start + 2..<range.upperBound)
            else { break }
            result += unescaped(text[place..<start])
            place = end + mark.count
        }
        return result + unescaped(text[place..<range.upperBound])
    }
}
