// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// Dates are microseconds since 1970. A hash is 64 hexadecimal digits. An asset's `position` is
    /// the state it is in: null is the original, n the state after n undo steps.
    static let firstVersion = """
        CREATE TABLE library (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            uuid TEXT NOT NULL,
            created INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE blob (
            hash TEXT PRIMARY KEY CHECK (length(hash) = 64),
            size INTEGER NOT NULL CHECK (size > 0)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE asset (
            id INTEGER PRIMARY KEY,
            uuid TEXT NOT NULL UNIQUE,
            media_type INTEGER NOT NULL CHECK (media_type BETWEEN 0 AND 3),
            media_subtypes INTEGER NOT NULL,
            source_type INTEGER NOT NULL,
            pixel_width INTEGER NOT NULL CHECK (pixel_width >= 0),
            pixel_height INTEGER NOT NULL CHECK (pixel_height >= 0),
            original_pixel_width INTEGER NOT NULL CHECK (original_pixel_width >= 0),
            original_pixel_height INTEGER NOT NULL CHECK (original_pixel_height >= 0),
            creation_date INTEGER,
            creation_offset INTEGER CHECK (creation_offset BETWEEN -86400 AND 86400),
            file_date INTEGER,
            added_date INTEGER NOT NULL,
            modification_date INTEGER NOT NULL,
            latitude REAL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL CHECK (longitude BETWEEN -180 AND 180),
            duration REAL NOT NULL CHECK (duration >= 0),
            is_favorite INTEGER NOT NULL CHECK (is_favorite IN (0, 1)),
            is_hidden INTEGER NOT NULL CHECK (is_hidden IN (0, 1)),
            burst_identifier TEXT,
            represents_burst INTEGER NOT NULL CHECK (represents_burst IN (0, 1)),
            burst_selection_types INTEGER NOT NULL,
            original_filename TEXT NOT NULL,
            generation INTEGER NOT NULL CHECK (generation >= 0),
            position INTEGER CHECK (position > 0),
            adjustment_format TEXT,
            CHECK ((latitude IS NULL) = (longitude IS NULL)),
            CHECK (creation_offset IS NULL OR creation_date IS NOT NULL),
            CHECK ((position IS NULL) = (adjustment_format IS NULL)),
            FOREIGN KEY (id, position) REFERENCES state (asset_id, position)
                DEFERRABLE INITIALLY DEFERRED
        ) STRICT;
        CREATE INDEX asset_creation_date ON asset (creation_date);
        CREATE INDEX asset_added_date ON asset (added_date);
        CREATE INDEX asset_adjustment_format ON asset (adjustment_format)
            WHERE adjustment_format IS NOT NULL;
        CREATE INDEX asset_burst ON asset (burst_identifier) WHERE burst_identifier IS NOT NULL;

        CREATE TABLE resource (
            id INTEGER PRIMARY KEY,
            asset_id INTEGER NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
            type INTEGER NOT NULL,
            is_primary INTEGER NOT NULL CHECK (is_primary IN (0, 1)),
            blob_hash TEXT REFERENCES blob (hash),
            remote_url TEXT,
            filename TEXT NOT NULL,
            format TEXT NOT NULL,
            facts TEXT,
            CHECK (blob_hash IS NOT NULL OR remote_url IS NOT NULL)
        ) STRICT;
        CREATE INDEX resource_asset ON resource (asset_id);
        CREATE INDEX resource_blob ON resource (blob_hash);
        CREATE UNIQUE INDEX resource_primary ON resource (asset_id) WHERE is_primary = 1;
        CREATE UNIQUE INDEX resource_content ON resource (blob_hash) WHERE is_primary = 1;

        CREATE TABLE edit (
            id INTEGER PRIMARY KEY,
            uuid TEXT NOT NULL UNIQUE,
            asset_id INTEGER NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
            parent_id INTEGER,
            extension_identifier TEXT,
            extension_version TEXT,
            binary_hash TEXT CHECK (length(binary_hash) = 64),
            hashed_files_hash TEXT CHECK (length(hashed_files_hash) = 64),
            format_identifier TEXT NOT NULL CHECK (length(format_identifier) > 0),
            format_version TEXT NOT NULL CHECK (length(format_version) > 0),
            adjustment_data BLOB NOT NULL
                CHECK (length(adjustment_data) BETWEEN 1 AND 16777216),
            created INTEGER NOT NULL,
            UNIQUE (asset_id, id),
            CHECK (parent_id < id),
            CHECK ((extension_identifier IS NULL) = (extension_version IS NULL)),
            CHECK ((extension_identifier IS NULL) = (binary_hash IS NULL)),
            FOREIGN KEY (asset_id, parent_id) REFERENCES edit (asset_id, id)
        ) STRICT;
        CREATE INDEX edit_parent ON edit (asset_id, parent_id);

        CREATE TABLE state (
            asset_id INTEGER NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position > 0),
            tip_id INTEGER NOT NULL,
            created INTEGER NOT NULL,
            PRIMARY KEY (asset_id, position),
            FOREIGN KEY (asset_id, tip_id) REFERENCES edit (asset_id, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX state_tip ON state (asset_id, tip_id);

        CREATE TABLE rendition (
            edit_id INTEGER NOT NULL REFERENCES edit (id) ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (kind IN ('current', 'base')),
            key TEXT NOT NULL CHECK (length(key) = 64),
            ingredients BLOB NOT NULL,
            blob_hash TEXT NOT NULL REFERENCES blob (hash),
            pixel_width INTEGER NOT NULL CHECK (pixel_width > 0),
            pixel_height INTEGER NOT NULL CHECK (pixel_height > 0),
            format TEXT NOT NULL,
            created INTEGER NOT NULL,
            PRIMARY KEY (edit_id, kind)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX rendition_blob ON rendition (blob_hash);

        CREATE TABLE change (
            token INTEGER PRIMARY KEY AUTOINCREMENT,
            date INTEGER NOT NULL,
            session TEXT NOT NULL
        ) STRICT;

        CREATE TABLE change_item (
            token INTEGER NOT NULL REFERENCES change (token) ON DELETE CASCADE,
            object_type TEXT NOT NULL CHECK (object_type IN ('asset', 'collection')),
            object_uuid TEXT NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('inserted', 'updated', 'removed')),
            is_content INTEGER NOT NULL CHECK (is_content IN (0, 1)),
            PRIMARY KEY (token, object_type, object_uuid)
        ) STRICT, WITHOUT ROWID;
        """
}
