// SPDX-License-Identifier: Apache-2.0

/// A maker note that can be moved to another offset.
///
/// Most makers store a TIFF directory after a short signature, in a byte order that may differ from that of the block.
/// Its offsets are relative to the start of the EXIF block or of the note. Offsets relative to the block are updated.
/// Values outside the note, such as previews, are emptied.
struct MovableMakerNote {
    private var bytes: [UInt8]
    private var isBigEndian = false
    /// The difference between an offset and the position in the note: the offset of the note in its block, unless a
    /// program moved the note without updating the offsets.
    private var base = 0
    /// The positions of offsets that are relative to the start of the block.
    private var offsets: Set<Int> = []
    /// The directories that have been followed. Each is followed only once.
    private var followed: Set<Int> = []
    /// The number of positions that were examined for a directory below the first.
    private var attempts = 0
    private static let maximumAttempts = 1000

    /// - Parameters:
    ///   - bytes: The bytes of the note.
    ///   - origin: The offset of the note in its block.
    /// - Returns: The note, or `nil` if it cannot be moved.
    init?(_ bytes: [UInt8], at origin: Int) {
        self.bytes = bytes
        // No known note without a directory has offsets relative to the block.
        guard !Self.independent.contains(where: { bytes.starts(with: $0.utf8) }),
            var directory = findDirectory(), !directory.values.isEmpty
        else { return }
        isBigEndian = directory.isBigEndian
        guard let base = base(of: directory, at: origin) else { return nil }
        self.base = base
        let values = directory.values
        directory.values = values.filter { startsInside($0, directory, base) }
        for value in values where !startsInside(value, directory, base) {
            self.bytes.set(0, bytes: 4, at: value.field - 4, bigEndian: isBigEndian)
        }
        if base >= Self.header { addOffsets(of: directory, depth: 0) }
    }

    /// The signatures of notes whose offsets are relative to the note.
    private static let independent = [
        "Apple iOS\0", "FUJIFILM", "Nikon\0\u{2}", "OLYMPUS\0", "OM SYSTEM\0", "HDRP", "KDK",
        "STMN",
    ]

    /// The length of the header of a block. If the base is smaller, offsets are relative to the note.
    private static let header = 8

    /// Returns the bytes of the note for another offset.
    func moved(to position: Int) -> [UInt8] {
        var moved = bytes
        for offset in offsets {
            let value = (number(offset, 4, isBigEndian) ?? 0) - base + position
            moved.set(value, bytes: 4, at: offset, bigEndian: isBigEndian)
        }
        // Canon repeats the offset of the note at its end.
        let footer = bytes.count - 8
        if !offsets.isEmpty, footer > 0, number(footer + 4, 4, isBigEndian) == base,
            bytes[footer..<footer + 4].elementsEqual((isBigEndian ? "MM\0*" : "II*\0").utf8)
        {
            moved.set(position, bytes: 4, at: footer + 4, bigEndian: isBigEndian)
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
            let type: Int
        }

        let start: Int
        let end: Int
        let isBigEndian: Bool
        /// All values, except those with the offset 0, which are not set.
        var values: [Value] = []
        /// The positions of single integers that may be offsets of directories.
        var numbers: [Int] = []
    }

