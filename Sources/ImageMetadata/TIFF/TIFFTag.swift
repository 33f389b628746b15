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
    init(tag: Int, type: Int, count: Int, value: [UInt8], bigEndian: Bool = false) {
        self.tag = tag
        self.type = type
        self.count = count
        self.value = bigEndian ? Self.swapped(value, type: type) : value
    }

    /// Returns the values in the byte order of a file.
    func value(bigEndian: Bool) -> [UInt8] { bigEndian ? Self.swapped(value, type: type) : value }

    private static func swapped(_ value: [UInt8], type: Int) -> [UInt8] {
        guard let length = wordLength(ofType: type), length > 1 else { return value }
        return stride(from: 0, to: value.count, by: length).flatMap {
            value[$0..<min($0 + length, value.count)].reversed()
        }
    }

    /// Creates a tag with a single integer of four bytes.
    init(_ tag: Int, long value: Int) {
        self.init(tag: tag, type: 4, count: 1, value: TIFFWriter.bytes(value, 4))
    }

    /// Returns the size of the units whose bytes are swapped by the byte order; `nil` for types that do not occur in
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
