// SPDX-License-Identifier: Apache-2.0

/// IPTC-IIM records, and how the formats wrap them.
struct IPTCBlock: Sendable {
    /// The records, one after the other.
    let records: [UInt8]
    /// TIFF's tag for them.
    static let tag = 0x83BB

    /// Takes the records out of what a file holds: they lie there at once, or in the resources
    /// 0x0404 among Photoshop's, of which there may be several. The other resources, such as a thumbnail of the
    /// picture before the edit, are left behind. Nil where there are none.
    init?(_ block: [UInt8]) {
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

    /// Makes a block of records.
    init(records: [UInt8]) { self.records = records }

    /// One value of the records.
    struct Dataset {
        /// The number of its record: 1 for the envelope, 2 for what is said of the picture.
        let record: UInt8
        /// Its number in that.
        let number: UInt8
        /// Where all of it is.
        let range: Range<Int>
        /// The value.
        let value: [UInt8]
    }

    /// Gives the values in their order, up to the first that is malformed.
    func forEachDataset(_ body: (Dataset) -> Void) {
        let bytes = Bytes(records)
        var place = 0
        while bytes[place] == 0x1C, let record = bytes[place + 1], let number = bytes[place + 2],
            let (start, length) = Self.value(bytes, at: place + 3),
            let value = bytes.slice(start, length)
        {
            body(
                Dataset(
                    record: record, number: number, range: place..<start + length, value: value))
            place = start + length
        }
    }

    /// Where a value is: a length of more than 15 bits stands in as many bytes as the first two say.
    private static func value(_ bytes: Bytes, at place: Int) -> (start: Int, length: Int)? {
        guard let length = bytes.number(place, 2, bigEndian: true).map(Int.init) else { return nil }
        if length < 0x8000 { return (place + 2, length) }
        let count = length & 0x7FFF
        guard (1...4).contains(count),
            let long = bytes.number(place + 2, count, bigEndian: true).map(Int.init)
        else { return nil }
        return (place + 2 + count, long)
    }

    /// The records without those of places: content location, city, sublocation, state, country. Nil where
    /// none is left, or they cannot be told apart.
    var withoutLocation: IPTCBlock? {
        var kept: [UInt8] = []
        forEachDataset { dataset in
            if dataset.record != 2 || !Self.locations.contains(dataset.number) {
                kept += records[dataset.range]
            }
        }
        return kept.isEmpty ? nil : IPTCBlock(records: kept)
    }

    private static let locations: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

    /// As JPEG has them, in a segment of Photoshop's.
    var segment: [UInt8] { Array(PhotoshopResources.mark.utf8) + resource }

    /// As one of Photoshop's resources.
    var resource: [UInt8] {
        let length = withUnsafeBytes(of: UInt32(records.count).bigEndian, Array.init)
        return Array("8BIM\u{4}\u{4}\0\0".utf8) + length + records
            + [UInt8](repeating: 0, count: records.count % 2)
    }

    /// No program writes more of them.
    private static let maximumBlocks = 16

    /// Where records are among Photoshop's resources.
    private static func resources(_ bytes: Bytes) -> [Range<Int>] {
        let mark = PhotoshopResources.mark
        var place = bytes.has(mark, at: 0) ? mark.utf8.count : 0
        var found: [Range<Int>] = []
        while found.count < maximumBlocks, PhotoshopResources.isResource(bytes, at: place),
            let kind = bytes.number(place + 4, 2, bigEndian: true),
            let nameLength = bytes[place + 6].map(Int.init),
            case let header = place + 6 + (nameLength + 2) / 2 * 2,
            let length = bytes.number(header, 4, bigEndian: true).map(Int.init)
        {
            let start = header + 4
            if kind == 0x0404, start < bytes.count {
                found.append(start..<min(bytes.count, start + length))
            }
            place = start + (length + 1) / 2 * 2
        }
        return found
    }
}
