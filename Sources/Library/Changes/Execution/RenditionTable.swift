// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// The `rendition` table: the stored renditions of edits.
struct RenditionTable {
    let context: ChangeContext

    /// Stores all parts of an edit's rendition, replacing existing ones.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` if the size or duration could not be read
    ///   back.
    func insert(_ rendered: RenderedContent, kind: Rendition.Kind, edit: Int64) throws {
        try Self.requireStorable(rendered)
        for part in rendered.otherParts { try insert(part, kind: kind, edit: edit) }
        try context.insertBlob(rendered.blob)
        try context.database.execute(
            sql: """
                INSERT INTO rendition (edit_id, kind, part, key, ingredients, blob_hash,
                    pixel_width, pixel_height, duration, format, created)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (edit_id, kind, part) DO UPDATE SET key = excluded.key,
                    ingredients = excluded.ingredients,
                    blob_hash = excluded.blob_hash, pixel_width = excluded.pixel_width,
                    pixel_height = excluded.pixel_height,
                    duration = excluded.duration, format = excluded.format,
                    created = excluded.created
                """,
            arguments: [
                edit, kind.rawValue, rendered.part.rawValue, rendered.key.hex, rendered.ingredients,
                rendered.blob.hash.hex, rendered.pixelWidth, rendered.pixelHeight,
                rendered.duration, rendered.format.rawValue, context.date.microseconds,
            ])
    }

    private static func requireStorable(_ rendered: RenderedContent) throws {
        let (width, height) = (rendered.pixelWidth, rendered.pixelHeight)
        guard StoredValueLimits.pixels.contains(width), StoredValueLimits.pixels.contains(height)
        else {
            throw LibraryError(
                .invalidRequest, "the rendition has an out-of-range size: \(width) × \(height)")
        }
        // SQLite would store NaN as NULL.
        if let duration = rendered.duration, !StoredValueLimits.seconds.contains(duration) {
            throw LibraryError(
                .invalidRequest, "the rendition has an out-of-range duration: \(duration) seconds")
        }
    }

    /// Returns the hexadecimal hash of a stored rendition.
    func hash(
        _ kind: Rendition.Kind, _ part: Rendition.Part, ofEdit edit: Int64
    ) throws -> String? {
        try context.database.value(
            "SELECT blob_hash FROM rendition WHERE edit_id = ? AND kind = ? AND part = ?",
            [edit, kind.rawValue, part.rawValue], as: String.self)
    }

    /// The size and duration of an asset at an edit's current rendition.
    struct Extent {
        let width: Int
        let height: Int
        /// In seconds; nil for the duration of the original.
        let duration: Double?

        init(width: Int, height: Int, duration: Double?) {
            self.width = width
            self.height = height
            self.duration = duration
        }

        init(_ content: RenderedContent) {
            self.init(
                width: content.pixelWidth, height: content.pixelHeight, duration: content.duration)
        }
    }

    /// Returns the extent of an edit's current rendition.
    ///
    /// - Throws: `LibraryError` with `renditionMissing`.
    func currentExtent(ofEdit edit: Int64, _ identifier: String) throws -> Extent {
        let stored = try context.database.record(
            """
            SELECT pixel_width, pixel_height, duration, blob_hash FROM rendition
            WHERE edit_id = ? AND kind = 'current' ORDER BY part LIMIT 1
            """,
            [edit]
        ) { row in
            (
                extent: Extent(
                    width: try row.value(0, in: StoredValueLimits.pixels),
                    height: try row.value(1, in: StoredValueLimits.pixels),
                    duration: try row.optionalSeconds(2)),
                blob: try row.value(3, as: SHA256Digest.self)
            )
        }
        if let stored, context.store.exists(stored.blob) { return stored.extent }
        throw LibraryError(
            .renditionMissing, "the state's rendition is not stored; render it again",
            asset: identifier)
    }
}
