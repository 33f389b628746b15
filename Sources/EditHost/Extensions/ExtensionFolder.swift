// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The folder of an extension, opened once. Its path may be a link; of what lies in it, only
/// regular files are opened, and no link is followed, so that nothing there can lead out of it or
/// make the host wait.
struct ExtensionFolder {
    let path: String
    private let folder: OwnedDescriptor

    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`.
    init(_ path: String) throws {
        self.path = path
        folder = try OwnedDescriptor(readingFile: path, flags: O_DIRECTORY)
    }

    /// Opens a file of the folder read only.
    ///
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`, naming the path.
    func file(_ name: String) throws -> OwnedDescriptor {
        let full = "\(path)/\(name)"
        guard Self.isName(name) else {
            throw HostError(.fileFailed, "\(full) is not a file of the extension's folder")
        }
        var status = stat()
        guard fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw OwnedDescriptor.failure("cannot be found", path: full)
        }
        // Opening a device may do something already.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw HostError(.fileFailed, "\(full) is not a regular file")
        }
        let number = openat(
            folder.number, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else {
            throw OwnedDescriptor.failure("cannot be opened", path: full)
        }
        let file = OwnedDescriptor(taking: number)
        try file.requireRegularFile(full)
        return file
    }

    /// Whether a name is that of something in the folder itself.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(UInt8(ascii: "/"))
            && !name.utf8.contains(0)
    }
}

extension OwnedDescriptor {
    /// Opens a regular file read only, and never waits: not for the other end of a FIFO.
    ///
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`, naming the path.
    convenience init(regularFile path: String) throws {
        try self.init(readingFile: path, flags: O_NONBLOCK)
        try requireRegularFile(path)
    }

    /// - Throws: `HostError` with `fileFailed`, naming the path.
    fileprivate func requireRegularFile(_ path: String) throws {
        var status = stat()
        guard fstat(number, &status) == 0 else {
            throw Self.failure("cannot be examined", path: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw HostError(.fileFailed, "\(path) is not a regular file")
        }
    }
}
