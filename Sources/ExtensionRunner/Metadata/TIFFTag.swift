// SPDX-License-Identifier: Apache-2.0

/// One tag of a TIFF directory with its values.
struct TIFFTag {
    /// Its number.
    let tag: Int
    /// The type of the values, 1...12.
    let type: Int
    /// How many values there are.
    let count: Int
    /// The values, little-endian.
    let value: [UInt8]

    /// Makes a tag of values as they lie in a file.
    init(tag: Int, type: Int, count: Int, value: [UInt8]) {
        self.tag = tag
        self.type = type
        self.count = count
        self.value = value
    }

    /// Makes a tag of one whole number.
    init(_ tag: Int, long value: Int) {
        self.init(tag: tag, type: 4, count: 1, value: TIFFWriter.bytes(value, 4))
    }

    /// The tag that points to EXIF's own directory.
    static let exifDirectory = 0x8769
    /// The tag that points to the directory of the position.
    static let gpsDirectory = 0x8825

    /// How long the parts are whose bytes are in the file's order; nil for a type that tags of
    /// metadata do not have.
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
    /// The tags of a directory in their order, without those that point to other directories or
    /// have no values. A megabyte is read at most, however many tags share their bytes.
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
