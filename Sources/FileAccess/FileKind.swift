// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What a name in a folder stands for; the raw value is for messages.
package enum FileKind: String, Hashable, Sendable {
    case regularFile = "a regular file"
    case folder = "a folder"
    case link = "a symbolic link"
    case pipe = "a named pipe"
    case socket = "a socket"
    case device = "a device"
    /// A folder on which another file system is mounted.
    case otherFileSystem = "a folder of another file system"
    case unknown = "something unknown"

    /// The kind by a file's status.
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

    /// The kind by an entry of a folder; nil where the file system does not say.
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

    /// Whether this is neither a regular file nor a folder.
    package var isForeign: Bool { self != .regularFile && self != .folder }
}

/// Something that lies in a folder where something else belongs.
package struct MisplacedFile: Hashable, Sendable {
    package let path: String
    package let kind: FileKind
    package let expected: FileKind
}

extension stat {
    /// Whether this is a folder.
    package var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
    /// Whether this is a regular file.
    package var isPlainFile: Bool { st_mode & S_IFMT == S_IFREG }
    /// The permission bits.
    package var permissions: mode_t { st_mode & 0o7777 }
    /// Whether the file has another name elsewhere, by which what is written to it is seen too.
    package var hasOtherNames: Bool { st_nlink > 1 }

    /// The status of what a path names, not following a link; nil where there
    /// is nothing.
    package static func ofPath(_ path: String) throws(SystemError) -> stat? {
        var status = stat()
        if path.withPath({ lstat($0, &status) }) == 0 { return status }
        guard errno == ENOENT || errno == ENOTDIR else { throw SystemError("lstat") }
        return nil
    }

    /// Whether two are of one file.
    package func isSameFile(as other: stat) -> Bool {
        st_dev == other.st_dev && st_ino == other.st_ino
    }
}
