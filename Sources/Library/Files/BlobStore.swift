// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Glibc

/// The content-addressed files under `blobs/`. Each is named after the SHA-256 of its content and
/// never changes.
struct BlobStore: Sendable {
    /// The library's folder.
    let root: Folder

    /// The maximum size of a stored file: 256 GiB. A sparse file can be of any length, even if it
    /// occupies only a few blocks, and every byte of it is hashed.
    static let maximumSize = 1 << 38

    /// Copies a file's content, from its beginning, into the session's folder. On file systems with
    /// reflinks, the copy shares the file's blocks until one of them is written to. Holes are
    /// preserved.
    ///
    /// - Parameters:
    ///   - expectedSize: The required size in bytes; nil for the current size of the file.
    ///   - synchronizing: Whether to make the copy durable now. If false, ``publish(_:)`` does.
    func stage(
        _ source: OpenFile, expectedSize: Int?, synchronizing: Bool = true,
        in session: StagingSession
    ) throws -> StagedBlob {
        let size = try expectedSize ?? source.size()
        guard size <= Self.maximumSize else {
            throw LibraryError(
                .sizeMismatch,
                "the file has \(size) bytes; a library stores files of up to \(Self.maximumSize >> 30) GiB",
                path: source.path)
        }
        return try stage(size, synchronizing: synchronizing, in: session) { copy in
            if copy.shareBytes(of: source) { return try Self.hash(of: copy, expecting: size) }
            try Self.requireSpace(for: source, in: session.folder)
            return try Self.copy(source, to: copy, expecting: size)
        }
    }

    /// Writes bytes to a file in the session's folder.
    func stage(_ data: Data, in session: StagingSession) throws -> StagedBlob {
        try stage(data.count, in: session) { copy in
            try data.withUnsafeBytes { try copy.write($0, at: 0) }
            return try Self.hash(of: copy, expecting: data.count)
        }
    }

    /// Gives a stored file a second name in the session's folder, instead of copying it.
    ///
    /// - Returns: The staged file, or nil if the stored file is missing or damaged, or cannot be
    ///   linked.
    func stageStored(
        _ hash: SHA256Digest, size: Int, in session: StagingSession
    ) throws -> StagedBlob? {
        let name = UUID().uuidString.lowercased()
        do {
            guard let shard = try shard(of: hash) else { return nil }
            try shard.link(hash.hex, in: session.folder, as: name)
        } catch {
            return nil
        }
        let blob = StagedBlob(hash: hash, size: size, name: name, session: session)
        return try Self.isIntact(hash, size: size, name, in: session.folder) ? blob : nil
    }

    /// Creates a file in the session's folder, calls `fill`, and makes the file durable.
    private func stage(
        _ size: Int, synchronizing: Bool = true, in session: StagingSession,
        _ fill: (OpenFile) throws -> SHA256Digest
    ) throws -> StagedBlob {
        let name = UUID().uuidString.lowercased()
        do {
            let copy = try session.folder.makeFile(name, mode: 0o600)
            let hash = try fill(copy)
            guard fchmod(copy.descriptor, 0o444) == 0 else { throw SystemError("fchmod") }
            let isSynchronized = synchronizing || !Folder.canSynchronizeFileSystem
            if isSynchronized { try copy.synchronize() }
            return StagedBlob(
                hash: hash, size: size, name: name, session: session,
                isSynchronized: isSynchronized)
        } catch {
            try? session.folder.removeFile(name)
            guard let error = error as? SystemError else { throw error }
            throw LibraryError.writing(session.folder.path + "/" + name, error)
        }
    }

    /// Returns the hash of a copy that the file system made.
    private static func hash(of copy: OpenFile, expecting size: Int) throws -> SHA256Digest {
        let found = try copy.size()
        guard found == size, size > 0 else { throw mismatch(size, "\(found)", copy.path) }
        return try FileBytes.hash(of: copy)
    }

