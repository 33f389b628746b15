// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// The stored pictures of edits.
struct RenditionTable {
    let context: ChangeContext

    /// Stores an edit's pixels, in the place of those that it had.
    func insert(_ rendered: RenderedContent, kind: Rendition.Kind, edit: Int64) throws {
        try context.insertBlob(rendered.blob)
        try context.database.execute(
            sql: """
                INSERT INTO rendition (edit_id, kind, key, ingredients, blob_hash,
                    pixel_width, pixel_height, format, created)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (edit_id, kind) DO UPDATE SET key = excluded.key,
                    ingredients = excluded.ingredients,
                    blob_hash = excluded.blob_hash, pixel_width = excluded.pixel_width,
                    pixel_height = excluded.pixel_height, format = excluded.format,
                    created = excluded.created
                """,
            arguments: [
                edit, kind.rawValue, rendered.key.hex, rendered.ingredients,
                rendered.blob.hash.hex, rendered.pixelWidth, rendered.pixelHeight,
                rendered.format.rawValue, context.date.microseconds,
            ])
    }

    /// The hash of an edit's rendition, as it is stored.
    func hash(_ kind: Rendition.Kind, ofEdit edit: Int64) throws -> String? {
        try context.database.value(
            "SELECT blob_hash FROM rendition WHERE edit_id = ? AND kind = ?",
            [edit, kind.rawValue], as: String.self)
    }

    /// The size of an edit's current rendition, or `renditionMissing`.
    func currentSize(
        ofEdit edit: Int64, _ identifier: String
    ) throws -> (width: Int, height: Int) {
        let stored = try context.database.record(
            """
            SELECT pixel_width, pixel_height, blob_hash FROM rendition
            WHERE edit_id = ? AND kind = 'current'
            """,
            [edit]
        ) { row in
            (
                width: try row.value(0, in: Limits.pixels),
                height: try row.value(1, in: Limits.pixels),
                blob: try row.value(2, as: SHA256Digest.self)
            )
        }
        if let stored, context.store.exists(stored.blob) { return (stored.width, stored.height) }
        throw LibraryError(
            .renditionMissing, "the state's rendition is not stored; it must be rendered again",
            asset: identifier)
    }
}
