// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

extension NewFile {
    /// Writes bytes to a place, if the file there is as it was read, or if there was none and there still is none.
    ///
    /// The new file gets the mode and, if permitted, the owner of the old one.
    ///
    /// - Parameters:
    ///   - path: The path in messages.
    ///   - old: The file as it was read; `nil` if there was none.
    ///   - willWrite: Called when the new file is complete, before the old one is replaced.
    /// - Returns: Whether the file was written. If not, another program has changed the old one.
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`; errors of `willWrite`. No file is changed then.
    package static func write(
        _ place: Folder.Place, _ path: String, with bytes: OpenFile, replacing old: FileSnapshot?,
        willWrite: () throws -> Void = {}
    ) throws -> Bool {
        let file = try UnnamedFile(in: place.folder) { file in
            try copy(bytes, to: file)
            if let old { file.takeAccess(from: old.status) }
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
}
