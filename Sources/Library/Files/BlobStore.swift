// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import Glibc

import struct Crypto.SHA256

/// The files under `blobs/`: each is named after the SHA-256 of its bytes and never changes.
struct BlobStore: Sendable {
    let layout: LibraryLayout

    /// How many bytes are copied at a time.
    private static let chunkSize = 1 << 20

    /// Copies a file's bytes, from its beginning, into the session's folder. Where the file system
    /// can, the copy shares the file's blocks until one of them is written to.
    ///
    /// - Parameter expectedSize: How many bytes there must be; nil for what the file has now.
    func stage(
        _ source: OpenFile, expectedSize: Int?, in session: StagingSession
    ) throws -> StagedBlob {
        let size = try expectedSize ?? source.size()
        return try stage(size, in: session) { copy in
            copy.shareBytes(of: source)
                ? try Self.hash(of: copy, expecting: size)
                : try Self.copy(source, to: copy, expecting: size)
        }
    }

    /// Writes bytes into the session's folder.
    func stage(_ data: Data, in session: StagingSession) throws -> StagedBlob {
        try stage(data.count, in: session) { copy in
            try data.withUnsafeBytes { try copy.write($0, at: 0) }
            return try Self.hash(of: copy, expecting: data.count)
        }
    }

    /// Makes a file in the session's folder, has it filled, and makes it durable.
    private func stage(
        _ size: Int, in session: StagingSession, _ fill: (OpenFile) throws -> SHA256Digest
    ) throws -> StagedBlob {
        let path = session.path + "/" + UUID().uuidString.lowercased()
        do {
            let copy = try OpenFile(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
            let hash = try fill(copy)
            guard fchmod(copy.descriptor, 0o444) == 0 else { throw SystemError("fchmod") }
            try copy.synchronize()
            return StagedBlob(hash: hash, size: size, path: path, session: session)
        } catch {
            try? Folders.removeFile(path)
            guard let error = error as? SystemError else { throw error }
            throw LibraryError.writing(path, error)
        }
    }

    /// The hash of what was copied by the file system.
    private static func hash(of copy: OpenFile, expecting size: Int) throws -> SHA256Digest {
        let found = try copy.size()
        guard found == size, size > 0 else { throw mismatch(size, "\(found)", copy.path) }
        return try forEachChunk(of: copy) { _ in }
    }

    private static func mismatch(_ size: Int, _ found: String, _ path: String) -> LibraryError {
        LibraryError(
            .sizeMismatch, "expected \(size) bytes (at least 1) but found \(found)", path: path)
    }

    private static func copy(
        _ source: OpenFile, to copy: OpenFile, expecting size: Int
    ) throws -> SHA256Digest {
        var done = 0
        let hash = try forEachChunk(of: source) { chunk in
            done += chunk.count
            // Whoever writes the file may never come to an end.
            guard done <= size else { throw mismatch(size, "more", source.path) }
            try copy.write(chunk, at: done - chunk.count)
        }
        guard done == size, size > 0 else { throw mismatch(size, "\(done)", source.path) }
        return hash
    }

    /// Reads a file from its beginning, a chunk at a time, and hashes it.
    static func forEachChunk(
        of file: OpenFile, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> SHA256Digest {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 4096)
        defer { buffer.deallocate() }
        var hasher = SHA256()
        var offset = 0
        while true {
            let count: Int
            do {
                count = try file.read(into: buffer, at: offset)
            } catch {
                throw LibraryError.reading(file.path, error)
            }
            if count == 0 { return SHA256Digest(bytes: hasher.finalize()) }
            let chunk = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            hasher.update(bufferPointer: chunk)
            try body(chunk)
            offset += count
        }
    }

    /// Makes staged blobs' names as durable as their bytes, before any row may name them.
    ///
    /// `blobs/` is forced to the disk every time: whoever made a shard's folder may have died
    /// before doing so.
    func publish(_ blobs: [StagedBlob]) throws {
        if blobs.isEmpty { return }
        do {
            for blob in blobs { try publish(blob) }
            for shard in Set(blobs.map { layout.shard(of: $0.hash) }) {
                try Folders.synchronize(shard)
            }
            try Folders.synchronize(layout.blobs)
        } catch let error as SystemError {
            throw LibraryError.writing(layout.blobs, error)
        }
    }

    private func publish(_ blob: StagedBlob) throws {
        try Folders.makeIfNeeded(layout.shard(of: blob.hash))
        let target = layout.blob(blob.hash)
        if link(blob.path, target) == 0 { return }
        guard errno == EEXIST else { throw SystemError("link") }
        try verifyOrReplace(target, with: blob)
    }

    /// Trusts the bytes of an existing file, not its name: where they differ, good ones take
    /// their place at once.
    private func verifyOrReplace(_ target: String, with blob: StagedBlob) throws {
        if (try? holds(blob.hash, size: blob.size, at: target)) == true { return }
        let spare = blob.path + ".link"
        guard link(blob.path, spare) == 0 else { throw SystemError("link") }
        guard rename(spare, target) == 0 else { throw SystemError("rename") }
    }

    /// Whether a file has this size and these bytes.
    func holds(_ hash: SHA256Digest, size: Int, at path: String) throws -> Bool {
        let file: OpenFile
        do {
            file = try OpenFile(path, O_RDONLY | O_NOFOLLOW)
        } catch {
            throw LibraryError.reading(path, error)
        }
        guard try file.size() == size else { return false }
        return try Self.forEachChunk(of: file) { _ in } == hash
    }

    /// Whether there is a file of this name; nothing is opened.
    func exists(_ hash: SHA256Digest) -> Bool {
        ((try? Folders.status(layout.blob(hash))) ?? nil)?.isPlainFile ?? false
    }

    /// Opens a blob for reading.
    func open(_ hash: SHA256Digest, assetIdentifier: String?) throws -> OpenFile {
        let path = layout.blob(hash)
        do {
            return try OpenFile(path, O_RDONLY | O_NOFOLLOW)
        } catch {
            guard error.number == ENOENT else { throw LibraryError.reading(path, error) }
            throw LibraryError(
                .blobMissing, "a file of the library is missing; run check",
                assetIdentifier: assetIdentifier, path: path)
        }
    }
}