    private static func mismatch(_ size: Int, _ found: String, _ path: String) -> LibraryError {
        LibraryError(
            .sizeMismatch, "expected \(size) bytes (at least 1) but found \(found)", path: path)
    }

    private static func copy(
        _ source: OpenFile, to copy: OpenFile, expecting size: Int
    ) throws -> SHA256Digest {
        // Another process may keep appending to the file, so the read is limited.
        let result = try FileBytes.read(source, atMost: size) { chunk, offset in
            try copy.write(chunk, at: offset)
        }
        guard let read = result else { throw mismatch(size, "more", source.path) }
        guard read.count == size, size > 0 else {
            throw mismatch(size, "\(read.count)", source.path)
        }
        // A hole at the end is not written, so the length has to be set.
        guard ftruncate(copy.descriptor, off_t(size)) == 0 else { throw SystemError("ftruncate") }
        return read.hash
    }

    // MARK: - Reading

    /// The path of the file with this hash, for error messages.
    func path(of hash: SHA256Digest) -> String { root.layout.blob(hash) }

    /// The name of the shard folder of this hash: its first two digits.
    static func shardName(of hash: SHA256Digest) -> String { String(hash.hex.prefix(2)) }

    /// Returns the shard folder of this hash, or nil if it does not exist.
    func shard(of hash: SHA256Digest) throws(SystemError) -> Folder? {
        try root.folder(LibraryName.blobs).folderIfPresent(Self.shardName(of: hash))
    }

    /// Returns the status of the entry with this hash as its name, or nil if there is none.
    func status(of hash: SHA256Digest) throws(SystemError) -> stat? {
        try shard(of: hash)?.status(hash.hex)
    }

    /// Whether there is a file with this name. No file is opened.
    func exists(_ hash: SHA256Digest) -> Bool {
        ((try? status(of: hash)) ?? nil)?.isPlainFile ?? false
    }

    /// Whether the stored file has this size, and content that matches its name.
    func holds(_ hash: SHA256Digest, size: Int) throws -> Bool {
        guard let shard = try shard(of: hash) else { return false }
        return try Self.holds(hash, size: size, hash.hex, in: shard)
    }

    /// Whether the stored file is readable, and has this size and content.
    ///
    /// - Throws: `CancellationError`.
    func isIntact(_ hash: SHA256Digest, size: Int) throws -> Bool {
        try Self.unlessUnreadable { try holds(hash, size: size) }
    }

    /// Whether a file is readable, and has this size and content.
    ///
    /// - Throws: `CancellationError`.
    static func isIntact(
        _ hash: SHA256Digest, size: Int, _ name: String, in folder: Folder
    ) throws -> Bool {
        try unlessUnreadable { try holds(hash, size: size, name, in: folder) }
    }

    private static func unlessUnreadable(_ holds: () throws -> Bool) throws -> Bool {
        do {
            return try holds()
        } catch let error as CancellationError {
            throw error
        } catch {
            return false
        }
    }

    /// Whether a file has this size and content.
    private static func holds(
        _ hash: SHA256Digest, size: Int, _ name: String, in folder: Folder
    ) throws -> Bool {
        let file: OpenFile
        do {
            file = try folder.file(name, O_RDONLY)
        } catch {
            throw LibraryError.reading(folder.path + "/" + name, error)
        }
        guard try file.size() == size else { return false }
        return try FileBytes.hash(of: file) == hash
    }

    /// Opens a blob for reading.
    func open(_ hash: SHA256Digest, assetIdentifier: String?) throws -> OpenFile {
        do throws(SystemError) {
            guard let shard = try shard(of: hash) else {
                throw SystemError("openat", number: ENOENT)
            }
            return try shard.file(hash.hex, O_RDONLY)
        } catch {
            guard error.number == ENOENT else { throw LibraryError.reading(path(of: hash), error) }
            throw LibraryError(
                .blobMissing, "a file of the library is missing; run edithost check",
                asset: assetIdentifier, path: path(of: hash))
        }
    }
}