    /// The lengths of known signatures before the directory.
    private static let starts = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24]

    /// Returns the directory with the most entries, because others may be parts of it.
    private func findDirectory() -> Directory? {
        Self.starts.flatMap { start in
            [false, true].compactMap { directory(at: start, $0) }
        }.max { $0.end - $0.start < $1.end - $1.start }
    }

    /// Returns the base of the offsets of a directory; `nil` if it cannot be determined.
    private func base(of directory: Directory, at origin: Int) -> Int? {
        let commonBases = [0, -directory.start, origin]
        let isWhole = { base in
            directory.values.allSatisfy {
                $0.offset - base >= directory.end && $0.offset - base + $0.length <= bytes.count
            }
        }
        // The highest base puts the values closest to the directory.
        if let base = commonBases.filter(isWhole).max() { return base }
        // Makers store the values directly after the directory, most of them after an empty link.
        let gaps = [4, 0]
        let found = commonBases.first { base in
            let inside = directory.values.filter { startsInside($0, directory, base) }
            guard inside.count * 2 > directory.values.count else { return false }
            let first = inside.map(\.offset).min() ?? 0
            return gaps.contains(first - base - directory.end)
        }
        let first = directory.values.map(\.offset).min() ?? 0
        return found ?? gaps.map { first - directory.end - $0 }.first(where: isWhole)
    }

    /// Whether a value starts in the note after its directory. Some cameras record too large a length.
    private func startsInside(
        _ value: Directory.Value, _ directory: Directory, _ base: Int
    ) -> Bool {
        (directory.end..<bytes.count).contains(value.offset - base)
    }

    private func directory(at start: Int, _ isBigEndian: Bool) -> Directory? {
        guard let count = number(start, 2, isBigEndian), (1...500).contains(count),
            start + 2 + 12 * count <= bytes.count
        else { return nil }
        let end = start + 2 + 12 * count
        var found = Directory(start: start, end: end, isBigEndian: isBigEndian)
        for position in stride(from: start + 2, to: end, by: 12) {
            guard let type = number(position + 2, 2, isBigEndian), (1...13).contains(type),
                let size = TIFFReader.size(ofType: type),
                let count = number(position + 4, 4, isBigEndian), count <= 1 << 24,
                let offset = number(position + 8, 4, isBigEndian)
            else { return nil }
            if count * size > 4 {
                guard offset != 0 else { continue }
                found.values.append(
                    Directory.Value(
                        field: position + 8, offset: offset, length: count * size, type: type))
            } else if count == 1, type == 4 || type == 13 {
                found.numbers.append(position + 8)
            }
        }
        return found
    }

    private mutating func addOffsets(of directory: Directory, depth: Int) {
        guard followed.count < 64, followed.insert(directory.start).inserted else { return }
        offsets.formUnion(directory.values.map(\.field))
        guard depth < 3 else { return }
        for field in directory.numbers {
            guard let offset = number(field, 4, isBigEndian), offset - base >= directory.end,
                offset - base < bytes.count
            else { continue }
            if followed.contains(offset - base) {
                offsets.insert(field)
                continue
            }
            guard let child = readCandidateDirectory(at: offset - base),
                child.values.allSatisfy({ isInside($0, from: 0, to: bytes.count) }),
                offsets.insert(field).inserted
            else { continue }
            addOffsets(of: child, depth: depth + 1)
        }
        // Olympus stores directories as bytes, and Ricoh after a signature.
        for value in directory.values where value.type == 7 {
            let start = value.offset - base
            for length in [0, 20] where !followed.contains(start + length) {
                guard let child = readCandidateDirectory(at: start + length),
                    child.values.allSatisfy({ isInside($0, from: start, to: start + value.length) })
                else { continue }
                addOffsets(of: child, depth: depth + 1)
            }
        }
    }

    /// Reads a possible directory, at most ``maximumAttempts`` times. A small note may contain many of them, because
    /// directories may overlap.
    private mutating func readCandidateDirectory(at start: Int) -> Directory? {
        guard attempts < Self.maximumAttempts else { return nil }
        attempts += 1
        return directory(at: start, isBigEndian)
    }

    /// Whether a value with an offset relative to the block lies in a part of the note.
    private func isInside(_ value: Directory.Value, from start: Int, to end: Int) -> Bool {
        value.offset - base >= start && value.offset - base + value.length <= end
    }

    private func number(_ position: Int, _ length: Int, _ isBigEndian: Bool) -> Int? {
        bytes.number(at: position, bytes: length, bigEndian: isBigEndian)
    }
}
