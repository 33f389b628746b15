// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

extension PhotoLibrary {
    /// Returns the asset with this identifier.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset`, also for an asset in the trash.
    public func asset(withLocalIdentifier identifier: String) throws -> Asset {
        try asset(withLocalIdentifier: identifier, mayBeTrashed: false)
    }

    /// Returns the asset with this identifier.
    ///
    /// - Parameter mayBeTrashed: Whether an asset in the trash is returned too.
    /// - Throws: `LibraryError` with `noSuchAsset`.
    package func asset(
        withLocalIdentifier identifier: String, mayBeTrashed: Bool
    ) throws -> Asset {
        let found = try read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT \(Asset.columns) FROM asset WHERE uuid = ?")
            return try statement.record([identifier], Asset.init(row:))
        }
        guard let found else { throw LibraryError.noSuchAsset(identifier) }
        guard mayBeTrashed || !found.isTrashed else { throw LibraryError.assetInTrash(identifier) }
        return found
    }

    /// Returns the only asset outside the trash whose identifier begins with the prefix, ignoring
    /// case.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset` or `ambiguousIdentifier`.
    public func asset(withIdentifierPrefix prefix: String) throws -> Asset {
        try only(assets(withIdentifierPrefix: prefix, limit: 2), prefix) {
            let trashed = try assets(withIdentifierPrefix: prefix, areTrashed: true, limit: 1)
            return trashed.isEmpty
                ? LibraryError.noSuchAsset(prefix)
                : LibraryError.assetInTrash(trashed[0].localIdentifier)
        }
    }

    /// Returns the only asset in the trash whose identifier begins with the prefix, ignoring case.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset` or `ambiguousIdentifier`.
    package func trashedAsset(withIdentifierPrefix prefix: String) throws -> Asset {
        try only(assets(withIdentifierPrefix: prefix, areTrashed: true, limit: 2), prefix) {
            LibraryError(.noSuchAsset, "there is no such asset in the trash", asset: prefix)
        }
    }

    private func only(
        _ found: [Asset], _ prefix: String, or missing: () throws -> LibraryError
    ) throws -> Asset {
        guard let asset = found.first else { throw try missing() }
        guard found.count == 1 else {
            throw LibraryError.ambiguousAsset(prefix)
        }
        return asset
    }

    /// Returns the assets whose identifiers begin with the prefix, ignoring case, including hidden
    /// ones.
    ///
    /// - Parameter areTrashed: Whether to return the assets in the trash, or those outside it.
    /// - Throws: `LibraryError`.
    package func assets(
        withIdentifierPrefix prefix: String, areTrashed: Bool = false, limit: Int = 100
    ) throws -> [Asset] {
        let prefix = prefix.lowercased()
        guard Asset.isIdentifier(prefix), limit > 0 else { return [] }
        return try read { database in
            // "g" sorts after every character of an identifier.
            try database.records(
                """
                SELECT \(Asset.columns) FROM asset
                WHERE uuid >= ? AND uuid < ? AND +(trashed_date IS NOT NULL) = ?
                ORDER BY uuid LIMIT ?
                """,
                [prefix, prefix + "g", areTrashed, limit], Asset.init(row:))
        }
    }

    /// Returns the asset whose original, stored or referenced, has this hash, or nil. It may be in
    /// the trash.
    ///
    /// - Throws: `LibraryError`.
    package func asset(withOriginalHash hash: SHA256Digest) throws -> Asset? {
        try read { database in
            try database.record(
                """
                SELECT \(Asset.columns) FROM asset WHERE id IN (
                    SELECT asset_id FROM resource WHERE \(AssetResource.isOriginalOfHash))
                """,
                ["hash": hash.hex], Asset.init(row:))
        }
    }

    /// Returns the assets whose original is the referenced file at a URL, the earliest first. There
    /// are several if the file was replaced.
    ///
    /// - Throws: `LibraryError`.
    package func assets(withOriginalAt url: String) throws -> [Asset] {
        try read { database in
            try database.records(
                """
                SELECT \(Asset.columns) FROM asset WHERE id IN (
                    SELECT asset_id FROM resource
                    WHERE url = ? AND +is_primary = 1 AND +blob_hash IS NULL)
                ORDER BY id
                """,
                [url], Asset.init(row:))
        }
    }

    /// Returns the assets outside the trash that have this content identifier themselves, the
    /// earliest first. The photo and the video of a Live Photo share one.
    ///
    /// - Throws: `LibraryError`.
    package func assets(withContentIdentifier identifier: String) throws -> [Asset] {
        try read { database in
            try database.records(
                """
                SELECT \(Asset.columns) FROM asset
                WHERE content_identifier = ? AND +trashed_date IS NULL ORDER BY id
                """,
                [identifier], Asset.init(row:))
        }
    }

    /// Returns the Live Photo whose video has this hash, or nil. It may be in the trash.
    ///
    /// - Throws: `LibraryError`.
    package func asset(withPairedVideoHash hash: SHA256Digest) throws -> Asset? {
        try read { database in
            try database.record(
                """
                SELECT \(Asset.columns) FROM asset WHERE id IN (
                    SELECT asset_id FROM resource
                    WHERE type = :type AND (blob_hash = :hash OR content_hash = :hash))
                """,
                ["hash": hash.hex, "type": AssetResourceType.pairedVideo.rawValue],
                Asset.init(row:))
        }
    }

    /// Returns the complete edit history of an asset, read in one transaction. The asset may be in
    /// the trash.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset`.
    public func history(ofAsset identifier: String) throws -> AssetHistory {
        try read { database in
            try HistoryReader(database: database, assetIdentifier: identifier).history()
        }
    }

    /// Whether the current version of any asset is edited.
    ///
    /// - Throws: `LibraryError` if the database cannot be read.
    package var hasEditedAssets: Bool {
        get throws {
            try read { database in
                try database.value(
                    """
                    SELECT EXISTS (SELECT 1 FROM asset WHERE adjustment_format IS NOT NULL)
                    """, as: Bool.self) ?? false
            }
        }
    }

    /// Returns the identifiers of all assets with an edit or a revert to undo.
    ///
    /// - Throws: `LibraryError` if the database cannot be read.
    package func identifiersOfAssetsToUndo() throws -> Set<String> {
        try read { database in
            let identifiers: [String] = try database.values(
                """
                SELECT uuid FROM asset WHERE position IS NOT NULL OR reverted_position IS NOT NULL
                """)
            return Set(identifiers)
        }
    }

    /// Returns the identifiers of all assets with undone edits, which a redo restores.
    ///
    /// - Throws: `LibraryError`.
    package func identifiersOfAssetsToRedo() throws -> Set<String> {
        try read { database in
            let identifiers: [String] = try database.values(
                """
                SELECT DISTINCT uuid FROM state JOIN asset ON asset.id = asset_id
                WHERE state.position > ifnull(asset.position, 0)
                """)
            return Set(identifiers)
        }
    }

    /// Returns the complete edit histories of assets in their order, read in one transaction, or
    /// the error of each.
    ///
    /// - Throws: `LibraryError` if the database cannot be read.
    package func histories(
        ofAssets identifiers: [String]
    ) throws -> [Result<AssetHistory, any Error>] {
        try read { database in
            identifiers.map { identifier in
                Result {
                    try HistoryReader(database: database, assetIdentifier: identifier).history()
                }
            }
        }
    }
}
