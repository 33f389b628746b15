// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

extension BlobStore {
    /// Returns the number of bytes that copies leave free on a disk, for SQLite and other programs.
    static func spaceLeftFree(of total: Int) -> Int { min(64 << 20, total / 100) }

    /// Throws before anything is written if a copy would fill the disk.
    static func requireSpace(for source: OpenFile, in folder: Folder) throws {
        guard let space = folder.space else { return }
        let needed = try source.storedByteCount()
        guard needed > max(0, space.free - spaceLeftFree(of: space.total)) else { return }
        throw LibraryError(
            .cannotWrite,
            "not enough space for a copy of \(source.path): it needs \(needed) bytes, and "
                + "\(space.free) are free, of which \(spaceLeftFree(of: space.total)) are "
                + "kept in reserve; free some space",
            path: folder.path, underlying: SystemError("write", number: ENOSPC))
    }
}
