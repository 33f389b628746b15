// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

extension PhotoLibrary {
    /// Returns the asset with this identifier.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset`.
    public func asset(withLocalIdentifier identifier: String) throws -> Asset {
        let found = try read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT \(Asset.columns) FROM asset WHERE uuid = ?")
            return try statement.record([identifier], Asset.init(row:))
        }
        guard let found else { throw LibraryError.noSuchAsset(identifier) }
        return found
    }

    /// Returns the only asset whose identifier begins with the prefix, ignoring case.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset` or `ambiguousIdentifier`.
    public func asset(withIdentifierPrefix prefix: String) throws -> Asset {
        let found = try assets(withIdentifierPrefix: prefix, limit: 2)
        guard let asset = found.first else { throw LibraryError.noSuchAsset(prefix) }
        guard found.count == 1 else {
            throw LibraryError.ambiguousAsset(prefix)
        }
        return asset
    }

    /// Returns the assets whose identifiers begin with the prefix, ignoring case, including hidden
    /// ones.
    ///
    /// - Throws: `LibraryError`.
    package func assets(withIdentifierPrefix prefix: String, limit: Int = 100) throws -> [Asset] {
        let prefix = prefix.lowercased()
        guard Asset.isIdentifier(prefix), limit > 0 else { return [] }
        return try read { database in
            // "g" sorts after every character of an identifier.
            try database.records(
                """
                SELECT \(Asset.columns) FROM asset
                WHERE uuid >= ? AND uuid < ? ORDER BY uuid LIMIT ?
                """,
                [prefix, prefix + "g", limit], Asset.init(row:))
        }
    }

    /// Returns the asset whose original, stored or referenced, has this hash, or nil.
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

    /// Returns the assets that have this content identifier themselves, the earliest first. The
    /// photo and the video of a Live Photo share one.
    ///
    /// - Throws: `LibraryError`.
    package func assets(withContentIdentifier identifier: String) throws -> [Asset] {
        try read { database in
            try database.records(
                "SELECT \(Asset.columns) FROM asset WHERE content_identifier = ? ORDER BY id",
                [identifier], Asset.init(row:))
        }
    }

    /// Returns the Live Photo whose video has this hash, or nil.
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

    /// Returns the complete edit history of an asset, read in one transaction.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset`.
    public func history(ofAsset identifier: String) throws -> AssetHistory {
        try read { database in
            try HistoryReader(database: database, assetIdentifier: identifier).history()
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
