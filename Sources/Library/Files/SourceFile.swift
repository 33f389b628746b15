// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Glibc

/// A file outside the library that is to be imported: it is open, and what it was when it was
/// opened is remembered.
package final class SourceFile: Sendable {
    /// Where it lies: absolute, without links.
    package let path: String
    /// Whether it was found by a link, which leads to it.
    let isLinked: Bool
    let file: OpenFile
    /// What it was when it was opened.
    let identity: Identity

    /// What tells a file from another, and from itself after it was written to.
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

        /// When it was last written to, in microseconds since 1970.
        var microseconds: Int64 { Int64(seconds) * 1_000_000 + Int64(nanoseconds / 1000) }
    }

    /// Opens a file.
    ///
    /// - Throws: `LibraryError` with `cannotRead`, also where it is no regular file.
    package convenience init(path: String) throws {
        try self.init(.regularFile(at: path), path: path)
    }

    /// Takes a file that is open already. The descriptor stays open, and the caller's.
    ///
    /// - Throws: `LibraryError` with `cannotRead`, also where it is no regular file, or where the
    ///   path leads elsewhere by now.
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

    /// How long it was when it was opened, in bytes.
    package var byteCount: Int { identity.size }

    /// Its bytes.
    ///
    /// - Throws: `LibraryError` with `cannotRead`, also where it is being written to.
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

    /// Fails unless the path still leads to this file, and nobody has written to it.
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

    /// What a library stores of the file where the file itself is to stay where it is.
    ///
    /// - Parameter staged: a copy of the file, made since it was opened.
    /// - Throws: `LibraryError` with `cannotRead` where the file is not what was copied any more.
    package func reference(_ staged: StagedBlob) throws -> FileReference {
        try requireUnchanged()
        guard staged.size == identity.size else {
            throw LibraryError(
                .sizeMismatch,
                "the size of the copy differs from that of the file; try again", path: path)
        }
        return FileReference(
            url: FileAddress.url(ofPath: path), hash: staged.hash, size: staged.size,
            date: identity.microseconds, format: try NewResource.format(of: file))
    }
}

/// A file that stays where it is, and what it was when it was read.
public struct FileReference: Hashable, Sendable {
    /// Its `file:` address.
    public let url: String
    /// The hash of its bytes.
    public let hash: SHA256Digest
    /// How many bytes it has.
    public let size: Int
    /// When it was last written to, in microseconds since 1970.
    let date: Int64

    /// What it is by its first bytes.
    let format: MediaFormat

    init(url: String, hash: SHA256Digest, size: Int, date: Int64, format: MediaFormat) {
        self.url = url
        self.hash = hash
        self.size = size
        self.date = date
        self.format = format
    }

    /// What an original is that stays where it is; nil: the library has its bytes, or they are away.
    package init?(_ original: AssetResource) {
        guard original.blob == nil, let url = original.url, url.hasPrefix("file:"),
            let hash = original.contentHash, let size = original.size,
            let date = original.contentDate
        else { return nil }
        self.init(url: url, hash: hash, size: size, date: date, format: original.format)
    }

    /// Reads a file, to be referenced.
    ///
    /// - Throws: `LibraryError` with `cannotRead`; `sizeMismatch` where it is empty.
    public init(path: String) throws {
        let source = try SourceFile(path: path)
        guard source.identity.size > 0 else {
            throw LibraryError(.sizeMismatch, "the file is empty", path: path)
        }
        let hash = try FileBytes.hash(of: source.file)
        try source.requireUnchanged()
        self.init(
            url: FileAddress.url(ofPath: source.path), hash: hash, size: source.identity.size,
            date: source.identity.microseconds, format: try NewResource.format(of: source.file))
    }
}
