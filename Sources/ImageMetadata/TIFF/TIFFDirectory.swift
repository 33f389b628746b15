// SPDX-License-Identifier: Apache-2.0

/// The positions of a directory and its entries in a TIFF file or an EXIF block.
struct TIFFDirectory {
    /// The entry of a tag.
    struct Entry {
        let tag: Int
        let type: Int
        let count: Int
        /// The range of the entry.
        let range: Range<Int>
        /// The position of the value, or of its offset if the value is stored elsewhere.
        let position: Int
    }

    /// The range of the directory, including the link to the next one. It may extend beyond the file.
    let range: Range<Int>
    /// The entries in the order of the file, up to its end.
    let entries: [Entry]
    /// The offset of the link to the next directory.
    let link: Int

    private static let maximumEntries = 4096

    /// Reads a directory. Returns `nil` if it has too many entries or is outside the file.
    ///
    /// - Parameter number: Returns the number at an offset, with a length in bytes.
    init?(
        at offset: Int, isBigTIFF: Bool = false, _ number: (_ offset: Int, _ length: Int) -> Int?
    ) {
        let (countLength, fieldLength) = isBigTIFF ? (8, 8) : (2, 4)
        guard let count = number(offset, countLength), count <= Self.maximumEntries else {
            return nil
        }
        let start = offset + countLength
        let length = 4 + 2 * fieldLength
        entries = (0..<count).compactMap { index in
            let entry = start + index * length
            guard let tag = number(entry, 2), let type = number(entry + 2, 2),
                let count = number(entry + 4, fieldLength)
            else { return nil }
            return Entry(
                tag: tag, type: type, count: count, range: entry..<entry + length,
                position: entry + 4 + fieldLength)
        }
        link = start + count * length
        range = offset..<link + fieldLength
    }

    func entry(_ tag: Int) -> Entry? { entries.first { $0.tag == tag } }
}
