// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An untrusted open folder, closed when it is deinitialised.
///
/// A library may have been written by anyone. Its files are therefore opened relative to the descriptor of its folder,
/// one path component at a time, and links are never followed. The target must be a regular file or a folder on the
/// same file system; otherwise the call throws a `SystemError` that describes it. No call blocks, as opening a pipe
/// would. Paths are used for messages only. See docs/design/decisions/0015-untrusted-folders.md.
package final class Folder: Sendable {
    private let file: OpenFile
    private let device: dev_t

    /// The path that was opened, for messages.
    package var path: String { file.path }
    /// The file descriptor, valid for the lifetime of this object.
    package var descriptor: CInt { file.descriptor }

    /// Opens a root folder. Links in the path are followed.
    package init(root path: String) throws(SystemError) {
        file = try OpenFile(path, O_RDONLY | O_DIRECTORY)
        device = try file.systemStatus().st_dev
    }

    /// Opens a root folder for writing or for accessing known names. Links in the path are followed.
    ///
    /// The folder need not be readable. Its names cannot be listed, and it cannot be locked.
    package init(writing path: String) throws(SystemError) {
        file = try OpenFile(path, Self.pathOnly | O_DIRECTORY)
        device = try file.systemStatus().st_dev
    }

    /// `O_PATH`, which the Glibc module omits.
    static let pathOnly: CInt = 0o10_000_000

    init(_ file: OpenFile, device: dev_t) {
        self.file = file
        self.device = device
    }

    // MARK: - Looking

    /// Returns the status of the folder itself.
    package func status() throws(SystemError) -> stat { try file.systemStatus() }

    /// Returns the status of a name without following a link; `nil` if it does not exist.
    package func status(_ name: String) throws(SystemError) -> stat? {
        try Self.check(name)
        var status = stat()
        if name.withPath({ fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 {
            return status
        }
        guard errno == ENOENT else { throw SystemError("fstatat") }
        return nil
    }

    /// A directory entry.
    package struct Entry: Hashable {
        package let name: String
        package let kind: FileKind
    }

    /// Returns the entries of the folder sorted by name, without `.` and `..`.
    package func entries() throws(SystemError) -> [Entry] { try entries(atMost: .max) ?? [] }

    /// Returns the entries of the folder sorted by name, without `.` and `..`; `nil` if there are more than a number.
    package func entries(atMost limit: Int) throws(SystemError) -> [Entry]? {
        let copy = retrying { openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard copy >= 0 else { throw SystemError("openat") }
        guard let folder = fdopendir(copy) else {
            defer { close(copy) }
            throw SystemError("fdopendir")
        }
        defer { closedir(folder) }
        var entries: [Entry] = []
        errno = 0
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(pathBytes: bytes.prefix { $0 != 0 })
            }
            if name != ".", name != ".." {
                guard entries.count < limit else { return nil }
                entries.append(
                    Entry(name: name, kind: try kind(of: name, entry.pointee.d_type)))
            }
            errno = 0
        }
        guard errno == 0 else { throw SystemError("readdir") }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Falls back to the file status, since not every file system reports the kind of an entry.
    private func kind(of name: String, _ type: UInt8) throws(SystemError) -> FileKind {
        if let kind = FileKind(entryType: type) { return kind }
        guard let status = try status(name) else { return .unknown }
        return FileKind(status)
    }

    /// Returns the sorted names in the folder, without `.` and `..`.
    package func names() throws(SystemError) -> [String] { try entries().map(\.name) }

    /// `true` if this process may create and delete names in the folder.
    package var isWritable: Bool { faccessat(descriptor, ".", W_OK, 0) == 0 }

    /// The free and total space in bytes; see ``OpenFile/space``.
    package var space: (free: Int, total: Int)? { file.space }

    // MARK: - Opening

    /// Opens a subfolder.
    package func folder(_ name: String) throws(SystemError) -> Folder {
        let file = try open(name, O_RDONLY | O_DIRECTORY, expecting: .folder)
        return Folder(file, device: device)
    }

    /// Opens a subfolder; returns `nil` if it does not exist.
    package func folderIfPresent(_ name: String) throws(SystemError) -> Folder? {
        do {
            return try folder(name)
        } catch {
            guard error.number == ENOENT else { throw error }
            return nil
        }
    }

    /// Opens a regular file.
    ///
    /// - Parameter flags: The flags of `open(2)`; they may include `O_CREAT`.
    package func file(_ name: String, _ flags: CInt, mode: mode_t = 0) throws(SystemError)
        -> OpenFile
    {
        try open(name, flags, mode: mode, expecting: .regularFile)
    }

    private func open(
        _ name: String, _ flags: CInt, mode: mode_t = 0, expecting kind: FileKind
    ) throws(SystemError) -> OpenFile {
        // Opening a device can have side effects, so the kind is checked first.
        if let status = try status(name) { try require(kind, status, name) }
        let flags = flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let descriptor = name.withPath { path in
            retrying { openat(self.descriptor, path, flags, mode) }
        }
        guard descriptor >= 0 else { throw SystemError("openat") }
        let file = OpenFile(descriptor: descriptor, path: path + "/" + name)
        try require(kind, try file.systemStatus(), name)
        return file
    }

    /// Throws an error unless the status is of the expected kind, on this file system.
    package func require(_ kind: FileKind, _ status: stat, _ name: String) throws(SystemError) {
        var found = FileKind(status)
        if found == .folder, status.st_dev != device { found = .otherFileSystem }
        if found == kind { return }
        throw SystemError(
            UnexpectedFileKind(path: path + "/" + name, kind: found, expected: kind))
    }

    // MARK: - Making

    /// Creates and opens a folder that must not exist yet.
    package func makeFolder(_ name: String, mode: mode_t = 0o777) throws(SystemError) -> Folder {
        try Self.check(name)
        guard name.withPath({ mkdirat(descriptor, $0, mode) }) == 0 else {
            throw SystemError("mkdirat")
        }
        return try folder(name)
    }

    /// Opens a folder, creating it if it does not exist.
    @discardableResult
    package func makeFolderIfNeeded(_ name: String) throws(SystemError) -> Folder {
        try Self.check(name)
        guard name.withPath({ mkdirat(descriptor, $0, 0o777) }) == 0 || errno == EEXIST else {
            throw SystemError("mkdirat")
        }
        return try folder(name)
    }

    /// Creates a file that must not exist yet, for reading and writing.
    package func makeFile(_ name: String, mode: mode_t) throws(SystemError) -> OpenFile {
        try Self.check(name)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = name.withPath { path in
            retrying { openat(self.descriptor, path, flags, mode) }
        }
        guard descriptor >= 0 else { throw SystemError("openat") }
        return OpenFile(descriptor: descriptor, path: path + "/" + name)
    }

    // MARK: - Names

    /// Adds a hard link to a file under a name that must not exist yet.
    package func link(_ name: String, in folder: Folder, as other: String) throws(SystemError) {
        try Self.check(name)
        try Self.check(other)
        let result = name.withPath { name in
            other.withPath { linkat(descriptor, name, folder.descriptor, $0, 0) }
        }
        guard result == 0 else { throw SystemError("linkat") }
    }

    /// Renames a file or folder, replacing a file at the new name.
    package func move(_ name: String, to folder: Folder, as other: String) throws(SystemError) {
        try Self.check(name)
        try Self.check(other)
        let result = name.withPath { name in
            other.withPath { renameat(descriptor, name, folder.descriptor, $0) }
        }
        guard result == 0 else { throw SystemError("renameat") }
    }

    /// Deletes a name other than a folder's. A missing name is not an error.
    package func removeFile(_ name: String) throws(SystemError) {
        try Self.check(name)
        guard name.withPath({ unlinkat(descriptor, $0, 0) }) == 0 || errno == ENOENT else {
            throw SystemError("unlinkat")
        }
    }

    /// Deletes a folder unless it has entries.
    package func removeFolderIfEmpty(_ name: String) throws(SystemError) {
        try Self.check(name)
        guard
            name.withPath({ unlinkat(descriptor, $0, AT_REMOVEDIR) }) == 0
                || [ENOENT, ENOTEMPTY, EEXIST].contains(errno)
        else { throw SystemError("unlinkat") }
    }

    /// Flushes the folder's entries to disk. A folder that was opened for known names is opened again, because only a
    /// readable descriptor can be flushed.
    package func synchronize() throws(SystemError) {
        do {
            try file.synchronize()
        } catch {
            guard error.number == EBADF else { throw error }
            let copy = retrying { openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
            guard copy >= 0 else { throw SystemError("openat") }
            try OpenFile(descriptor: copy, path: path).synchronize()
        }
    }

    /// Acquires an advisory lock on the folder itself; see ``OpenFile/lock(exclusively:waiting:)``.
    package func lock(exclusively: Bool, waiting seconds: Double) throws(SystemError) -> Bool {
        try file.lock(exclusively: exclusively, waiting: seconds)
    }

    /// Rejects names that could refer to a file outside this folder.
    static func check(_ name: String) throws(SystemError) {
        guard !name.isEmpty, name != ".", name != "..",
            !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
        else { throw SystemError("a name with several components", number: EINVAL) }
    }
}
