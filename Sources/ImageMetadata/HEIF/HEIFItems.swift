// SPDX-License-Identifier: Apache-2.0

/// The items of a HEIF file and their metadata (ISO/IEC 14496-12, 8.11, and 23008-12).
///
/// Every number is untrusted. Items that are out of range or too large are ignored.
package struct HEIFItems {
    /// A reference from one item to others.
    struct Reference {
        /// The type of the reference, for example `cdsc`.
        let type: BoxType
        /// The file offset of the type.
        let typeOffset: Int
        let from: Int
        let targets: [Int]
    }

    private struct Item {
        let type: String
        let contentType: String
    }

    private let bytes: Bytes
    private let boxes: BoxReader
    /// The first child box of each type in `meta`. They are indexed once, because a file may have thousands.
    private let parts: [BoxType: Range<Int>]

    /// The limits, which no photo exceeds.
    private static let maximumCount = 1 << 16
    private static let maximumSize = 64 << 20

    package init?(_ bytes: Bytes) {
        self.bytes = bytes
        boxes = BoxReader(bytes)
        guard let range = boxes.contents("meta"), range.count > 4 else { return nil }
        parts = boxes.children(of: range.lowerBound + 4..<range.upperBound)
            .reduce(into: [:]) { parts, box in
                if parts[box.type] == nil { parts[box.type] = box.contents }
            }
    }

    // MARK: - Metadata

    /// The EXIF block of the picture, starting with its TIFF header.
    package var exif: [UInt8]? { exifContent?.block }

    /// The EXIF block of the picture, starting with its TIFF header, and the bytes before it in its item.
    var exifContent: (prefix: [UInt8], block: [UInt8])? {
        guard let content = exifItem.flatMap({ content(of: $0) }) else { return nil }
        // The item starts with four bytes, which contain the distance from their end to the header.
        let header = Bytes(content).number(0, 4, bigEndian: true).map { 4 + Int($0) } ?? 4
        for position in [header, 4, 0] where Self.hasHeader(content.dropFirst(position)) {
            return (Array(content.prefix(position)), Array(content.dropFirst(position)))
        }
        return nil
    }

    /// The XMP packet of the picture.
    package var xmp: [UInt8]? { xmpItem.flatMap { content(of: $0) } }

    /// The item with the EXIF of the picture.
    var exifItem: Int? { description("Exif") }

    /// The item with the XMP of the picture.
    var xmpItem: Int? { description("mime", contentType: Self.xmpType) }

    /// The XMP of other pictures in the file, such as a gain map; `nil` if one of them has metadata of another kind.
    var otherXMP: [[UInt8]]? {
        let known = [exifItem, xmpItem]
        return items.filter { item, _ in !known.contains(item) }.reduce(into: []) { found, item in
            guard ["Exif", "mime", "uri "].contains(item.value.type) else { return }
            let isXMP = item.value.contentType == Self.xmpType
            if let content = isXMP ? content(of: item.key) : nil {
                found?.append(content)
            } else {
                found = nil
            }
        }
    }

    private static let xmpType = "application/rdf+xml"

    private static func hasHeader(_ block: ArraySlice<UInt8>) -> Bool {
        ["Exif\0\0", "II*\0", "MM\0*"].contains { block.starts(with: $0.utf8) }
    }

    /// Returns the item that describes the primary item, or otherwise one without a reference.
    private func description(_ type: String, contentType: String = "") -> Int? {
        let found = items.filter { $0.value.type == type && $0.value.contentType == contentType }
            .keys.sorted()
        // The arrays are extended in place, because one item may have thousands of references.
        let described = references.reduce(into: [Int: [Int]]()) { described, reference in
            guard reference.type == "cdsc" else { return }
            described[reference.from, default: []] += reference.targets
        }
        let primary = primary
        return found.first { item in described[item]?.contains { $0 == primary } ?? false }
            ?? found.first { described[$0] == nil }
    }

    // MARK: - Kinds

    /// The types of all items, such as `hvc1`.
    var itemTypes: Set<String> { Set(items.values.map(\.type)) }

    /// The uses of auxiliary pictures, by the URNs in their properties.
    var auxiliaryTypes: Set<String> {
        guard let range = parts["iprp"],
            let properties = boxes.children(of: range).first(where: { $0.type == "ipco" })
        else { return [] }
        let types = boxes.children(of: properties.contents).lazy.filter { $0.type == "auxC" }
            .compactMap { box in
                // The contents are a version and flags, followed by the URN and a zero. No URN is longer.
                bytes.slice(box.contents.lowerBound + 4, min(256, box.contents.count - 4))
            }
        return Set(types.map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }

    // MARK: - Boxes

    /// The identifier of the primary item.
    private var primary: Int? {
        guard var cursor = cursor("pitm") else { return nil }
        return cursor.number(cursor.version == 0 ? 2 : 4)
    }

    /// All references between items.
    var references: [Reference] {
        guard let cursor = cursor("iref") else { return [] }
        let width = cursor.version == 0 ? 2 : 4
        return boxes.children(of: cursor.position..<cursor.end).compactMap { box in
            var cursor = Cursor(bytes, box.contents)
            guard let from = cursor.number(width), let count = cursor.number(2),
                count * width <= box.contents.count
            else { return nil }
            return Reference(
                type: box.type, typeOffset: box.range.lowerBound + 4, from: from,
                targets: (0..<count).compactMap { _ in cursor.number(width) })
        }
    }

    private var items: [Int: Item] {
        guard var cursor = cursor("iinf"), cursor.number(cursor.version == 0 ? 2 : 4) != nil else {
            return [:]
        }
        var items: [Int: Item] = [:]
        for box in boxes.children(of: cursor.position..<cursor.end) where box.type == "infe" {
            guard var entry = Cursor(versioned: bytes, box.contents), entry.version >= 2,
                let identifier = entry.number(entry.version == 2 ? 2 : 4),
                entry.number(2) != nil, let type = entry.text(4), entry.string() != nil
            else { continue }
            items[identifier] = Item(
                type: type, contentType: type == "mime" ? entry.string() ?? "" : "")
        }
        return items
    }

    private func cursor(_ type: BoxType) -> Cursor? {
        parts[type].flatMap { Cursor(versioned: bytes, $0) }
    }
}

// MARK: - Extents

extension HEIFItems {
    /// A range of an item's bytes, with the fields that declare it.
    struct Extent {
        /// The identifier of the item.
        let item: Int
        /// The range in the file.
        let range: Range<Int>
        /// Whether the range is relative to the box `idat` instead of the file.
        let isInBox: Bool
        /// The base offset that is added to the extent's offset.
        let base: Int
        /// The range of the field with the offset.
        let offsetField: Range<Int>
        /// The range of the field with the length.
        let lengthField: Range<Int>
    }

    /// Returns the bytes of an item, joined from its extents.
    private func content(of item: Int) -> [UInt8]? {
        guard let extents = extents(of: item) else { return nil }
        return extents.reduce(into: []) {
            $0 += bytes.slice($1.range.lowerBound, $1.range.count) ?? []
        }
    }

    /// Returns the extents of an item in order.
    ///
    /// - Returns: `nil` if the item does not exist, is not completely in this file, or is too large.
    func extents(of item: Int) -> [Extent]? {
        var found: [Extent]?
        var isWhole = true
        var length = 0
        forEachExtent { identifier, extent in
            guard identifier == item else { return found == nil }
            guard let extent, extent.range.count <= Self.maximumSize - length else {
                isWhole = false
                return false
            }
            length += extent.range.count
            found = (found ?? []) + [extent]
            return true
        }
        return isWhole ? found : nil
    }

    /// The ranges of the extents of all items in the file: image data and metadata.
    var occupied: [Range<Int>] {
        var found: [Range<Int>] = []
        forEachExtent { _, extent in
            if let extent { found.append(extent.range) }
            return found.count < Self.maximumCount
        }
        return found
    }

    /// The ranges of the properties, and of all items except metadata, ordered by the identifiers of the items.
    var imageData: [Range<Int>] {
        let items = items.filter { !["Exif", "mime", "uri "].contains($0.value.type) }
        var found: [Extent] = []
        forEachExtent { item, extent in
            if let extent, items[item] != nil { found.append(extent) }
            return found.count < Self.maximumCount
        }
        let extents = Dictionary(grouping: found, by: \.item)
        let properties = parts["iprp"].map { [$0] } ?? []
        return properties + extents.keys.sorted().flatMap { extents[$0]?.map(\.range) ?? [] }
    }

    /// Calls `body` for the extents of all items in sequence, as long as it returns true. An extent outside this file
    /// is passed as `nil`.
    private func forEachExtent(_ body: (Int, Extent?) -> Bool) {
        guard var cursor = cursor("iloc"), cursor.version <= 2, let sizes = cursor.number(2) else {
            return
        }
        let version = cursor.version
        let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
        // An extent without a length occupies no bytes in this box, so a file could declare billions of them.
        guard lengthSize > 0, let count = cursor.number(version < 2 ? 2 : 4),
            count <= Self.maximumCount
        else { return }
        for _ in 0..<count {
            guard let identifier = cursor.number(version < 2 ? 2 : 4),
                let method = version == 0 ? 0 : cursor.number(2).map({ $0 & 15 }),
                let file = cursor.number(2), let base = cursor.number(baseSize),
                let parts = cursor.number(2)
            else { return }
            for _ in 0..<parts {
                guard cursor.number(indexSize) != nil else { return }
                let offsetField = cursor.position..<cursor.position + offsetSize
                guard let offset = cursor.number(offsetSize) else { return }
                let lengthField = cursor.position..<cursor.position + lengthSize
                guard let length = cursor.number(lengthSize) else { return }
                let start = file == 0 ? start(method, base, offset) : nil
                let extent = start.flatMap { start -> Extent? in
                    guard start >= 0, length > 0, start <= bytes.count,
                        length <= bytes.count - start
                    else { return nil }
                    return Extent(
                        item: identifier, range: start..<start + length, isInBox: method == 1,
                        base: base, offsetField: offsetField, lengthField: lengthField)
                }
                guard body(identifier, extent) else { return }
            }
        }
    }

    /// Returns the file offset of an extent.
    private func start(_ method: Int, _ base: Int, _ offset: Int) -> Int? {
        let (position, overflow) = base.addingReportingOverflow(offset)
        guard !overflow else { return nil }
        switch method {
        case 0: return position
        case 1:
            guard let data = parts["idat"], position <= data.count else { return nil }
            return data.lowerBound + position
        default: return nil
        }
    }
}

/// Reads numbers and strings in sequence.
private struct Cursor {
    private let bytes: Bytes
    private(set) var position: Int
    let end: Int
    /// The version of the box.
    private(set) var version = 0

    init(_ bytes: Bytes, _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// Creates a cursor for a box that starts with a version and flags.
    init?(versioned bytes: Bytes, _ range: Range<Int>) {
        self.init(bytes, range)
        guard let word = number(4) else { return nil }
        version = word >> 24
    }

    /// Reads an integer of `size` bytes. Returns 0 for a size of 0.
    mutating func number(_ size: Int) -> Int? {
        guard size > 0 else { return 0 }
        guard size <= end - position,
            let number = bytes.number(position, size, bigEndian: true).flatMap({ Int(exactly: $0) })
        else { return nil }
        position += size
        return number
    }

    mutating func text(_ size: Int) -> String? {
        guard size <= end - position, let text = bytes.slice(position, size) else { return nil }
        position += size
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a text up to a zero or the end of the box.
    mutating func string() -> String? {
        guard position <= end, let rest = bytes.slice(position, end - position) else { return nil }
        let text = rest.prefix { $0 != 0 }
        position = min(end, position + text.count + 1)
        return String(decoding: text, as: UTF8.self)
    }
}
