// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import GRDB

extension PhotoLibrary {
    /// Returns the row IDs of all assets outside the trash, in database order.
    ///
    /// - Throws: `LibraryError`.
    package func assetRows() throws -> [Int64] {
        try read { try $0.values("SELECT id FROM asset WHERE +trashed_date IS NULL ORDER BY id") }
    }

    /// Returns the row IDs of the assets with these identifiers, in database order, so that no page
    /// is read twice. Unknown identifiers and assets in the trash are ignored.
    ///
    /// - Throws: `LibraryError`.
    package func assetRows(of identifiers: [String]) throws -> [Int64] {
        let wanted = String(decoding: try JSONEncoder().encode(identifiers), as: UTF8.self)
        return try read { database in
            try database.values(
                """
                SELECT asset.id FROM json_each(?) AS wanted
                CROSS JOIN asset ON asset.uuid = wanted.value
                WHERE +trashed_date IS NULL ORDER BY asset.id
                """, [wanted])
        }
    }

    /// Reads the data that decides whether renditions are up to date. This reads at least three
    /// rows for each edited asset, but no recipe.
    ///
    /// - Parameter rows: The row IDs of the assets, a few thousand at a time.
    /// - Throws: `LibraryError`.
    package func renditionRecords(ofRows rows: [Int64]) throws -> RenditionRecords {
        try read { database in
            var unedited: [(row: Int64, identifier: String)] = []
            var edited: [Int64: String] = [:]
            try database.cachedStatement(
                sql: """
                    SELECT asset.id, uuid, position IS NULL FROM json_each(?) AS wanted
                    CROSS JOIN asset ON asset.id = wanted.value
                    """
            ).forEachRow([rows.json]) { row in
                let (number, identifier) = (try row.rowNumber(0), try row.value(1, as: String.self))
                if try row.value(2) {
                    unedited.append((number, identifier))
                } else {
                    edited[number] = identifier
                }
            }
            return RenditionRecords(
                unedited: unedited, edited: try RenditionRecord.all(of: edited, database))
        }
    }
}
