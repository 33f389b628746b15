// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import GRDB

/// What the bytes of a stored or referenced file are wanted for: it decides how sure of them one
/// has to be.
package enum ReadingPurpose: Hashable, Sendable {
    /// A picture that is looked at and not kept, or bytes that the caller hashes: they are given as they are.
    case preview
    /// A picture that the library will keep. A stored file is read and hashed first, once in a process; of a
    /// referenced one size and time are compared.
    case drawing
    /// What leaves the library: a referenced file is hashed as well.
    case copying
}

extension PhotoLibrary {
    /// Opens a stored file for reading, with an offset of its own. Unless it is wanted for a preview, it
    /// is read first, once in a process, and its hash compared with its name.
    ///
    /// - Parameters:
    ///   - hash: The hash of its bytes.
    ///   - assetIdentifier: The asset to be named in an error.
    ///   - purpose: What the bytes are wanted for.
    /// - Throws: `LibraryError` with `blobMissing`, `originalDamaged`, `renditionDamaged`, `cannotRead`, or
    ///   `invalidLayout` where it is no regular file.
    package func openBlob(
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
            "the file does not match its hash; run edithost check --read-data 100",
            asset: assetIdentifier, path: layout.blob(hash))
    }

    /// Whether a stored file is there; nothing is opened.
    package func containsBlob(_ hash: SHA256Digest) -> Bool { store.exists(hash) }

    /// Opens an original, or another stored file of an asset, wherever its bytes are.
    ///
    /// A stored file is read, once in a process, and its hash compared with the one that it is named after; so is a
    /// file that was referenced: the library may be somebody else's, and name any file. To draw from
    /// that, size and time are enough; only where the time is another one is it read.
    ///
    /// - Parameter purpose: What the bytes are wanted for.
    /// - Throws: `LibraryError`: `blobMissing`, `originalDamaged`, `renditionDamaged`, `cannotRead`; of a
    ///   referenced file `originalMissing` where it is away, `referencedFileChanged` where it is
    ///   another one.
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
        guard let hash = resource.contentHash, try VerifiedFiles.shared.holds(hash, file) else {
            throw original.changed
        }
        return file
    }

    /// Opens what is to be copied out of the library, without having read it: whoever copies it
    /// compares the hash of what was copied before anybody sees the copy.
    ///
    /// - Returns: the file, the hash that its bytes must have, and what to throw where they have not.
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
