// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// What can be done to an asset. The raw values are those of PhotoKit's `PHAssetEditOperation`,
/// which are numbers and no bits: ``properties`` is not ``delete`` and ``content`` together.
public enum AssetEditOperation: Int, Hashable, Sendable, CaseIterable {
    /// Deleting it.
    case delete = 1
    /// Editing its picture.
    case content = 2
    /// Changing its date, its place and its marks.
    case properties = 3
}

extension Asset {
    /// Whether a change request for this operation would be carried out now.
    ///
    /// In a library that is open for reading only nothing can be done, nor to an asset that has been
    /// deleted. The content can be edited of what is neither a video nor a sound, and only where
    /// there is something to draw from: the original, stored or referenced and unchanged, or the
    /// stored result of an edit that is not run again. To tell, a referenced file is read where its
    /// time is another one than it was.
    ///
    /// - Throws: `LibraryError` where the library cannot be read.
    public func canPerform(
        _ operation: AssetEditOperation, in library: PhotoLibrary
    ) throws -> Bool {
        guard !library.options.isReadOnly else { return false }
        do {
            try library.read { database in
                let ability = EditAbility(
                    database: database, store: library.store, assetIdentifier: localIdentifier)
                try ability.require(operation)
            }
            return true
        } catch let error as LibraryError where EditAbility.refusals.contains(error.code) {
            return false
        }
    }
}

/// Decides what can be done to an asset: the same for who asks and for who tries.
struct EditAbility {
    let database: Database
    let store: BlobStore
    let assetIdentifier: String

    /// The codes with which `require` refuses.
    static let refusals: Set<LibraryError.Code> = [
        .noSuchAsset, .unsupportedMediaType, .originalMissing, .referencedFileChanged,
    ]

    /// Fails where the operation cannot be done.
    func require(_ operation: AssetEditOperation) throws {
        let mediaType = try database.value(
            "SELECT media_type FROM asset WHERE uuid = ?", [assetIdentifier], as: MediaType.self)
        guard let mediaType else { throw LibraryError.noSuchAsset(assetIdentifier) }
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
            guard try hasBase() else { throw error }
        }
    }

    /// Fails unless the original is here, as it was imported.
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

    /// Whether what is seen now can be drawn without the original.
    private func hasBase() throws -> Bool {
        let reader = HistoryReader(database: database, assetIdentifier: assetIdentifier)
        return try reader.history().chain.contains { edit in
            let stored = edit.base ?? (edit.editingExtension == nil ? edit.current : nil)
            return stored.map { store.exists($0.blob) } ?? false
        }
    }
}
