// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB
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
        try stage(Self.duplicate(descriptor), expectedSize: expectedSize)
    }

    /// Copies an open file into the library's staging folder; see ``stage(descriptor:expectedSize:)``.
    public func stage(_ file: OpenFile, expectedSize: Int? = nil) throws -> StagedBlob {
        let (_, session) = try writer()
        return try store.stage(file, expectedSize: expectedSize, in: session)
    }

    /// Copies the file at a path into the library's staging folder; see
    /// ``stage(descriptor:expectedSize:)``.
    public func stage(path: String) throws -> StagedBlob {
        try stage(.regularFile(at: path))
    }

    /// Copies a file into the library's staging folder, without blocking the calling task's thread on
    /// the disk; see ``stage(descriptor:expectedSize:)``.
    public func stage(descriptor: CInt, expectedSize: Int? = nil) async throws -> StagedBlob {
        let file = try Self.duplicate(descriptor)
        return try await DiskWork.run { try self.stage(file, expectedSize: expectedSize) }
    }

    /// Copies the file at a path, without blocking the calling task's thread on the disk; see
    /// ``stage(path:)``.
    public func stage(path: String) async throws -> StagedBlob {
        try await DiskWork.run { try self.stage(path: path) }
    }

    private static func duplicate(_ descriptor: CInt) throws -> OpenFile {
        let copy = retrying { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
        guard copy >= 0 else {
            throw LibraryError.reading("descriptor \(descriptor)", SystemError("fcntl"))
        }
        return OpenFile(descriptor: copy, path: "descriptor \(descriptor)")
    }

    /// Opens a stored file for reading, with an offset of its own. Unless it is wanted for a preview, it
    /// is read first, once in a process, and its hash compared with its name.
    ///
    /// - Parameters:
    ///   - hash: The hash of its bytes.
    ///   - assetIdentifier: The asset to be named in an error.
    ///   - purpose: What the bytes are wanted for.
    /// - Throws: `LibraryError` with `blobMissing`, `originalDamaged`, `renditionDamaged`, `cannotRead`, or
    ///   `invalidLayout` where it is no regular file.
    public func openBlob(
        _ hash: SHA256Digest, ofAsset assetIdentifier: String? = nil,
        for purpose: ReadingPurpose = .copying
    ) throws -> OpenFile {
        let file = try store.open(hash, assetIdentifier: assetIdentifier)
        // A file that was made longer may be so long that reading it would not end.
        let isTooLong =
            try read { database in
                try database.value("SELECT size FROM blob WHERE hash = ?", [hash.hex])
            }.map { try file.size() > $0 } ?? false
        if !isTooLong {
            if purpose == .preview { return file }
            if try VerifiedFiles.shared.holds(hash, file) { return file }
        }
        throw damage(of: hash, ofAsset: assetIdentifier)
    }

    /// The error for a stored file whose bytes are not those that it is named after.
    package func damage(
        of hash: SHA256Digest, ofAsset assetIdentifier: String?
    ) -> LibraryError {
        let isOriginal = try? read { database in
            try database.value(
                "SELECT EXISTS (SELECT 1 FROM resource WHERE blob_hash = ?)", [hash.hex],
                as: Bool.self)
        }
        return LibraryError(
            isOriginal == false ? .renditionDamaged : .originalDamaged,
            "the file's bytes are not those that were stored; run check",
            assetIdentifier: assetIdentifier, path: layout.blob(hash))
    }

    /// Whether a stored file is there; nothing is opened.
    public func containsBlob(_ hash: SHA256Digest) -> Bool { store.exists(hash) }
}
