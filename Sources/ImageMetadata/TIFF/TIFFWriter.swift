// SPDX-License-Identifier: Apache-2.0

/// Serialises directories of a little-endian TIFF file.
package struct TIFFWriter {
    /// A serialised directory entry.
    struct Entry {
        let tag: Int
        let bytes: [UInt8]
    }

    /// The serialised bytes.
    private(set) var bytes: [UInt8] = []
    private let start: Int
    private let isBig: Bool

    /// - Parameters:
    ///   - start: The file offset of the bytes. Must be even.
    ///   - isBig: Whether the file is a BigTIFF.
    init(start: Int, isBig: Bool) {
        self.start = start
        self.isBig = isBig
    }

    /// Returns the entry of a tag. A long value is appended first.
    ///
    /// - Parameter note: The value as a maker note, if it depends on its offset.
    mutating func entry(_ tag: TIFFTag, moving note: MakerNote? = nil) -> Entry {
        var field = tag.value
        if field.count > fieldLength {
            align()
            let place = start + bytes.count
            field = Self.bytes(place, fieldLength)
            bytes += note?.moved(to: place) ?? tag.value
        }
        field += [UInt8](repeating: 0, count: fieldLength - field.count)
        return Entry(
            tag: tag.tag,
            bytes: Self.bytes(tag.tag, 2) + Self.bytes(tag.type, 2)
                + Self.bytes(tag.count, fieldLength) + field)
    }

    /// Appends a directory and returns its file offset.
    mutating func directory(_ entries: [Entry], next: Int = 0) -> Int {
        align()
        let place = start + bytes.count
        bytes += Self.bytes(entries.count, isBig ? 8 : 2)
        for entry in entries.sorted(by: { $0.tag < $1.tag }) { bytes += entry.bytes }
        bytes += Self.bytes(next, fieldLength)
        return place
    }

    /// Returns an unsigned integer in little-endian order.
    package static func bytes(_ number: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private var fieldLength: Int { isBig ? 8 : 4 }

    private mutating func align() {
        if bytes.count % 2 == 1 { bytes.append(0) }
    }
}
