// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// A file that rows refer to: an original, a rendition, or a file of an edit's parameter. It is
/// several of these if their contents are equal.
struct ReferencedBlob {
    let hash: SHA256Digest
    let size: Int
    /// The identifier of one of the assets that use the file.
    let asset: String
    let isOriginal: Bool
    /// Whether a user chose the file for a parameter of an edit.
    let isEditFile: Bool
    /// Whether the file is the current version of an asset.
    let isShown: Bool

    /// Returns every file that a row refers to, once.
    static func all(in library: PhotoLibrary) throws -> [ReferencedBlob] {
        try library.read { database in
            try database.records(
                """
                SELECT hash, size, min(uuid), max(is_original), max(is_shown), max(is_edit_file) FROM (
                    SELECT blob_hash AS hash, uuid, 1 AS is_original, 0 AS is_shown,
                        0 AS is_edit_file
                    FROM resource JOIN asset ON asset.id = asset_id
                    WHERE blob_hash IS NOT NULL
                    UNION ALL
                    SELECT blob_hash, asset.uuid, 0, kind = 'current' AND EXISTS (
                        SELECT 1 FROM state WHERE state.asset_id = asset.id
                        AND state.position = asset.position AND tip_id = edit.id), 0
                    FROM rendition JOIN edit ON edit.id = edit_id
                    JOIN asset ON asset.id = asset_id
                    UNION ALL
                    SELECT blob_hash, asset.uuid, 0, 0, 1
                    FROM edit_file JOIN edit ON edit.id = edit_id
                    JOIN asset ON asset.id = asset_id)
                JOIN blob USING (hash) GROUP BY hash ORDER BY hash
                """
            ) { row in
                ReferencedBlob(
                    hash: try row.value(0), size: try row.value(1, in: StoredValueLimits.bytes),
                    asset: try row.value(2), isOriginal: try row.value(3),
                    isEditFile: try row.value(5), isShown: try row.value(4))
            }
        }
    }

    /// Whether a row still refers to the file. It may have been pruned since the rows were read.
    func isStillReferenced(in library: PhotoLibrary) throws -> Bool {
        try library.read { database in
            try database.value(
                """
                SELECT EXISTS (SELECT 1 FROM resource WHERE blob_hash = :hash)
                    OR EXISTS (SELECT 1 FROM rendition WHERE blob_hash = :hash)
                    OR EXISTS (SELECT 1 FROM edit_file WHERE blob_hash = :hash)
                """,
                ["hash": hash.hex]) ?? false
        }
    }
}
