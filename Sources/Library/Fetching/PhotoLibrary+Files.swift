// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Glibc

extension PhotoLibrary {
    /// Copies a file into the library's staging folder and hashes it, ready to be committed.
    ///
    /// The file is read from its beginning, whatever its offset.
    ///
    /// - Parameters:
    ///   - descriptor: A file or memory file that can be read with `pread`. It stays open.
    ///   - expectedSize: How many bytes there must be; nil for what there are.
    /// - Throws: `LibraryError`: `sizeMismatch`, also where there is nothing; `cannotRead`,
    ///   `cannotWrite`, `readOnly`.
    public func stage(descriptor: CInt, expectedSize: Int? = nil) throws -> StagedBlob {
        let copy = retrying { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
        guard copy >= 0 else {
            throw LibraryError.reading("descriptor \(descriptor)", SystemError("fcntl"))
        }
        return try stage(
            OpenFile(descriptor: copy, path: "descriptor \(descriptor)"),
            expectedSize: expectedSize)
    }

    /// Copies an open file into the library's staging folder; see ``stage(descriptor:expectedSize:)``.
    public func stage(_ file: OpenFile, expectedSize: Int? = nil) throws -> StagedBlob {
        let (_, session) = try writer()
        return try store.stage(file, expectedSize: expectedSize, in: session)
    }

    /// Copies the file at a path into the library's staging folder; see
    /// ``stage(descriptor:expectedSize:)``.
    public func stage(path: String) throws -> StagedBlob {
        let file: OpenFile
        do {
            file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
        } catch {
            throw LibraryError.reading(path, error)
        }
        guard try file.status().isPlainFile else {
            throw LibraryError(.cannotRead, "this is not a plain file", path: path)
        }
        return try stage(file)
    }

    /// A private folder on the library's file system for intermediate files, removed when the
    /// library is closed.
    ///
    /// - Throws: `LibraryError` with `readOnly`.
    public var stagingFolder: String {
        get throws { try writer().1.path }
    }

    /// The folder for what may be deleted at any time.
    public var cacheFolder: String { layout.cache }

    /// Opens a stored file for reading, with an offset of its own.
    ///
    /// - Parameters:
    ///   - hash: The hash of its bytes.
    ///   - assetIdentifier: The asset to be named in an error.
    /// - Throws: `LibraryError` with `blobMissing` or `cannotRead`.
    public func openBlob(_ hash: SHA256Digest, ofAsset assetIdentifier: String? = nil) throws
        -> OpenFile
    {
        try store.open(hash, assetIdentifier: assetIdentifier)
    }

    /// Whether a stored file is there; nothing is opened.
    public func containsBlob(_ hash: SHA256Digest) -> Bool { store.exists(hash) }
}
