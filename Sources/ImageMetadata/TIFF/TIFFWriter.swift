// SPDX-License-Identifier: Apache-2.0

/// Serialises directories of a TIFF file.
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
    private let isBigEndian: Bool

    /// - Parameters:
    ///   - start: The file offset of the bytes, which must be even.
    ///   - isBig: Whether the file is a BigTIFF.
    ///   - isBigEndian: Whether numbers are big-endian.
    init(start: Int, isBig: Bool = false, isBigEndian: Bool = false) {
        self.start = start
        self.isBig = isBig
        self.isBigEndian = isBigEndian
    }

    /// Returns the entry of a tag. If the value does not fit into the entry, it is appended first.
    ///
    /// - Parameter note: The value as a maker note, if it depends on its offset.
    mutating func entry(_ tag: TIFFTag, moving note: MovableMakerNote? = nil) -> Entry {
        var field = tag.value(bigEndian: isBigEndian)
        if field.count > fieldLength {
            align()
            let position = start + bytes.count
            bytes += note?.moved(to: position) ?? field
            field = number(position, fieldLength)
        }
        field += [UInt8](repeating: 0, count: fieldLength - field.count)
        return Entry(
            tag: tag.tag,
            bytes: number(tag.tag, 2) + number(tag.type, 2) + number(tag.count, fieldLength)
                + field)
    }

    /// Appends a directory and returns its file offset.
    mutating func directory(_ entries: [Entry], next: Int = 0) -> Int {
        align()
        let position = start + bytes.count
        bytes += number(entries.count, isBig ? 8 : 2)
        for entry in entries.sorted(by: { $0.tag < $1.tag }) { bytes += entry.bytes }
        bytes += number(next, fieldLength)
        return position
    }

    /// Returns an unsigned integer in little-endian order.
    package static func bytes(_ number: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// Returns an unsigned integer in the byte order of the file.
    func number(_ number: Int, _ length: Int) -> [UInt8] {
        let bytes = Self.bytes(number, length)
        return isBigEndian ? bytes.reversed() : bytes
    }

    private var fieldLength: Int { isBig ? 8 : 4 }

    private mutating func align() {
        if bytes.count % 2 == 1 { bytes.append(0) }
    }
}
