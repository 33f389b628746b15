// SPDX-License-Identifier: Apache-2.0

/// Writes the content identifier of a Live Photo into an Apple maker note.
///
/// The note consists of `Apple iOS`, two zeros and a 1, a byte order mark, and a TIFF directory. Offsets are relative
/// to the start of the note (as ExifTool's `Apple.pm` reads it), so the note can be moved.
struct AppleNoteEditor {
    private var bytes: [UInt8]
    private let isBigEndian: Bool

    private static let mark = Array("Apple iOS\0".utf8)
    private static let countOffset = 14
    private static let entriesOffset = 16
    private static let entryLength = 12

    /// Creates a note that contains only an identifier. With a UUID, it has 69 bytes.
    static func note(contentIdentifier: String) -> [UInt8] {
        var editor = AppleNoteEditor(
            bytes: mark + [0, 1] + Array("MM".utf8) + [0, 0, 0, 0, 0, 0], isBigEndian: true)
        editor.insertEntry(text: contentIdentifier)
        return editor.bytes
    }

    /// Returns a note with another identifier or without one. All other data of the note is kept.
    ///
    /// - Parameter identifier: The identifier in ASCII; `nil` to remove it.
    /// - Returns: The note, or `nil` if it is truncated or from another maker.
    static func note(_ note: [UInt8], contentIdentifier identifier: String?) -> [UInt8]? {
        guard var editor = AppleNoteEditor(note) else { return nil }
        guard editor.setContentIdentifier(identifier) else { return nil }
        return editor.bytes
    }

    private init(bytes: [UInt8], isBigEndian: Bool) {
        (self.bytes, self.isBigEndian) = (bytes, isBigEndian)
    }

    private init?(_ note: [UInt8]) {
        guard note.starts(with: Self.mark), note.count >= Self.entriesOffset else { return nil }
        switch Array(note[12..<14]) {
        case Array("MM".utf8): isBigEndian = true
        case Array("II".utf8): isBigEndian = false
        default: return nil
        }
        bytes = note
        guard Self.entriesOffset + count * Self.entryLength <= bytes.count else { return nil }
    }

    // MARK: - Entries

    private var count: Int { number(Self.countOffset, 2) }

    /// The offsets of the entries, in order.
    private var entries: [Int] { (0..<count).map { Self.entriesOffset + $0 * Self.entryLength } }

    private mutating func setContentIdentifier(_ identifier: String?) -> Bool {
        let found = entries.filter { number($0, 2) == AppleNoteTag.contentIdentifier }
        guard let identifier else {
            for entry in found.reversed() {
                clearValue(of: entry)
                guard removeEntry(at: entry) else { return false }
            }
            return true
        }
        guard let entry = found.first else { return insertEntry(text: identifier) }
        let value = Self.value(identifier)
        if let old = valueRange(of: entry), old.count >= value.count, number(entry + 2, 2) == 2 {
            clear(old)
            bytes.replaceSubrange(old.lowerBound..<old.lowerBound + value.count, with: value)
            write(value.count, 4, at: entry + 4)
            return true
        }
        clearValue(of: entry)
        write(2, 2, at: entry + 2)
        write(value.count, 4, at: entry + 4)
        put(value, at: entry + 8)
        return true
    }

    /// Inserts an entry in the order of the tags. The values after it are moved, and their offsets are updated.
    @discardableResult
    private mutating func insertEntry(text: String) -> Bool {
        let position =
            entries.first { number($0, 2) > AppleNoteTag.contentIdentifier }
            ?? Self.entriesOffset + count * Self.entryLength
        guard count < 0xFFFF, moveValues(after: position, by: Self.entryLength) else {
            return false
        }
        bytes.insert(contentsOf: [UInt8](repeating: 0, count: Self.entryLength), at: position)
        write(count + 1, 2, at: Self.countOffset)
        write(AppleNoteTag.contentIdentifier, 2, at: position)
        write(2, 2, at: position + 2)
        let value = Self.value(text)
        write(value.count, 4, at: position + 4)
        put(value, at: position + 8)
        return true
    }

    private mutating func removeEntry(at entry: Int) -> Bool {
        guard moveValues(after: entry + Self.entryLength, by: -Self.entryLength) else {
            return false
        }
        bytes.removeSubrange(entry..<entry + Self.entryLength)
        write(count - 1, 2, at: Self.countOffset)
        return true
    }

    /// - Returns: False if an offset points into the entries or would overflow.
    private mutating func moveValues(after position: Int, by distance: Int) -> Bool {
        let end = Self.entriesOffset + count * Self.entryLength
        for entry in entries {
            guard let length = valueLength(of: entry), length > 4 else { continue }
            let offset = number(entry + 8, 4)
            // Offsets outside the note are kept, because the data there is not moved.
            guard offset < bytes.count else { continue }
            guard offset >= end, offset + distance <= 0xFFFF_FFFF else { return false }
            write(offset + distance, 4, at: entry + 8)
        }
        return true
    }

    // MARK: - Values

    private static func value(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

    private func valueLength(of entry: Int) -> Int? {
        // The length of a value is unknown if its type is.
        TIFFReader.size(ofType: number(entry + 2, 2)).map { $0 * number(entry + 4, 4) }
    }

    /// Returns the range of a value stored outside its entry; `nil` if it overlaps the entries or another value.
    private func valueRange(of entry: Int) -> Range<Int>? {
        let offset = number(entry + 8, 4)
        guard let length = valueLength(of: entry), length > 4, offset <= bytes.count,
            length <= bytes.count - offset,
            offset >= Self.entriesOffset + count * Self.entryLength
        else { return nil }
        let range = offset..<offset + length
        // Another entry may share the bytes.
        let others = entries.filter { $0 != entry }
        return others.contains { isUsed(range, by: $0) } ? nil : range
    }

    private func isUsed(_ range: Range<Int>, by entry: Int) -> Bool {
        guard let length = valueLength(of: entry), length > 4 else { return false }
        let offset = number(entry + 8, 4)
        return offset < range.upperBound && offset + length > range.lowerBound
    }

    private mutating func clearValue(of entry: Int) {
        if let old = valueRange(of: entry) { clear(old) }
    }

    private mutating func clear(_ range: Range<Int>) {
        bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
    }

    /// Writes a value into its entry if it fits, and otherwise at the end of the note.
    private mutating func put(_ value: [UInt8], at field: Int) {
        guard value.count > 4 else {
            bytes.replaceSubrange(
                field..<field + 4, with: value + [UInt8](repeating: 0, count: 4 - value.count))
            return
        }
        write(bytes.count, 4, at: field)
        bytes += value
    }

    // MARK: - Numbers

    private func number(_ offset: Int, _ length: Int) -> Int {
        bytes.number(at: offset, bytes: length, bigEndian: isBigEndian) ?? 0
    }

    private mutating func write(_ number: Int, _ length: Int, at offset: Int) {
        bytes.set(number, bytes: length, at: offset, bigEndian: isBigEndian)
    }
}
