// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

extension PhotoLibrary {
    /// Returns the renditions stored in a file, the earliest edits first.
    ///
    /// - Throws: `LibraryError`.
    package func renditions(inBlob hash: SHA256Digest) throws -> [RenditionUse] {
        try read { database in
            try database.records(
                """
                SELECT asset.uuid, edit.uuid, kind, part FROM rendition
                JOIN edit ON edit.id = edit_id JOIN asset ON asset.id = asset_id
                WHERE blob_hash = ? ORDER BY asset.id, edit.id, kind, part
                """,
                [hash.hex]
            ) { row in
                RenditionUse(
                    assetIdentifier: try row.value(0), editIdentifier: try row.value(1),
                    kind: try row.value(2), part: try row.value(3))
            }
        }
    }
}
