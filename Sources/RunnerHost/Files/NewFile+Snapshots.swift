// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

extension NewFile {
    /// Writes bytes to a place, if the file there is as it was read, or if there was none and there still is none.
    ///
    /// A file that replaces another gets its mode and extended attributes, such as tags and access control lists, and
    /// its owner, if permitted. A new file is not readable by more users
    /// than the file that it describes.
    ///
    /// - Parameters:
    ///   - path: The path in messages.
    ///   - old: The file as it was read; `nil` if there was none.
    ///   - described: The file that the new one describes.
    ///   - willWrite: Called when the new file is complete, before the old one is replaced.
    /// - Returns: Whether the file was written. If not, another program has changed the old one.
    /// - Throws: `HostError` with `fileFailed`; errors of `willWrite`. No file is changed then.
    package static func write(
        _ place: Folder.Place, _ path: String, with bytes: OpenFile, replacing old: FileSnapshot?,
        beside described: OpenFile, willWrite: () throws -> Void = {}
    ) throws -> Bool {
        let prefix = old == nil ? UnnamedFile.prefix : UnnamedFile.replacingPrefix
        let file = try UnnamedFile(in: place.folder, prefix: prefix) { file in
            try copy(bytes, to: file)
            if let old {
                // If the file has been removed, the new one is not written.
                let present = try? place.folder.file(place.name, O_RDONLY)
                file.takeAccess(from: present, old.status)
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

extension OpenFile {
    /// Takes over the owner, the extended attributes and the mode of another file, best effort: only root may change
    /// owners. No user gets more permissions than before.
    fileprivate func takeAccess(from old: OpenFile?, _ status: stat) {
        if fchown(descriptor, status.st_uid, status.st_gid) != 0 {
            // A group of the user may be set.
            _ = fchown(descriptor, .max, status.st_gid)
        }
        let hasSameList = old.map(takeAttributes) ?? false
        // Last, because a change of the owner clears some bits, and an access control list changes others.
        _ = fchmod(descriptor, permissions(of: status, hasSameList: hasSameList))
    }

    /// Takes over extended attributes, best effort.
    ///
    /// - Returns: Whether both files have the same access control list, or none.
    private func takeAttributes(from old: OpenFile) -> Bool {
        // The folder may have a default list, which the old file does not have.
        removeAttribute(Self.accessListName)
        var hasSameList = true
        for name in old.attributeNames where Self.isCopied(name) {
            let isCopied = old.attribute(name).map { setAttribute(name, to: $0) } ?? false
            if name == Self.accessListName { hasSameList = isCopied }
        }
        return hasSameList
    }

    /// Other attributes of these groups describe the content, or belong to the file system.
    private static func isCopied(_ name: String) -> Bool {
        ["user.", "system."].contains(where: name.hasPrefix) || name == "security.selinux"
    }

    /// Returns the permissions of another file. The members of its group keep only what all users have if this file has
    /// another group or another access control list, which changes the meaning of these bits.
    private func permissions(of other: stat, hasSameList: Bool) -> mode_t {
        let mode = other.st_mode & 0o7777
        if hasSameList, (try? systemStatus())?.st_gid == other.st_gid { return mode }
        return mode & ~0o070 | mode & (mode & 0o007) << 3
    }

    /// Removes the permissions that another file does not give, best effort: FAT file systems have none. The owner can
    /// always read and write the file.
    fileprivate func limitAccess(to other: OpenFile) throws(SystemError) {
        let hasList = other.attribute(Self.accessListName) != nil
        let mode = permissions(of: try other.systemStatus(), hasSameList: !hasList)
        _ = fchmod(descriptor, try systemStatus().st_mode & (mode & 0o777 | 0o600))
    }
}
