// SPDX-License-Identifier: Apache-2.0

/// Values of metadata with their keys: a box `meta` of the handler `mdta`.
///
/// After Apple's *QuickTime File Format*, "Metadata": the box `keys` lists the keys, and each item in `ilst` has
/// the number of its key, from 1 on, as its type. In a QuickTime file `meta` begins with its first child; in
/// one after ISO/IEC 14496-12, as libavformat writes it, with a version and flags.
struct MetadataItems: Sendable {
    struct Item: Sendable {
        let key: MetadataKey
        /// The boxes in the item: `data`, and perhaps others.
        var contents: [UInt8]
        /// What values there are.
        var values: [MetadataValue]
    }

    private(set) var items: [Item] = []

    private static let maximumKeys = 4096

    init() {}

    /// The values in a box; nil: it is of another handler.
    init?(_ bytes: BoxBytes, _ box: Box) throws(MovieError) {
        guard let children = try Self.children(of: box, bytes) else { return nil }
        guard let names = try children.optional("keys"), let list = try children.optional("ilst")
        else { return }
        let keys = try Self.keys(bytes, names)
        for item in try bytes.children(of: list).boxes {
            guard (1...max(1, keys.count)).contains(Int(item.type.rawValue)), !keys.isEmpty else {
                throw .damaged("a value of the metadata has no key")
            }
            items.append(
                Item(
                    key: keys[Int(item.type.rawValue) - 1],
                    contents: Array(bytes.bytes[item.contents]),
                    values: try bytes.children(of: item).boxes.filter { $0.type == "data" }
                        .map { (box) throws(MovieError) in try MetadataValue(bytes, box) }))
        }
    }

    /// The boxes in a box `meta`; nil: its handler is not `mdta`.
    private static func children(of box: Box, _ bytes: BoxBytes) throws(MovieError) -> BoxList? {
        guard box.contents.count >= 8 else { return nil }
        let isFull = try bytes.type(at: 4, in: box.contents) != "hdlr"
        let boxes = try bytes.boxes(in: box.contents.dropFirst(isFull ? 4 : 0))
        let list = BoxList(parent: box.type, boxes: boxes)
        guard let handler = try list.optional("hdlr"),
            try bytes.type(at: 8, in: handler.contents) == "mdta"
        else { return nil }
        return list
    }

    private static func keys(_ bytes: BoxBytes, _ box: Box) throws(MovieError) -> [MetadataKey] {
        let count = try bytes.entryCount(at: 4, width: 8, limit: maximumKeys, in: box)
        var (keys, place) = ([MetadataKey](), 8)
        for _ in 0..<count {
            let length = Int(try bytes.uint32(at: place, in: box.contents))
            guard length >= 8, length <= box.contents.count - place else {
                throw .damaged("a key of the metadata is invalid")
            }
            let start = box.contents.lowerBound + place
            keys.append(
                MetadataKey(
                    namespace: try bytes.type(at: place + 4, in: box.contents),
                    String(decoding: bytes.bytes[start + 8..<start + length], as: UTF8.self)))
            place += length
        }
        return keys
    }

    // MARK: - Changing

    func item(_ key: MetadataKey) -> Item? { items.first { $0.key == key } }

    /// Sets the only value of a key, in the place of the one it had.
    mutating func set(_ value: MetadataValue, for key: MetadataKey) {
        replace(Item(key: key, contents: value.box, values: [value]))
    }

    /// Adds the values of keys that are not here.
    mutating func add(_ others: MetadataItems) {
        let known = Set(items.map(\.key))
        items += others.items.filter { !known.contains($0.key) }
    }

    /// Takes out the values of a key.
    mutating func remove(_ key: MetadataKey) { items.removeAll { $0.key == key } }

    /// Gives values back what they were in another file, for libavformat makes texts of them, and 0 of numbers
    /// of 64 bits. Keys that are not here stay out.
    mutating func restoreValues(of original: MetadataItems) {
        for index in items.indices {
            guard let old = original.item(items[index].key), old.isSelfContained else { continue }
            items[index] = old
        }
    }

    private mutating func replace(_ item: Item) {
        guard let index = items.firstIndex(where: { $0.key == item.key }) else {
            items.append(item)
            return
        }
        items[index] = item
    }

    /// The box `meta` as QuickTime files have it; nil: there are no values.
    var box: [UInt8]? {
        guard !items.isEmpty else { return nil }
        var (names, list) = ([UInt8](), [UInt8]())
        names.append(items.count, bytes: 4)
        for (index, item) in items.enumerated() {
            names += .box(item.key.namespace, Array(item.key.name.utf8))
            list += .box(BoxType(rawValue: UInt32(clamping: index + 1)), item.contents)
        }
        // Two reserved numbers lie around the handler's type and three behind it; its name is empty.
        let handler = [UInt8].fullBox(
            "hdlr", .numbers(0, ("mdta" as BoxType).rawValue, 0, 0, 0) + [0, 0])
        return .box("meta", handler + .fullBox("keys", names) + .box("ilst", list))
    }
}

extension MetadataItems.Item {
    /// Whether its values say their country and language themselves. Otherwise they are numbers of entries in
    /// lists beside `ilst`, 1 to 255.
    fileprivate var isSelfContained: Bool {
        values.allSatisfy { value in
            ![value.locale >> 16, value.locale & 0xFFFF].contains { (1...255).contains($0) }
        }
    }
}

/// A value of metadata: a box `data`.
package struct MetadataValue: Hashable, Sendable {
    /// The type of the bytes, by the table "Well-known types" of Apple's *QuickTime File Format*: 1 is UTF-8,
    /// 21 a signed, 22 an unsigned number of up to 8 bytes, 23 and 24 are of 32 and 64 bits with a point.
    package let type: UInt32
    /// Country and language, 16 bits each; 0: any.
    package let locale: UInt32
    /// The value, numbers big-endian.
    package let bytes: [UInt8]

    /// Makes a value; every argument is the property of its name.
    package init(type: UInt32, locale: UInt32 = 0, bytes: [UInt8]) {
        self.type = type
        self.locale = locale
        self.bytes = bytes
    }

    /// A text.
    package init(_ text: String) { self.init(type: 1, bytes: Array(text.utf8)) }

    init(_ bytes: BoxBytes, _ box: Box) throws(MovieError) {
        self.init(
            type: try bytes.uint32(at: 0, in: box.contents),
            locale: try bytes.uint32(at: 4, in: box.contents),
            bytes: Array(bytes.bytes[box.contents.dropFirst(8)]))
    }

    /// The text, where it is one.
    package var text: String? { type == 1 ? String(validating: bytes, as: UTF8.self) : nil }

    var box: [UInt8] { .box("data", .numbers(type, locale) + bytes) }
}
