// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// Adds the parts of renditions, of which a Live Photo has two, and the durations of videos,
    /// which edits can change.
    static func addParts(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE rendition_7 (
                    edit_id INTEGER NOT NULL REFERENCES edit (id) ON DELETE CASCADE,
                    kind TEXT NOT NULL CHECK (kind IN ('current', 'base')),
                    part TEXT NOT NULL CHECK (part IN ('photo', 'video')),
                    key TEXT NOT NULL CHECK (length(key) = 64),
                    ingredients BLOB NOT NULL,
                    blob_hash TEXT NOT NULL REFERENCES blob (hash),
                    pixel_width INTEGER NOT NULL CHECK (pixel_width > 0),
                    pixel_height INTEGER NOT NULL CHECK (pixel_height > 0),
                    duration REAL CHECK (duration >= 0),
                    format TEXT NOT NULL,
                    created INTEGER NOT NULL,
                    PRIMARY KEY (edit_id, kind, part)
                ) STRICT, WITHOUT ROWID;
                INSERT INTO rendition_7 (edit_id, kind, part, key, ingredients, blob_hash,
                    pixel_width, pixel_height, format, created)
                SELECT edit_id, kind, CASE WHEN format IN ('mp4', 'quickTime', 'matroska', 'video')
                    THEN 'video' ELSE 'photo' END, key, ingredients, blob_hash,
                    pixel_width, pixel_height, format, created FROM rendition;
                DROP TABLE rendition;
                ALTER TABLE rendition_7 RENAME TO rendition;
                CREATE INDEX rendition_blob ON rendition (blob_hash);
                ALTER TABLE asset ADD COLUMN original_duration REAL NOT NULL DEFAULT 0
                    CHECK (original_duration >= 0);
                UPDATE asset SET original_duration = duration;
                """)
    }
}
