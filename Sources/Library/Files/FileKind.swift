// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What a name in a folder stands for; the raw value is for messages.
enum FileKind: String, Hashable, Sendable {
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
    init(_ status: stat) {
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
    init?(entryType: UInt8) {
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

    /// Whether a library never has this anywhere.
    var isForeign: Bool { self != .regularFile && self != .folder }
}

/// Something that lies in a library's folder where something else belongs.
struct MisplacedFile: Hashable, Sendable {
    let path: String
    let kind: FileKind
    let expected: FileKind
}

extension stat {
    /// Whether this is a folder.
    var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
    /// Whether this is a regular file.
    var isPlainFile: Bool { st_mode & S_IFMT == S_IFREG }
    /// The permission bits.
    var permissions: mode_t { st_mode & 0o7777 }
    /// Whether the file has another name elsewhere, by which what is written to it is seen too.
    var hasOtherNames: Bool { st_nlink > 1 }

    /// The status of what a path outside of a library names, not following a link; nil where there
    /// is nothing.
    static func ofPath(_ path: String) throws(SystemError) -> stat? {
        var status = stat()
        if lstat(path, &status) == 0 { return status }
        guard errno == ENOENT || errno == ENOTDIR else { throw SystemError("lstat") }
        return nil
    }

    /// Whether two are of one file.
    func isSameFile(as other: stat) -> Bool { st_dev == other.st_dev && st_ino == other.st_ino }
}
