// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EditingModel
import FileAccess
import FoundationEssentials
import Glibc

extension PhotoLibrary {
    /// Copies a file into the library's staging folder and hashes it, ready to be committed.
    ///
    /// The file is read from its beginning, regardless of its offset.
    ///
    /// - Parameters:
    ///   - descriptor: A file or memory file that can be read with `pread`. The caller keeps it.
    ///   - expectedSize: The required size in bytes; nil for the current size.
    /// - Throws: `LibraryError` with `sizeMismatch`, including for an empty file; `cannotRead`,
    ///   `cannotWrite` or `readOnly`.
    package func stage(descriptor: CInt, expectedSize: Int? = nil) throws -> StagedBlob {
        try stage(OpenFile.duplicate(of: descriptor), expectedSize: expectedSize)
    }

    /// Copies an open file into the library's staging folder; see
    /// ``stage(descriptor:expectedSize:)``.
    ///
    /// - Parameter synchronizing: Whether the copy is made durable now. If false, the change that
    ///   commits it synchronises the file system, which is faster for many files.
    package func stage(
        _ file: OpenFile, expectedSize: Int? = nil, synchronizing: Bool = true
    ) throws -> StagedBlob {
        let (_, session) = try writer()
        return try store.stage(
            file, expectedSize: expectedSize, synchronizing: synchronizing, in: session)
    }

    /// Stages a stored file again. It is hashed, but not copied.
    ///
    /// - Returns: The staged file, or nil if the stored file is missing or damaged, or cannot be
    ///   linked.
    /// - Throws: `LibraryError` with `cannotWrite` or `readOnly`; `CancellationError`.
    package func stageStored(_ hash: SHA256Digest, size: Int) throws -> StagedBlob? {
        let (_, session) = try writer()
        return try store.stageStored(hash, size: size, in: session)
    }

    /// Copies the file at a path into the library's staging folder; see
    /// ``stage(descriptor:expectedSize:)``.
    package func stage(path: String) throws -> StagedBlob {
        try stage(.regularFile(at: path))
    }

    /// Copies a file into the library's staging folder without blocking the calling task's thread
    /// on disk I/O; see ``stage(descriptor:expectedSize:)``.
    package func stage(descriptor: CInt, expectedSize: Int? = nil) async throws -> StagedBlob {
        let file = try OpenFile.duplicate(of: descriptor)
        return try await BlockingIO.run { try self.stage(file, expectedSize: expectedSize) }
    }

    /// Copies the file at a path without blocking the calling task's thread on disk I/O; see
    /// ``stage(path:)``.
    package func stage(path: String) async throws -> StagedBlob {
        try await BlockingIO.run { try self.stage(path: path) }
    }

    /// Copies a file that is to be imported; see ``stage(descriptor:expectedSize:)``.
    ///
    /// - Throws: `LibraryError`, with `cannotRead` if the file cannot be read or is modified while
    ///   it is copied.
    package func stage(_ source: SourceFile) throws -> StagedBlob {
        let staged = try stage(source.file, expectedSize: source.identity.size)
        try source.requireUnchanged()
        return staged
    }

    /// Copies a file that is to be imported, without blocking the calling task's thread on disk
    /// I/O.
    ///
    /// - Throws: `LibraryError`, with `cannotRead` if the file cannot be read or is modified while
    ///   it is copied.
    package func stage(_ source: SourceFile) async throws -> StagedBlob {
        try await BlockingIO.run { try self.stage(source) }
    }

    /// Creates an unnamed file on the library's file system, for content to be staged. It is
    /// removed with its last descriptor.
    ///
    /// - Throws: `LibraryError` with `cannotWrite` or `readOnly`.
    package func makeTemporaryFile() throws -> OpenFile {
        try writer().1.makeUnnamedFile()
    }
}
