// SPDX-License-Identifier: Apache-2.0

/// A maker note that can be moved to another offset.
///
/// Most makers store a TIFF directory after a short signature. Its offsets are relative to the start of the EXIF
/// block or of the note. Offsets of the former kind are updated. A note with values outside its own bytes cannot be
/// moved.
struct MakerNote {
    private let bytes: [UInt8]
    /// The offset of the note in its block.
    private let origin: Int
    private var isBigEndian = false
    /// The positions of offsets that are relative to the start of the block.
    private var offsets: Set<Int> = []
    /// The directories that have been followed, to follow each only once.
    private var followed: Set<Int> = []

    /// - Parameters:
    ///   - bytes: The bytes of the note.
    ///   - origin: The offset of the note in its block.
    /// - Returns: `nil` if the note cannot be moved.
    init?(_ bytes: [UInt8], at origin: Int) {
        self.bytes = bytes
        self.origin = origin
        guard let directory = findDirectory() else { return nil }
        let values = directory.values
        isBigEndian = directory.isBigEndian
        guard !values.isEmpty else { return }
        let room = directory.end..<bytes.count
        let isInside = { (start: Int) in
            values.allSatisfy {
                $0.offset - start >= room.lowerBound && $0.offset - start + $0.length <= bytes.count
            }
        }
        let first = values.map(\.offset).min() ?? 0
        // Relative to the start of the note, or of its directory.
        let own = [0, -directory.start].filter(isInside).map { first - $0 - room.lowerBound }.min()
        let whole = isInside(origin) ? first - origin - room.lowerBound : nil
        switch (own, whole) {
        case (let own?, let whole?) where own <= whole: break
        case (_, .some): addOffsets(of: directory, depth: 0)
        case (.some, nil): break
        case (nil, nil): return nil
        }
    }

    /// Returns the note for another offset.
    func moved(to place: Int) -> [UInt8] {
        var moved = bytes
        for offset in offsets {
            let value = (number(offset, 4, isBigEndian) ?? 0) - origin + place
            moved.set(value, bytes: 4, at: offset, bigEndian: isBigEndian)
        }
        // Canon repeats the offset of the note at its end.
        let footer = bytes.count - 8
        if !offsets.isEmpty, footer > 0, number(footer + 4, 4, isBigEndian) == origin,
            bytes[footer..<footer + 4].elementsEqual((isBigEndian ? "MM\0*" : "II*\0").utf8)
        {
            moved.set(place, bytes: 4, at: footer + 4, bigEndian: isBigEndian)
        }
        return moved
    }

    // MARK: - Directories

    private struct Directory {
        /// A value stored outside its entry.
        struct Value {
            /// The position of the offset.
            let field: Int
            let offset: Int
            let length: Int
        }

        let start: Int
        let end: Int
        let isBigEndian: Bool
        var values: [Value] = []
        /// The positions of single integers that may be offsets of directories.
        var numbers: [Int] = []
    }

    /// The lengths of known signatures before the directory.
    private static let starts = [0, 6, 8, 10, 12, 14, 18, 22]

    private func findDirectory() -> Directory? {
        for start in Self.starts {
            for isBigEndian in [false, true] {
                if let found = directory(at: start, isBigEndian) { return found }
            }
        }
        return nil
    }

    private func directory(at start: Int, _ isBigEndian: Bool) -> Directory? {
        guard let count = number(start, 2, isBigEndian), (1...500).contains(count),
            start + 2 + 12 * count <= bytes.count
        else { return nil }
        let end = start + 2 + 12 * count
        var found = Directory(start: start, end: end, isBigEndian: isBigEndian)
        for place in stride(from: start + 2, to: end, by: 12) {
            guard let type = number(place + 2, 2, isBigEndian), (1...13).contains(type),
                let size = TIFFReader.size(ofType: type),
                let count = number(place + 4, 4, isBigEndian), count <= 1 << 24,
                let offset = number(place + 8, 4, isBigEndian)
            else { return nil }
            if count * size > 4 {
                found.values.append(
                    Directory.Value(field: place + 8, offset: offset, length: count * size))
            } else if count == 1, type == 4 || type == 13 {
                found.numbers.append(place + 8)
            }
        }
        return found
    }

    private mutating func addOffsets(of directory: Directory, depth: Int) {
        offsets.formUnion(directory.values.map(\.field))
        guard depth < 3, followed.insert(directory.start).inserted else { return }
        for field in directory.numbers {
            guard let offset = number(field, 4, isBigEndian), offset - origin >= directory.end,
                offset - origin < bytes.count,
                let below = self.directory(at: offset - origin, isBigEndian),
                below.values.allSatisfy({
                    $0.offset >= origin && $0.offset - origin + $0.length <= bytes.count
                }), offsets.insert(field).inserted
            else { continue }
            addOffsets(of: below, depth: depth + 1)
        }
    }

    private func number(_ place: Int, _ length: Int, _ isBigEndian: Bool) -> Int? {
        bytes.number(at: place, bytes: length, bigEndian: isBigEndian)
    }
}
