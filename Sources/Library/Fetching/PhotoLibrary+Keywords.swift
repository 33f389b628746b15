// SPDX-License-Identifier: Apache-2.0

import EditingModel
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

    /// Returns the keywords of the library that are the given one or below it in a hierarchy. The
    /// levels may be separated by bars or slashes.
    ///
    /// - Throws: `LibraryError`.
    package func keywords(inBranch keyword: String) throws -> [String] {
        try read { database in
            try database.values("SELECT DISTINCT text FROM keyword", as: String.self)
        }.filter { KeywordPath($0).isInBranch(keyword) }
    }

    /// Returns the keywords of all assets outside the trash, with the number of assets that have
    /// each, in byte order.
    ///
    /// - Throws: `LibraryError`.
    package func keywordCounts() throws -> [(keyword: String, count: Int)] {
        try read { database in
            try database.records(
                """
                SELECT text, count(*) FROM keyword JOIN asset ON asset.id = keyword.asset_id
                WHERE trashed_date IS NULL GROUP BY text ORDER BY text
                """
            ) { row in (try row.value(0, as: String.self), try row.value(1, as: Int.self)) }
        }
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
