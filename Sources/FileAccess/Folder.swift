// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An open folder that is not trusted, closed when the last reference goes.
///
/// A library may come from anybody. So its files are reached from the descriptor of its folder, one
/// name at a time, and no link is ever followed: what is opened is a regular file or a folder of
/// the same file system, or the call fails with a `SystemError` that says what is there instead.
/// Nothing here waits, as opening a pipe would. Paths are text for messages only.
/// See docs/design/decisions/0015-untrusted-folders.md.
package final class Folder: Sendable {
    private let file: OpenFile
    private let device: dev_t

    /// The path by which it was opened, for messages.
    package var path: String { file.path }
    /// The descriptor, valid as long as this object lives.
    package var descriptor: CInt { file.descriptor }

    /// Opens the outermost folder, to which the path may lead by links.
    package init(root path: String) throws(SystemError) {
        file = try OpenFile(path, O_RDONLY | O_DIRECTORY)
        device = try file.systemStatus().st_dev
    }

    /// Opens a folder, to which the path may lead by links, to write into it or to look at names that are known. It need not be
    /// readable: its names cannot be listed, and it cannot be locked.
    package init(writing path: String) throws(SystemError) {
        file = try OpenFile(path, Self.pathOnly | O_DIRECTORY)
        device = try file.systemStatus().st_dev
    }

    /// `O_PATH`, which Glibc's module leaves out.
    static let pathOnly: CInt = 0o10_000_000

    init(_ file: OpenFile, device: dev_t) {
        self.file = file
        self.device = device
    }

    // MARK: - Looking

    /// The folder's own status.
    package func status() throws(SystemError) -> stat { try file.systemStatus() }

    /// The status of what a name stands for, not following a link; nil where there is nothing.
    package func status(_ name: String) throws(SystemError) -> stat? {
        try Self.check(name)
        var status = stat()
        if name.withPath({ fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 {
            return status
        }
        guard errno == ENOENT else { throw SystemError("fstatat") }
        return nil
    }

    /// What lies in a folder under a name.
    package struct Entry: Hashable {
        package let name: String
        package let kind: FileKind
    }

    /// What lies in the folder, without `.` and `..`, by name.
    package func entries() throws(SystemError) -> [Entry] {
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
                entries.append(
                    Entry(name: name, kind: try kind(of: name, entry.pointee.d_type)))
            }
            errno = 0
        }
        guard errno == 0 else { throw SystemError("readdir") }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Not every file system says what an entry is.
    private func kind(of name: String, _ type: UInt8) throws(SystemError) -> FileKind {
        if let kind = FileKind(entryType: type) { return kind }
        guard let status = try status(name) else { return .unknown }
        return FileKind(status)
    }

    /// The names in the folder, without `.` and `..`, sorted.
    package func names() throws(SystemError) -> [String] { try entries().map(\.name) }

    /// Whether this process may make and remove names in the folder.
    package var isWritable: Bool { faccessat(descriptor, ".", W_OK, 0) == 0 }

    /// How many bytes can still be written there; see ``OpenFile/space``.
    package var space: (free: Int, total: Int)? { file.space }

    // MARK: - Opening

    /// Opens a folder in this one.
    package func folder(_ name: String) throws(SystemError) -> Folder {
        let file = try open(name, O_RDONLY | O_DIRECTORY, expecting: .folder)
        return Folder(file, device: device)
    }

    /// Opens a folder in this one; nil where there is none.
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
    /// - Parameter flags: `O_CREAT` may be among them.
    package func file(_ name: String, _ flags: CInt, mode: mode_t = 0) throws(SystemError)
        -> OpenFile
    {
        try open(name, flags, mode: mode, expecting: .regularFile)
    }

    private func open(
        _ name: String, _ flags: CInt, mode: mode_t = 0, expecting kind: FileKind
    ) throws(SystemError) -> OpenFile {
        // Opening may do something by itself, to a device for example; so look before.
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

    /// Fails unless something is what belongs there.
    package func require(_ kind: FileKind, _ status: stat, _ name: String) throws(SystemError) {
        var found = FileKind(status)
        if found == .folder, status.st_dev != device { found = .otherFileSystem }
        if found == kind { return }
        throw SystemError(
            MisplacedFile(path: path + "/" + name, kind: found, expected: kind))
    }

    // MARK: - Making

    /// Makes and opens a folder that must not exist yet.
    package func makeFolder(_ name: String, mode: mode_t = 0o777) throws(SystemError) -> Folder {
        try Self.check(name)
        guard name.withPath({ mkdirat(descriptor, $0, mode) }) == 0 else {
            throw SystemError("mkdirat")
        }
        return try folder(name)
    }

    /// Opens a folder, which is made unless it exists.
    @discardableResult
    package func makeFolderIfNeeded(_ name: String) throws(SystemError) -> Folder {
        try Self.check(name)
        guard name.withPath({ mkdirat(descriptor, $0, 0o777) }) == 0 || errno == EEXIST else {
            throw SystemError("mkdirat")
        }
        return try folder(name)
    }

    /// Makes a file that must not exist yet, for reading and writing.
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

    /// Gives a file another name, which must not exist yet.
    package func link(_ name: String, in folder: Folder, as other: String) throws(SystemError) {
        try Self.check(name)
        try Self.check(other)
        let result = name.withPath { name in
            other.withPath { linkat(descriptor, name, folder.descriptor, $0, 0) }
        }
        guard result == 0 else { throw SystemError("linkat") }
    }

    /// Moves what a name stands for, in the place of a file that has the new name.
    package func move(_ name: String, to folder: Folder, as other: String) throws(SystemError) {
        try Self.check(name)
        try Self.check(other)
        let result = name.withPath { name in
            other.withPath { renameat(descriptor, name, folder.descriptor, $0) }
        }
        guard result == 0 else { throw SystemError("renameat") }
    }

    /// Removes a name that is not a folder's; it is no error when there is none.
    package func removeFile(_ name: String) throws(SystemError) {
        try Self.check(name)
        guard name.withPath({ unlinkat(descriptor, $0, 0) }) == 0 || errno == ENOENT else {
            throw SystemError("unlinkat")
        }
    }

    /// Removes a folder unless there is something in it.
    package func removeFolderIfEmpty(_ name: String) throws(SystemError) {
        try Self.check(name)
        guard
            name.withPath({ unlinkat(descriptor, $0, AT_REMOVEDIR) }) == 0
                || [ENOENT, ENOTEMPTY, EEXIST].contains(errno)
        else { throw SystemError("unlinkat") }
    }

    /// Forces the folder's entries to the disk.
    package func synchronize() throws(SystemError) { try file.synchronize() }

    /// Takes an advisory lock on the folder itself; see ``OpenFile/lock(exclusively:waiting:)``.
    package func lock(exclusively: Bool, waiting seconds: Double) throws(SystemError) -> Bool {
        try file.lock(exclusively: exclusively, waiting: seconds)
    }

    /// Only a name in this very folder leads nowhere else.
    static func check(_ name: String) throws(SystemError) {
        guard !name.isEmpty, name != ".", name != "..",
            !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
        else { throw SystemError("a name of several parts", number: EINVAL) }
    }
}
