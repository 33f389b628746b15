// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import GRDB

extension PhotoLibrary {
    /// Opens a stored file for reading, with an independent offset. Except for a preview, its
    /// content is verified first, once per process.
    ///
    /// - Parameters:
    ///   - hash: The hash of the content.
    ///   - assetIdentifier: The asset to name in an error.
    ///   - purpose: The purpose of reading.
    /// - Throws: `LibraryError` with `blobMissing`, `originalDamaged`, `renditionDamaged` or
    ///   `cannotRead`, or with `invalidLayout` if it is not a regular file.
    package func openBlob(
        _ hash: SHA256Digest, ofAsset assetIdentifier: String? = nil,
        for purpose: ReadingPurpose = .copying
    ) throws -> OpenFile {
        let file = try store.open(hash, assetIdentifier: assetIdentifier)
        // A file that was extended may be too long to be read in finite time, so its size is
        // compared first.
        let isTooLong =
            try read { database in
                try database.value("SELECT size FROM blob WHERE hash = ?", [hash.hex])
            }.map { try file.size() > $0 } ?? false
        if !isTooLong {
            if purpose == .preview { return file }
            if try VerifiedFileCache.shared.holds(hash, file) { return file }
        }
        throw damage(of: hash, ofAsset: assetIdentifier)
    }

    /// The error for a stored file whose content does not match its name.
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
            "the file does not match its hash; run edithost check --read-data 100",
            asset: assetIdentifier, path: layout.blob(hash))
    }

    /// Returns whether a stored file exists. No file is opened.
    package func containsBlob(_ hash: SHA256Digest) -> Bool { store.exists(hash) }

    /// Returns the stored picture or video that is the result of an edit stack: the rendition of
    /// the last edit. Nil if that is not stored, or if the stack is empty. No file is opened.
    package func storedPicture(of chain: [Edit]) -> Rendition? {
        chain.last?.current.flatMap { containsBlob($0.blob) ? $0 : nil }
    }

    /// Opens an original, or another file of an asset, stored or referenced.
    ///
    /// A stored file is hashed once per process and compared with its name. A referenced file that
    /// is to be copied is hashed too, because an untrusted library may refer to any file. For
    /// rendering, a referenced file is hashed only if its modification time has changed.
    ///
    /// - Parameter purpose: The purpose of reading.
    /// - Throws: `LibraryError` with `blobMissing`, `originalDamaged`, `renditionDamaged` or
    ///   `cannotRead`. For a referenced file, `originalMissing` if it is missing, or
    ///   `referencedFileChanged` if it was replaced or modified.
    package func openOriginal(
        _ resource: AssetResource, for purpose: ReadingPurpose = .copying
    ) throws -> OpenFile {
        if case .inFile(let file, let range) = resource.embedding {
            return try openOriginal(file, for: purpose).unnamedCopy(of: range)
        }
        if let blob = resource.blob {
            return try openBlob(blob, ofAsset: resource.assetLocalIdentifier, for: purpose)
        }
        let original = ReferencedOriginal(resource)
        let file = try original.open()
        guard purpose == .copying else { return file }
        guard let hash = resource.contentHash, try VerifiedFileCache.shared.holds(hash, file) else {
            throw original.changed
        }
        return file
    }

    /// Opens a file to be copied out of the library, without reading it first. The caller must
    /// compare the hash of the copy before it publishes the copy.
    ///
    /// - Returns: The file, the expected hash of its content, and the error to throw on a mismatch.
    /// - Throws: `LibraryError`, as ``openOriginal(_:for:)``.
    package func openToCopy(
        _ resource: AssetResource
    ) throws -> (file: OpenFile, hash: SHA256Digest, mismatch: LibraryError) {
        let file = try openOriginal(resource, for: .preview)
        if case .inFile(let whole, _) = resource.embedding, let hash = resource.contentHash {
            let mismatch =
                whole.blob.map { damage(of: $0, ofAsset: resource.assetLocalIdentifier) }
                ?? ReferencedOriginal(whole).changed
            return (file, hash, mismatch)
        }
        let mismatch =
            resource.blob.map { damage(of: $0, ofAsset: resource.assetLocalIdentifier) }
            ?? ReferencedOriginal(resource).changed
        guard let hash = resource.contentHash else { throw mismatch }
        return (file, hash, mismatch)
    }
}
