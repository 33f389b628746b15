// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc
import Synchronization

/// Files that are mapped already: one picture may be the base, the original whose metadata is kept, and what an extension reads,
/// and a file of gigabytes has room in the address space but once or twice.
enum MappedFiles {
    private struct Key: Hashable {
        let device: dev_t
        let inode: ino_t
        let length: Int
    }

    /// `Sendable`: it is only reached under the lock.
    private struct Entry {
        weak var bytes: Bytes?
    }

    private static let known = Mutex<[Key: Entry]>([:])

    /// A file's bytes, mapped for reading; nil with `errno` set where that fails.
    static func bytes(of file: OpenFile, length: Int) -> Bytes? {
        guard let status = try? file.systemStatus() else {
            return Bytes(mapping: file, length: length)
        }
        let key = Key(device: status.st_dev, inode: status.st_ino, length: length)
        return known.withLock { known in
            if let bytes = known[key]?.bytes { return bytes }
            guard let bytes = Bytes(mapping: file, length: length) else { return nil }
            // Entries of files that are gone go with the next one.
            known = known.filter { $0.value.bytes != nil }
            known[key] = Entry(bytes: bytes)
            return bytes
        }
    }
}
