// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Glibc

/// An open file outside the library that is to be imported, with its identity at the time of
/// opening.
package final class SourceFile: Sendable {
    /// The absolute path, with symbolic links resolved.
    package let path: String
    /// Whether the file was given as a symbolic link.
    let isLinked: Bool
    let file: OpenFile
    /// The identity of the file at the time of opening.
    let identity: Identity

    /// The attributes that distinguish a file from others, and from itself after a modification.
    struct Identity: Hashable, Sendable {
        let device: dev_t
        let inode: ino_t
        let size: Int
        let seconds: Int
        let nanoseconds: Int

        init(_ status: stat) {
            device = status.st_dev
            inode = status.st_ino
            size = Int(status.st_size)
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        }

        /// The modification time in microseconds since 1970.
        var microseconds: Int64 { Int64(seconds) * 1_000_000 + Int64(nanoseconds / 1000) }
    }

    /// Opens a file.
    ///
    /// - Throws: `LibraryError` with `cannotRead`, including if it is not a regular file.
    package convenience init(path: String) throws {
        try self.init(.regularFile(at: path), path: path)
    }

    /// Creates a source from an open file. The descriptor is duplicated; the caller keeps the
    /// original.
    ///
    /// - Throws: `LibraryError` with `cannotRead`, including if it is not a regular file, or if the
    ///   path no longer leads to it.
    package convenience init(descriptor: CInt, path: String) throws {
        let copy = retrying { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
        guard copy >= 0 else { throw LibraryError.reading(path, SystemError("fcntl")) }
        try self.init(OpenFile(descriptor: copy, path: path), path: path)
    }

    private init(_ file: OpenFile, path: String) throws {
        let status = try file.status()
        guard status.isPlainFile else {
            throw LibraryError(.cannotRead, "this is not a regular file", path: path)
        }
        self.file = file
        identity = Identity(status)
        isLinked = (try? stat.ofPath(path))?.isPlainFile != true
        guard let resolved = path.resolvedPath else {
            throw LibraryError.reading(path, SystemError("realpath"))
        }
        self.path = resolved
        try requireUnchanged()
    }

    /// The size at the time of opening, in bytes.
    package var byteCount: Int { identity.size }

    /// Returns the content of the file.
    ///
    /// - Throws: `LibraryError` with `cannotRead`, including if the file is modified while it is
    ///   read.
    package func read() throws -> Data {
        var data = Data(count: identity.size)
        do {
            let count = try data.withUnsafeMutableBytes { try file.fill($0, at: 0) }
            data = data.prefix(count)
        } catch let error as SystemError {
            throw LibraryError.reading(path, error)
        }
        try requireUnchanged()
        return data
    }

    /// Whether the content has a size in bytes and a hash. A file of another size is not read.
    ///
    /// - Throws: `LibraryError` with `cannotRead`, including if the file is modified while it is
    ///   read; `CancellationError`.
    package func hasContent(_ hash: SHA256Digest, size: Int) throws -> Bool {
        guard byteCount == size else { return false }
        let found = try FileBytes.hash(of: file)
        try requireUnchanged()
        return found == hash
    }

    /// Throws an error if the path no longer leads to this file, or if the file was modified.
    ///
    /// - Throws: `LibraryError` with `cannotRead`.
    package func requireUnchanged() throws {
        guard Identity(try file.status()) == identity,
            let status = try? stat.ofPath(path), Identity(status) == identity
        else {
            throw LibraryError(
                .cannotRead, "the file changed while it was read; try again", path: path)
        }
    }

    /// Returns the reference that a library stores if the file is to stay in place.
    ///
    /// - Parameter staged: A copy of the file, made since it was opened.
    /// - Throws: `LibraryError` with `cannotRead` if the file has changed since it was copied.
    package func reference(_ staged: StagedBlob) throws -> FileReference {
        try requireUnchanged()
        guard staged.size == identity.size else {
            throw LibraryError(
                .sizeMismatch,
                "the size of the copy differs from that of the file; try again", path: path)
        }
        return FileReference(
            url: FileAddress.url(ofPath: path), hash: staged.hash, size: staged.size,
            date: identity.microseconds, format: try file.mediaFormat())
    }
}
