// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

@testable import Library

/// Path-based operations on folders and files for tests. Each call throws `SystemError`.
enum Folders {
    /// Makes a folder that must not yet exist.
    static func make(_ path: String, mode: mode_t = 0o777) throws(SystemError) {
        guard mkdir(path, mode) == 0 else { throw SystemError("mkdir") }
    }

    /// Makes a folder if it does not exist. Returns whether it was made.
    @discardableResult
    static func makeIfNeeded(_ path: String) throws(SystemError) -> Bool {
        if mkdir(path, 0o777) == 0 { return true }
        guard errno == EEXIST else { throw SystemError("mkdir") }
        return false
    }

    /// Synchronizes a folder's entries to the disk.
    static func synchronize(_ path: String) throws(SystemError) {
        try OpenFile(path, O_RDONLY | O_DIRECTORY).synchronize()
    }

    /// The names in a folder, without `.` and `..`, sorted.
    static func names(in path: String) throws(SystemError) -> [String] {
        guard let folder = opendir(path) else { throw SystemError("opendir") }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The status of the item at a path, without following links, or nil if it does not exist.
    static func status(_ path: String) throws(SystemError) -> stat? {
        try stat.ofPath(path)
    }

    /// Removes a file if it exists.
    static func removeFile(_ path: String) throws(SystemError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("unlink") }
    }

    /// Removes a folder with its contents, if it exists.
    static func removeTree(_ path: String) throws(SystemError) {
        guard let status = try status(path) else { return }
        guard status.isFolder else { return try removeFile(path) }
        for name in try names(in: path) { try removeTree(path + "/" + name) }
        guard rmdir(path) == 0 || errno == ENOENT else { throw SystemError("rmdir") }
    }
}
