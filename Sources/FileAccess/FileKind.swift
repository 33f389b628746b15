// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The type of a directory entry. The raw value is a description for messages.
package enum FileKind: String, Hashable, Sendable {
    case regularFile = "a regular file"
    case folder = "a folder"
    case link = "a symbolic link"
    case pipe = "a named pipe"
    case socket = "a socket"
    case device = "a device"
    /// A mount point of another file system.
    case otherFileSystem = "a folder on another file system"
    case unknown = "something unknown"

    /// Creates the kind from a file status.
    package init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .regularFile
        case S_IFDIR: self = .folder
        case S_IFLNK: self = .link
        case S_IFIFO: self = .pipe
        case S_IFSOCK: self = .socket
        case S_IFCHR, S_IFBLK: self = .device
        default: self = .unknown
        }
    }

    /// Creates the kind from the `d_type` of a directory entry; `nil` if the file system does not report it.
    package init?(entryType: UInt8) {
        switch Int(entryType) {
        case Int(DT_REG): self = .regularFile
        case Int(DT_DIR): self = .folder
        case Int(DT_LNK): self = .link
        case Int(DT_FIFO): self = .pipe
        case Int(DT_SOCK): self = .socket
        case Int(DT_CHR), Int(DT_BLK): self = .device
        default: return nil
        }
    }

    /// `true` for anything but a regular file or a folder.
    package var isForeign: Bool { self != .regularFile && self != .folder }
}

extension stat {
    /// `true` for a folder.
    package var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
    /// `true` for a regular file.
    package var isPlainFile: Bool { st_mode & S_IFMT == S_IFREG }
    /// The permission bits.
    package var permissions: mode_t { st_mode & 0o7777 }
    /// `true` if the file has other hard links, through which a write is visible too.
    package var hasOtherNames: Bool { st_nlink > 1 }

    /// Returns the status of a path without following a link; `nil` if nothing exists there.
    package static func ofPath(_ path: String) throws(SystemError) -> stat? {
        var status = stat()
        if path.withPath({ lstat($0, &status) }) == 0 { return status }
        guard errno == ENOENT || errno == ENOTDIR else { throw SystemError("lstat") }
        return nil
    }

    /// Returns whether both statuses refer to the same file.
    package func isSameFile(as other: stat) -> Bool {
        st_dev == other.st_dev && st_ino == other.st_ino
    }
}
