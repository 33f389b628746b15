// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// The file `reserve`, which allocates disk space for emergencies.
///
/// On a full disk, even removing something needs a little space for SQLite's log. Operations that
/// free space can release this file first.
struct ReserveFile {
    /// The size of the file in bytes.
    static let size = 1 << 20

    /// The library's folder.
    let root: Folder

    /// Creates the file, unless it exists or space is scarce. Best effort: errors are ignored.
    func makeIfNeeded() {
        guard let free = root.space?.free, free > 16 * Self.size,
            let file = try? root.makeFile(LibraryName.reserve, mode: 0o600)
        else { return }
        if posix_fallocate(file.descriptor, 0, off_t(Self.size)) != 0 {
            try? root.removeFile(LibraryName.reserve)
        }
    }

    /// Removes the file. Returns whether it existed.
    func release() -> Bool {
        guard (try? root.status(LibraryName.reserve))??.isPlainFile == true else { return false }
        return (try? root.removeFile(LibraryName.reserve)) != nil
    }

    /// Removes the file if less space than its size is free.
    func releaseIfNeeded() {
        if let free = root.space?.free, free < Self.size { _ = release() }
    }
}
