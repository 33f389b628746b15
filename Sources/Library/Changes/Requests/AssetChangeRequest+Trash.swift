// SPDX-License-Identifier: Apache-2.0

extension AssetChangeRequest {
    /// Requests that assets be moved to the trash. They keep their edits, keywords, albums and all
    /// other properties, but fetches leave them out; see ``FetchOptions/includeTrashedAssets``. The
    /// first `prune` after ``TrashPeriod`` removes them for good. A no-op for assets in the trash.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `noSuchAsset` if
    ///   one does not exist.
    public static func deleteAssets(_ assets: some Sequence<Asset>) throws {
        try add(.trash, assets)
    }

    /// Requests that assets be restored from the trash, with everything that they had. A no-op for
    /// assets outside the trash.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `noSuchAsset` if
    ///   one does not exist.
    public static func restoreAssets(_ assets: some Sequence<Asset>) throws {
        try add(.restore, assets)
    }

    /// Requests that assets and their edits be removed for good, from the trash or from outside it.
    /// Their files are removed when the library is next pruned.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `noSuchAsset` if
    ///   one does not exist.
    public static func removeAssets(_ assets: some Sequence<Asset>) throws {
        try add(.remove, assets)
    }

    /// Requests that assets be removed for good if they are still in the trash. Assets that were
    /// restored or removed in the meantime are left.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public static func emptyTrash(of assets: some Sequence<Asset>) throws {
        try add(.empty, assets)
    }

    private static func add(
        _ action: AssetTrashRequest.Action, _ assets: some Sequence<Asset>
    ) throws {
        try ChangeBlock.current()
            .add(AssetTrashRequest(action: action, identifiers: assets.map(\.localIdentifier)))
    }
}
