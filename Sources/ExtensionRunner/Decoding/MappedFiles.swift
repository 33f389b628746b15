// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc
import ImageMetadata
import Synchronization

/// A cache of mapped files. One file may be the base, the source of metadata, and an extension's input. The address
/// space holds only one or two mappings of gigabytes.
enum MappedFiles {
    private struct Key: Hashable {
        let device: dev_t
        let inode: ino_t
        let length: Int
    }

    /// `Sendable`, because it is accessed only under the lock.
    private struct Entry {
        weak var bytes: Bytes?
    }

    private static let known = Mutex<[Key: Entry]>([:])

    /// Returns the bytes of a file, mapped for reading; `nil` with `errno` set on failure.
    static func bytes(of file: OpenFile, length: Int) -> Bytes? {
        guard let status = try? file.systemStatus() else {
            return Bytes(mapping: file, length: length)
        }
        let key = Key(device: status.st_dev, inode: status.st_ino, length: length)
        return known.withLock { known in
            if let bytes = known[key]?.bytes { return bytes }
            guard let bytes = Bytes(mapping: file, length: length) else { return nil }
            // Entries of released files are removed when the next one is added.
            known = known.filter { $0.value.bytes != nil }
            known[key] = Entry(bytes: bytes)
            return bytes
        }
    }
}
