// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

extension PhotoLibrary {
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
    public func openOriginal(
        _ resource: AssetResource, for purpose: ReadingPurpose = .copying
    ) throws -> OpenFile {
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
        let mismatch =
            resource.blob.map { damage(of: $0, ofAsset: resource.assetLocalIdentifier) }
            ?? ReferencedOriginal(resource).changed
        guard let hash = resource.contentHash else { throw mismatch }
        return (file, hash, mismatch)
    }

    /// Whether a resource's bytes are here, as far as can be told without opening a file: stored,
    /// or referenced and there in the size that they had. False for a version that has to be
    /// rendered.
    public func isLocallyAvailable(_ resource: AssetResource) -> Bool {
        availability(of: resource).isLocal
    }

    /// Where a resource's bytes are, as far as can be told without opening a file.
    public func availability(of resource: AssetResource) -> AssetResourceAvailability {
        if let blob = resource.blob { return containsBlob(blob) ? .stored : .absent }
        guard resource.url != nil else { return .absent }
        return switch ReferencedOriginal(resource).stateByStatus {
        case .present: .referenced
        case .away: .away
        case .changed: .changed
        }
    }

    /// Whether an asset's original is here; see ``isLocallyAvailable(_:)-(AssetResource)``.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset`.
    public func isLocallyAvailable(_ asset: Asset) throws -> Bool {
        let resource = try read { database in
            try database.record(
                "\(AssetResource.query) WHERE asset.uuid = ? AND is_primary = 1",
                [asset.localIdentifier], AssetResource.init(row:))
        }
        guard let resource else { throw LibraryError.noSuchAsset(asset.localIdentifier) }
        return isLocallyAvailable(resource)
    }

    /// The identifiers of the assets whose originals lie outside the library and are away or of
    /// another size by now. No file is opened.
    ///
    /// - Throws: `LibraryError`.
    public func identifiersOfAssetsAway() throws -> [String] {
        var identifiers: [String] = []
        try forEachReferencedResource { resource in
            if resource.isPrimary, !isLocallyAvailable(resource) {
                identifiers.append(resource.assetLocalIdentifier)
            }
        }
        return identifiers
    }

    /// Gives what lies outside the library, without facts. No transaction lasts while `body` runs.
    func forEachReferencedResource(_ body: (AssetResource) throws -> Void) throws {
        var last: Int64 = 0
        while true {
            let found = try read { database in
                try database.records(
                    """
                    \(AssetResource.queryWithoutFacts)
                    WHERE url IS NOT NULL AND resource.id > ? ORDER BY resource.id LIMIT 1000
                    """,
                    [last]
                ) { (resource: try AssetResource(row: $0), id: try $0.rowNumber(11)) }
            }
            guard let end = found.last?.id else { return }
            for (resource, _) in found { try body(resource) }
            last = end
        }
    }
}
