// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// Reads the directories of a TIFF file or of an EXIF block, which has the same structure.
///
/// Every offset and count is untrusted. Values out of range are `nil`, the size of directories is limited, and no link
/// is followed twice.
///
/// See docs/design/decisions/0011-own-reader-of-metadata.md.
package struct TIFFReader: Sendable {
    /// An entry with one or more values.
    package struct Entry {
        package let type: Int
        let count: Int
        /// The offset of the values, relative to the header.
        package let offset: Int
    }

    /// A directory: its entries by tag, and the offset of the next directory or 0.
    package struct Directory {
        package let entries: [Int: Entry]
        let next: Int
    }

    private let bytes: Bytes
    private let origin: Int
    /// Whether the numbers are big-endian.
    package let isBigEndian: Bool
    let isBigTIFF: Bool
    /// The offset of the first directory, relative to the header.
    private let firstOffset: Int?

    /// - Parameters:
    ///   - bytes: The file or the block.
    ///   - origin: The offset of the TIFF header. All other offsets are relative to it.
    package init?(_ bytes: Bytes, origin: Int = 0) {
        guard bytes.has("II", at: origin) || bytes.has("MM", at: origin) else { return nil }
        self.bytes = bytes
        self.origin = origin
        isBigEndian = bytes.has("MM", at: origin)
        let version = bytes.number(origin + 2, 2, bigEndian: isBigEndian)
        guard version == 42 || version == 43 else { return nil }
        isBigTIFF = version == 43
        let (position, length) = version == 43 ? (8, 8) : (4, 4)
        firstOffset = bytes.number(origin + position, length, bigEndian: isBigEndian)
            .flatMap { Int(exactly: $0) }
    }

    /// Reads an Apple maker note: a name, a byte order mark, and a directory directly after it. Offsets are relative to
    /// the start of the note.
    init?(appleNote note: [UInt8]) {
        bytes = Bytes(note)
        guard bytes.has("Apple iOS\0", at: 0), bytes.has("II", at: 12) || bytes.has("MM", at: 12)
        else { return nil }
        origin = 0
        isBigEndian = bytes.has("MM", at: 12)
        isBigTIFF = false
        firstOffset = 14
    }

    /// Reads an EXIF block, with or without the prefix used in JPEG.
    package init?(exif block: [UInt8]) {
        let bytes = Bytes(block)
        self.init(bytes, origin: bytes.has("Exif\0\0", at: 0) ? 6 : 0)
    }

    // MARK: - Directories

    /// The first directory; `nil` if it is malformed.
    package var first: Directory? { firstOffset.flatMap(directory(at:)) }

    /// The directories of the main chain, at most sixteen, without duplicates.
    var chain: [Directory] {
        var found: [Directory] = []
        var seen: Set<Int> = []
        var offset = firstOffset ?? 0
        while found.count < 16, offset > 0, seen.insert(offset).inserted,
            let next = directory(at: offset)
        {
            found.append(next)
            offset = next.next
        }
        return found
    }

    /// Returns the directories that a tag such as 0x8769 points to, at most sixteen.
    package func directories(_ tag: Int, in parent: Directory) -> [Directory] {
        (integers(tag, in: parent) ?? []).prefix(16).compactMap(directory(at:))
    }

    /// The positions in the first directory.
    var firstPositions: TIFFDirectory? { firstOffset.flatMap(positions(at:)) }

    /// Returns the offset of the directory after another one; 0 if there is none.
    func next(_ directory: TIFFDirectory) -> Int { number(directory.link, fieldLength) ?? 0 }

    private func positions(at offset: Int) -> TIFFDirectory? {
        offset > 0 ? TIFFDirectory(at: offset, isBigTIFF: isBigTIFF, number) : nil
    }

    private func directory(at offset: Int) -> Directory? {
        guard let found = positions(at: offset) else { return nil }
        var entries: [Int: Entry] = [:]
        for item in found.entries where entries[item.tag] == nil {
            entries[item.tag] = entry(item)
        }
        return Directory(entries: entries, next: next(found))
    }

    private func entry(_ item: TIFFDirectory.Entry) -> Entry? {
        guard let size = Self.size(ofType: item.type), item.count <= bytes.count / size else {
            return nil
        }
        guard item.count * size > fieldLength else {
            return Entry(type: item.type, count: item.count, offset: item.position)
        }
        guard let offset = number(item.position, fieldLength), offset <= bytes.count else {
            return nil
        }
        return Entry(type: item.type, count: item.count, offset: offset)
    }

    /// The size of an offset in bytes.
    var fieldLength: Int { isBigTIFF ? 8 : 4 }

    /// Returns the size of a value in bytes; `nil` for an unknown type.
    package static func size(ofType type: Int) -> Int? {
        switch type {
        // 129 is the UTF-8 text of EXIF 3.0.
        case 1, 2, 6, 7, 129: 1
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12, 16, 17, 18: 8
        default: nil
        }
    }

    // MARK: - Values

    /// Returns a text up to its terminator, trimmed; `nil` if it is missing or empty.
    func text(_ tag: Int, in directory: Directory) -> String? {
        guard let raw = raw(tag, in: directory) else { return nil }
        let bytes = raw.prefix { $0 != 0 }
        let text = String(metadata: bytes).trimmingBlanks
        return text.isEmpty ? nil : text
    }

    /// Returns the bytes of a value; at most a megabyte is read.
    package func raw(_ tag: Int, in directory: Directory) -> [UInt8]? {
        guard let entry = directory.entries[tag], let size = Self.size(ofType: entry.type),
            entry.count * size <= 1 << 20
        else { return nil }
        return bytes.slice(origin + entry.offset, entry.count * size)
    }

    /// Returns the range of a tag's value in the bytes; `nil` if the type is unknown or the value is out of range.
    func range(_ tag: Int, in directory: Directory) -> Range<Int>? {
        guard let entry = directory.entries[tag], let size = Self.size(ofType: entry.type) else {
            return nil
        }
        let start = origin + entry.offset
        let (length, overflow) = entry.count.multipliedReportingOverflow(by: size)
        guard !overflow, start >= 0, length >= 0, start <= bytes.count,
            length <= bytes.count - start
        else { return nil }
        return start..<start + length
    }

    /// Returns unsigned integers; at most 65536 are read.
    package func integers(_ tag: Int, in directory: Directory) -> [Int]? {
        guard let entry = directory.entries[tag], [1, 3, 4, 7, 13, 16, 18].contains(entry.type),
            let size = Self.size(ofType: entry.type), (1...65536).contains(entry.count)
        else { return nil }
        let values = (0..<entry.count).compactMap { number(entry.offset + $0 * size, size) }
        return values.count == entry.count ? values : nil
    }

    /// Returns a signed integer of four bytes.
    func signedInteger(_ tag: Int, in directory: Directory) -> Int? {
        guard let entry = directory.entries[tag], entry.type == 9, entry.count == 1 else {
            return nil
        }
        return number(entry.offset, 4).map { Int(Int32(truncatingIfNeeded: $0)) }
    }

    /// Returns rationals; `nil` if a denominator is 0.
    package func rationals(_ tag: Int, in directory: Directory) -> [Double]? {
        guard let entry = directory.entries[tag], [5, 10].contains(entry.type),
            (1...16).contains(entry.count)
        else { return nil }
        let values = (0..<entry.count).compactMap { index -> Double? in
            let start = entry.offset + index * 8
            guard let above = number(start, 4), let below = number(start + 4, 4), below != 0 else {
                return nil
            }
            guard entry.type == 10 else { return Double(above) / Double(below) }
            return Double(Int32(truncatingIfNeeded: above))
                / Double(Int32(truncatingIfNeeded: below))
        }
        return values.count == entry.count ? values : nil
    }

    private func number(_ offset: Int, _ length: Int) -> Int? {
        let (position, overflow) = origin.addingReportingOverflow(offset)
        guard !overflow else { return nil }
        return bytes.number(position, length, bigEndian: isBigEndian).flatMap { Int(exactly: $0) }
    }
}
