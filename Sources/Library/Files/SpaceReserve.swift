// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// The file `reserve`, which holds nothing but space on the disk.
///
/// Where the disk is full, even removing something needs a little space, for SQLite's log. Those
/// who free space may give this up first.
struct SpaceReserve {
    /// How many bytes are kept.
    static let size = 1 << 20

    /// The library's folder.
    let root: Folder

    /// Makes the file, unless it is there or space is scarce. Failing is harmless.
    func makeIfNeeded() {
        guard let free = freeSpace, free > 16 * Self.size,
            let file = try? root.makeFile(LibraryName.reserve, mode: 0o600)
        else { return }
        if posix_fallocate(file.descriptor, 0, off_t(Self.size)) != 0 {
            try? root.removeFile(LibraryName.reserve)
        }
    }

    /// Removes the file; tells whether it was there.
    func giveUp() -> Bool {
        guard (try? root.status(LibraryName.reserve))??.isPlainFile == true else { return false }
        return (try? root.removeFile(LibraryName.reserve)) != nil
    }

    /// Removes the file where less space than it holds is left.
    func giveUpIfNeeded() {
        if let free = freeSpace, free < Self.size { _ = giveUp() }
    }

    /// How many bytes can still be written; nil where the system does not say.
    private var freeSpace: Int? {
        var status = statvfs()
        guard fstatvfs(root.descriptor, &status) == 0 else { return nil }
        return Int(clamping: status.f_bavail) * Int(clamping: status.f_frsize)
    }
}
