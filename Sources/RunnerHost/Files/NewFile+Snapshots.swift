// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

extension NewFile {
    /// Writes bytes to a place, if the file there is as it was read, or if there was none and there still is none.
    ///
    /// A file that replaces another gets its mode and, if permitted, its owner. A new file is not readable by more users
    /// than the file that it describes.
    ///
    /// - Parameters:
    ///   - path: The path in messages.
    ///   - old: The file as it was read; `nil` if there was none.
    ///   - described: The file that the new one describes.
    ///   - willWrite: Called when the new file is complete, before the old one is replaced.
    /// - Returns: Whether the file was written. If not, another program has changed the old one.
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`; errors of `willWrite`. No file is changed then.
    package static func write(
        _ place: Folder.Place, _ path: String, with bytes: OpenFile, replacing old: FileSnapshot?,
        beside described: OpenFile, willWrite: () throws -> Void = {}
    ) throws -> Bool {
        let prefix = old == nil ? UnnamedFile.prefix : UnnamedFile.replacingPrefix
        let file = try UnnamedFile(in: place.folder, prefix: prefix) { file in
            try copy(bytes, to: file)
            if let old {
                file.takeAccess(from: old.status)
            } else {
                try file.limitAccess(to: described)
            }
            try file.synchronize()
        }
        do {
            try willWrite()
        } catch {
            file.remove()
            throw error
        }
        do {
            if let old {
                let isReplaced = try file.replace(place) { file throws(SystemError) in
                    try old.isUnchanged(file)
                }
                guard isReplaced else { return false }
            } else {
                defer { file.remove() }
                try file.name(place)
            }
            // Mounted object stores and network file systems may not support this.
            try? place.folder.synchronize()
            return true
        } catch {
            if old == nil, error.number == EEXIST { return false }
            throw HostError.file("cannot be written", path: path, error)
        }
    }
}

extension FileSnapshot {
    /// Whether the file must not be changed: it has no permission to write, or this process lacks it.
    package func isReadOnly(at place: Folder.Place) -> Bool {
        // Root may write each file, so the mode is examined too.
        status.st_mode & 0o222 == 0 || !place.isWritable
    }
}

extension OpenFile {
    /// Takes over the owner and the mode of another file, best effort: only root may change owners.
    fileprivate func takeAccess(from status: stat) {
        if fchown(descriptor, status.st_uid, status.st_gid) != 0 {
            // A group of the user may be set.
            _ = fchown(descriptor, .max, status.st_gid)
        }
        // After the owner, because a change of the owner clears some bits.
        _ = fchmod(descriptor, status.st_mode & 0o7777)
    }

    /// Removes the permissions that another file does not give, best effort: FAT file systems have none. The owner can
    /// always read and write the file.
    fileprivate func limitAccess(to other: OpenFile) throws(SystemError) {
        let (own, other) = (try systemStatus(), try other.systemStatus())
        var mode = other.st_mode & 0o777 | 0o600
        // The members of another group get what all users get.
        if own.st_gid != other.st_gid { mode &= ~0o070 | (mode & 0o007) << 3 }
        _ = fchmod(descriptor, own.st_mode & mode)
    }
}
