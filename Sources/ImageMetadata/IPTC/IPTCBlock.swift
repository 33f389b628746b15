// SPDX-License-Identifier: Apache-2.0

/// IPTC-IIM records, and their encapsulation in the file formats.
package struct IPTCBlock: Sendable {
    /// The concatenated records.
    let records: [UInt8]

    /// Extracts the records from the content of a file. They are stored directly, or in one or more Photoshop resources
    /// 0x0404. Other resources, such as a thumbnail of the picture before the edit, are dropped. Returns `nil` if there
    /// are no records.
    package init?(_ block: [UInt8]) {
        let found = Self.resources(Bytes(block))
        let blocks = (found.isEmpty ? [block[...]] : found.map { block[$0] })
            .filter { $0.first == 0x1C }
        guard let first = blocks.first else { return nil }
        var all = IPTCBlock(records: Array(first))
        for other in blocks.dropFirst() {
            all = IPTCEditor.joining(all, IPTCBlock(records: Array(other))) ?? all
        }
        records = all.records
    }

    /// Creates a block from records.
    init(records: [UInt8]) { self.records = records }

    /// A dataset of the records.
    struct Dataset {
        /// The record number: 1 for the envelope, 2 for the application record.
        let record: UInt8
        /// The dataset number in the record.
        let number: UInt8
        /// The range of the whole dataset.
        let range: Range<Int>
        /// The bytes of the value.
        let value: [UInt8]
    }

    /// Calls the body for the datasets in order, up to the first malformed one.
    func forEachDataset(_ body: (Dataset) -> Void) {
        let bytes = Bytes(records)
        var position = 0
        while bytes[position] == 0x1C, let record = bytes[position + 1],
            let number = bytes[position + 2],
            let (start, length) = Self.value(bytes, at: position + 3),
            let value = bytes.slice(start, length)
        {
            body(
                Dataset(
                    record: record, number: number, range: position..<start + length, value: value))
            position = start + length
        }
    }

    /// Returns the range of a value. In an extended dataset, the first two bytes contain the size of the length field.
    private static func value(_ bytes: Bytes, at position: Int) -> (start: Int, length: Int)? {
        guard let length = bytes.number(position, 2, bigEndian: true).map(Int.init) else {
            return nil
        }
        if length < 0x8000 { return (position + 2, length) }
        let count = length & 0x7FFF
        guard (1...4).contains(count),
            let long = bytes.number(position + 2, count, bigEndian: true).map(Int.init)
        else { return nil }
        return (position + 2 + count, long)
    }

    /// The records without content location, city, sublocation, state and country; `nil` if none are left or they are
    /// malformed.
    var withoutLocation: IPTCBlock? {
        var remaining: [UInt8] = []
        forEachDataset { dataset in
            if dataset.record != 2 || !Self.locations.contains(dataset.number) {
                remaining += records[dataset.range]
            }
        }
        return remaining.isEmpty ? nil : IPTCBlock(records: remaining)
    }

    private static let locations: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

    /// The payload of a JPEG segment with the records.
    package var segment: [UInt8] { Array(PhotoshopResources.mark.utf8) + resource }

    /// The Photoshop resource with the records.
    var resource: [UInt8] {
        let length = withUnsafeBytes(of: UInt32(records.count).bigEndian, Array.init)
        return Array("8BIM\u{4}\u{4}\0\0".utf8) + length + records
            + [UInt8](repeating: 0, count: records.count % 2)
    }

    /// The maximum number of blocks that any program writes.
    private static let maximumBlocks = 16

    /// Returns the ranges of records among Photoshop resources.
    private static func resources(_ bytes: Bytes) -> [Range<Int>] {
        let mark = PhotoshopResources.mark
        var position = bytes.has(mark, at: 0) ? mark.utf8.count : 0
        var found: [Range<Int>] = []
        while found.count < maximumBlocks, PhotoshopResources.isResource(bytes, at: position),
            let kind = bytes.number(position + 4, 2, bigEndian: true),
            let nameLength = bytes[position + 6].map(Int.init),
            case let header = position + 6 + (nameLength + 2) / 2 * 2,
            let length = bytes.number(header, 4, bigEndian: true).map(Int.init)
        {
            let start = header + 4
            if kind == 0x0404, start < bytes.count {
                found.append(start..<min(bytes.count, start + length))
            }
            position = start + (length + 1) / 2 * 2
        }
        return found
    }
}
