// SPDX-License-Identifier: Apache-2.0

extension TIFFReader {
    /// Returns the tags of a directory in order, except empty ones and pointers to other directories. At most a
    /// megabyte is read, even if many tags share their bytes.
    func tags(in directory: Directory) -> [TIFFTag] {
        var room = 1 << 20
        return directory.entries.sorted { $0.key < $1.key }.compactMap { tag, entry in
            guard entry.count > 0, entry.count <= room,
                TIFFTag.wordLength(ofType: entry.type) != nil,
                let raw = raw(tag, in: directory), raw.count <= room
            else { return nil }
            room -= raw.count
            return TIFFTag(
                tag: tag, type: entry.type, count: entry.count, value: raw, bigEndian: isBigEndian)
        }
    }
}
