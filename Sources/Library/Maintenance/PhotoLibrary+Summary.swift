// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

extension PhotoLibrary {
    /// Returns what the library contains. No file is read. The token is read first, so that no
    /// change after the summary is missed.
    ///
    /// - Throws: `LibraryError`.
    package func summary() throws -> LibrarySummary {
        let token = try currentChangeToken
        return try read { database in
            func number(_ sql: String) throws -> Int {
                try database.value("SELECT \(sql)", as: Int.self) ?? 0
            }
            func assets(_ condition: String) throws -> Int {
                try number("count(*) FROM asset WHERE trashed_date IS NULL AND \(condition)")
            }
            func bytes(ofTable table: String) throws -> Int {
                try number(
                    "ifnull(sum(size), 0) FROM blob WHERE hash IN (SELECT blob_hash FROM \(table))")
            }
            return LibrarySummary(
                version: try database.value("PRAGMA user_version", as: Int.self) ?? 0,
                photoCount: try assets("media_type = \(MediaType.image.rawValue)"),
                videoCount: try assets("media_type = \(MediaType.video.rawValue)"),
                hiddenCount: try assets("is_hidden = 1"),
                editedCount: try assets("asset.position IS NOT NULL"),
                trashedCount: try number("count(*) FROM asset WHERE trashed_date IS NOT NULL"),
                albumCount: try number("count(*) FROM collection WHERE kind = 'album'"),
                referencedCount: try number(
                    "count(*) FROM resource WHERE is_primary = 1 AND blob_hash IS NULL"),
                originalBytes: try bytes(ofTable: "resource"),
                renditionBytes: try bytes(ofTable: "rendition"),
                unusedCount: try number("count(*) \(BlobInventory.unusedRows)"),
                unusedBytes: try number("ifnull(sum(size), 0) \(BlobInventory.unusedRows)"),
                token: token)
        }
    }
}
