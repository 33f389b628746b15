// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// Decides which operations an asset permits, for both queries and change requests.
struct EditAbility {
    let database: Database
    let store: BlobStore
    let assetIdentifier: String

    /// The error codes thrown by `require` for a rejected operation.
    static let refusals: Set<LibraryError.Code> = [
        .noSuchAsset, .unsupportedMediaType, .originalMissing, .referencedFileChanged,
    ]

    /// Throws an error if the operation is not possible.
    func require(_ operation: AssetEditOperation) throws {
        let found = try database.record(
            "SELECT media_type, trashed_date IS NOT NULL FROM asset WHERE uuid = ?",
            [assetIdentifier]
        ) { row in
            (try row.value(0, as: MediaType.self), try row.value(1, as: Bool.self))
        }
        guard let (mediaType, isTrashed) = found else {
            throw LibraryError.noSuchAsset(assetIdentifier)
        }
        guard operation != .delete else { return }
        guard !isTrashed else { throw LibraryError.assetInTrash(assetIdentifier) }
        guard operation == .content else { return }
        guard mediaType != .audio else {
            throw LibraryError(
                .unsupportedMediaType,
                "the content of assets of type \(mediaType.name) cannot be edited",
                asset: assetIdentifier)
        }
        do {
            try requireOriginal()
        } catch let error as LibraryError where Self.refusals.contains(error.code) {
            guard try hasBase(of: mediaType) else { throw error }
        }
    }

    /// Throws an error unless the original is available and unchanged.
    func requireOriginal() throws {
        let original = try database.record(
            "\(AssetResource.query) WHERE asset.uuid = ? AND is_primary = 1",
            [assetIdentifier], AssetResource.init(row:))
        if let original, original.blob == nil {
            _ = try ReferencedOriginal(original).open()
            return
        }
        if let hash = original?.blob, store.exists(hash) { return }
        throw LibraryError(
            .originalMissing, "the original is not in the library; run edithost check",
            asset: assetIdentifier)
    }

    /// Whether editing can continue from a stored file if the original is missing.
    ///
    /// A photo needs a base or a picture that an application wrote. Its renditions do not count: most are JPEGs,
    /// and would lose quality with each edit. A video has no bases, so its current rendition is used, despite the loss.
    private func hasBase(of mediaType: MediaType) throws -> Bool {
        let reader = HistoryReader(database: database, assetIdentifier: assetIdentifier)
        let chain = try reader.history().chain
        if mediaType == .video, let current = chain.last?.current, store.exists(current.blob) {
            return true
        }
        return chain.contains { edit in
            let stored = edit.base ?? (edit.editingExtension == nil ? edit.current : nil)
            return stored.map { store.exists($0.blob) } ?? false
        }
    }
}
