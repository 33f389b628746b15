// SPDX-License-Identifier: Apache-2.0

import GRDB

extension PhotoLibrary {
    /// Returns the keywords of an asset, in byte order. They are not part of ``Asset``, which keeps
    /// large fetches cheap.
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
    /// Returns the labels of assets outside the trash that equal the given one, ignoring case and
    /// Unicode normalisation.
    ///
    /// - Throws: `LibraryError`.
    package func labels(sameAs label: String) throws -> [String] {
        if label.utf8.contains(0) { return [] }
        return try read { database in
            try database.values(
                """
                SELECT label FROM (
                    SELECT DISTINCT label FROM asset
                    WHERE label IS NOT NULL AND trashed_date IS NULL)
                WHERE is_same_name(label, ?)
                """, [label])
        }
    }
}
