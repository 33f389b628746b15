// SPDX-License-Identifier: Apache-2.0

extension ExifBlock {
    /// Applies changes to tags. A value that fits replaces the old one in place. Longer values, and directories with
    /// new entries, are appended to the block. All other data keeps its bytes and offsets; unused bytes are zeroed.
    ///
    /// - Returns: False if the block cannot be changed. It must not be used after that.
    mutating func apply(_ changes: ExifChanges) -> Bool {
        var main = changes.main
        for (pointer, subdirectory) in [
            (ExifTag.exifDirectory, changes.exif), (ExifTag.gpsDirectory, changes.gps),
        ] where !subdirectory.isEmpty {
            guard let directory = first?.entry(pointer).flatMap(directory(of:)) else {
                if subdirectory.written.isEmpty { continue }
                let position = appendDirectory([], subdirectory.written, next: 0)
                main.written.append(TIFFTag(pointer, long: position))
                continue
            }
            let old = directory.range.lowerBound
            guard let new = change(subdirectory, at: old) else { return false }
            if self.directory(at: new)?.entries.isEmpty ?? true {
                main.removed.insert(pointer)
            } else if new != old {
                main.written.append(TIFFTag(pointer, long: new))
            }
        }
        guard let old = number(4, 4), let new = change(main, at: old) else { return false }
        write(new, 4, at: 4)
        return isWhole
    }

    /// Applies the changes to a directory. Returns its offset, which is different if the directory has grown.
    private mutating func change(_ changes: ExifChanges.Directory, at offset: Int) -> Int? {
        for tag in changes.removed.sorted() { removeAll(tag, at: offset) }
        var added: [TIFFTag] = []
        for tag in changes.written {
            guard let directory = directory(at: offset) else { return nil }
            if let entry = directory.entry(tag.tag) {
                replace(entry, by: tag)
            } else {
                added.append(tag)
            }
        }
        guard let directory = directory(at: offset) else { return nil }
        guard !added.isEmpty else { return offset }
        let entries = directory.entries.map {
            TIFFWriter.Entry(tag: $0.tag, bytes: Array(bytes[$0.range]))
        }
        return appendDirectory(entries, added, next: number(directory.link, 4) ?? 0)
    }

    /// Removes all entries of a tag, because programs read different ones of the duplicates.
    private mutating func removeAll(_ tag: Int, at offset: Int) {
        for _ in 0..<Self.maximumRepeats {
            guard let directory = directory(at: offset), let entry = directory.entry(tag) else {
                return
            }
            let old = range(of: entry)
            remove(entry, from: directory)
            if let old, old.upperBound <= bytes.count, isUsed(old, times: 0) { clear(old) }
        }
    }

    private static let maximumRepeats = 16

    private mutating func replace(_ entry: Entry, by tag: TIFFTag) {
        let value = tag.value(bigEndian: isBigEndian)
        let old = range(of: entry).flatMap { range in
            range.upperBound <= bytes.count && isUsed(range, times: 1) ? range : nil
        }
        write(tag.type, 2, at: entry.position - 6)
        write(tag.count, 4, at: entry.position - 4)
        if value.count <= 4 {
            if let old { clear(old) }
            put(value + [UInt8](repeating: 0, count: 4 - value.count), at: entry.position)
        } else if let old, old.count >= value.count {
            clear(old)
            put(value, at: old.lowerBound)
            write(old.lowerBound, 4, at: entry.position)
        } else {
            if let old { clear(old) }
            write(append(value), 4, at: entry.position)
        }
    }

    /// Appends a directory of existing entries and new tags. Returns its offset.
    private mutating func appendDirectory(
        _ entries: [TIFFWriter.Entry], _ added: [TIFFTag], next: Int
    ) -> Int {
        var writer = TIFFWriter(start: bytes.count + bytes.count % 2, isBigEndian: isBigEndian)
        let offset = writer.directory(entries + added.map { writer.entry($0) }, next: next)
        _ = append(writer.bytes)
        return offset
    }

    // MARK: - Bytes

    /// Whether at most this many values and directories overlap a range.
    private func isUsed(_ range: Range<Int>, times: Int) -> Bool {
        guard let first else { return false }
        return used(by: first).count { $0.overlaps(range) } <= times
    }

    private mutating func clear(_ range: Range<Int>) {
        bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
    }

    private mutating func put(_ value: [UInt8], at position: Int) {
        bytes.replaceSubrange(position..<position + value.count, with: value)
    }

    /// Appends a value and returns its offset.
    private mutating func append(_ value: [UInt8]) -> Int {
        if bytes.count % 2 == 1 { bytes.append(0) }
        bytes += value
        return bytes.count - value.count
    }
}
