// SPDX-License-Identifier: Apache-2.0

/// Metadata items with their keys: a `meta` box of the handler `mdta`.
///
/// See Apple's *QuickTime File Format*, "Metadata". The box `keys` lists the keys, and the type of each item in
/// `ilst` is the 1-based index of its key. In QuickTime files, `meta` starts with its first child. In the
/// ISO/IEC 14496-12 form that libavformat writes, it starts with a version and flags.
struct MetadataItems: Sendable {
    struct Item: Sendable {
        let key: MetadataKey
        /// The child boxes of the item: `data` and optional others.
        var contents: [UInt8]
        /// The values of the item.
        var values: [MetadataValue]
    }

    private(set) var items: [Item] = []

    private static let maximumKeys = 4096

    init() {}

    /// Reads the items of a box; returns `nil` for another handler.
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

    /// Returns the children of a `meta` box, or `nil` if its handler is not `mdta`.
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
        var (keys, position) = ([MetadataKey](), 8)
        for _ in 0..<count {
            let length = Int(try bytes.uint32(at: position, in: box.contents))
            guard length >= 8, length <= box.contents.count - position else {
                throw .damaged("a key of the metadata is invalid")
            }
            let start = box.contents.lowerBound + position
            keys.append(
                MetadataKey(
                    namespace: try bytes.type(at: position + 4, in: box.contents),
                    String(decoding: bytes.bytes[start + 8..<start + length], as: UTF8.self)))
            position += length
        }
        return keys
    }

    // MARK: - Changing

    func item(_ key: MetadataKey) -> Item? { items.first { $0.key == key } }

    /// Replaces all values of a key with a single one.
    mutating func set(_ value: MetadataValue, for key: MetadataKey) {
        replace(Item(key: key, contents: value.box, values: [value]))
    }

    /// Adds the items whose keys are missing here.
    mutating func add(_ others: MetadataItems) {
        let known = Set(items.map(\.key))
        items += others.items.filter { !known.contains($0.key) }
    }

    /// Removes all items of a key.
    mutating func remove(_ key: MetadataKey) { items.removeAll { $0.key == key } }

    /// Restores the original values of the keys that are present here.
    ///
    /// libavformat converts values to text, and 64-bit numbers to 0.
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

    /// The serialised `meta` box in QuickTime form; `nil` if there are no items.
    var box: [UInt8]? {
        guard !items.isEmpty else { return nil }
        var (names, list) = ([UInt8](), [UInt8]())
        names.append(items.count, bytes: 4)
        for (index, item) in items.enumerated() {
            names += .box(item.key.namespace, Array(item.key.name.utf8))
            list += .box(BoxType(rawValue: UInt32(clamping: index + 1)), item.contents)
        }
        // The handler type is preceded by one reserved number and followed by three. The name is empty.
        let handler = [UInt8].fullBox(
            "hdlr", .numbers(0, ("mdta" as BoxType).rawValue, 0, 0, 0) + [0, 0])
        return .box("meta", handler + .fullBox("keys", names) + .box("ilst", list))
    }
}

extension MetadataItems.Item {
    /// Whether the values contain their country and language. Otherwise, these are indexes, 1 to 255, of lists beside
    /// `ilst`.
    fileprivate var isSelfContained: Bool {
        values.allSatisfy { value in
            ![value.locale >> 16, value.locale & 0xFFFF].contains { (1...255).contains($0) }
        }
    }
}
