// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Reads keywords.
enum Keywords {
    /// The keywords of a row, in the order of their bytes.
    static func fetch(ofRow id: Int64, _ database: Database) throws -> [String] {
        try database.values("SELECT text FROM keyword WHERE asset_id = ? ORDER BY text", [id])
    }
}

extension PhotoLibrary {
    /// The keywords of an asset, sorted by their bytes. They are no part of ``Asset``, so that
    /// fetching many stays cheap.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset`.
    package func keywords(ofAsset identifier: String) throws -> [String] {
        let found = try read { database in
            let id = try database.value(
                "SELECT id FROM asset WHERE uuid = ?", [identifier], as: Int64.self)
            return try id.map { try Keywords.fetch(ofRow: $0, database) }
        }
        guard let found else { throw LibraryError.noSuchAsset(identifier) }
        return found
    }
}

extension PhotoLibrary {
    /// The labels of assets that are the same as one, whatever their case and however their characters are composed.
    ///
    /// - Throws: `LibraryError`.
    package func labels(sameAs label: String) throws -> [String] {
        if label.utf8.contains(0) { return [] }
        return try read { database in
            try database.values(
                """
                SELECT label FROM (SELECT DISTINCT label FROM asset WHERE label IS NOT NULL)
                WHERE is_same_name(label, ?)
                """, [label])
        }
    }
}

extension Asset {
    /// The asset's keywords as they are now, sorted by their bytes.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset`.
    public func keywords(in library: PhotoLibrary) throws -> [String] {
        try library.keywords(ofAsset: localIdentifier)
    }
}
