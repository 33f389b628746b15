// SPDX-License-Identifier: Apache-2.0

/// A tag of a TIFF directory with its values.
struct TIFFTag {
    /// The number of the tag.
    let tag: Int
    /// The type of the values, 1...12.
    let type: Int
    /// The number of values.
    let count: Int
    /// The values, little-endian.
    let value: [UInt8]

    /// Creates a tag from its serialised values.
    init(tag: Int, type: Int, count: Int, value: [UInt8]) {
        self.tag = tag
        self.type = type
        self.count = count
        self.value = value
    }

    /// Creates a tag with a single integer of four bytes.
    init(_ tag: Int, long value: Int) {
        self.init(tag: tag, type: 4, count: 1, value: TIFFWriter.bytes(value, 4))
    }

    /// Returns the size of the units that are swapped by the byte order, `nil` for types that do not occur in
    /// metadata.
    static func wordLength(ofType type: Int) -> Int? {
        switch type {
        case 1, 2, 6, 7: 1
        case 3, 8: 2
        case 4, 5, 9, 10, 11: 4
        case 12: 8
        default: nil
        }
    }
}

extension TIFFReader {
    /// Returns the tags of a directory in order, without pointers to other directories and without empty ones. At
    /// most a megabyte is read, even if many tags share their bytes.
    func tags(in directory: Directory) -> [TIFFTag] {
        var room = 1 << 20
        return directory.entries.sorted { $0.key < $1.key }.compactMap { tag, entry in
            guard entry.count > 0, entry.count <= room,
                let length = TIFFTag.wordLength(ofType: entry.type),
                let raw = raw(tag, in: directory), raw.count <= room
            else { return nil }
            room -= raw.count
            var value = raw
            if isBigEndian && length > 1 {
                for start in stride(from: 0, to: raw.count, by: length) {
                    value[start..<start + length].reverse()
                }
            }
            return TIFFTag(tag: tag, type: entry.type, count: entry.count, value: value)
        }
    }
}
