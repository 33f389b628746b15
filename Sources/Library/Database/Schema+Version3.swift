// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// Adds collections, keywords, cameras, referenced originals, burst representatives, a history
    /// of collections and members, and indexes for a million assets.
    ///
    /// Fetch results hold row ids, so ids are never reused: `next_asset_id` and
    /// `next_collection_id` only grow. History entries up to `last_forgotten_token` are deleted.
    /// Those of version 1 do not identify their rows, so all of them are deleted.
    static func addCollections(_ database: Database) throws {
        try database.execute(sql: counters + assetColumns + resourceColumns)
        try database.execute(sql: collections + history + statistics)
        try chooseRepresentatives(database)
    }

    private static let counters = """
        ALTER TABLE library ADD COLUMN next_asset_id INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE library ADD COLUMN next_collection_id INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE library ADD COLUMN last_forgotten_token INTEGER NOT NULL DEFAULT 0;
        UPDATE library SET next_asset_id = ifnull((SELECT max(id) FROM asset), 0) + 1,
            last_forgotten_token = ifnull((SELECT max(token) FROM change), 0);
        """

    /// `sort_date` and `sort_file_date` sort missing dates last, which an index can use.
    /// `is_listed` is true if a fetch without options includes the asset.
    private static let assetColumns = """
        ALTER TABLE asset ADD COLUMN camera_make TEXT;
        ALTER TABLE asset ADD COLUMN camera_model TEXT;
        ALTER TABLE asset ADD COLUMN lens_model TEXT;
        ALTER TABLE asset ADD COLUMN rating INTEGER CHECK (rating BETWEEN -1 AND 5);
        ALTER TABLE asset ADD COLUMN content_identifier TEXT;
        ALTER TABLE asset ADD COLUMN sort_date INTEGER
            GENERATED ALWAYS AS (ifnull(creation_date, 9223372036854775807)) VIRTUAL;
        ALTER TABLE asset ADD COLUMN sort_file_date INTEGER
            GENERATED ALWAYS AS (ifnull(file_date, 9223372036854775807)) VIRTUAL;
        ALTER TABLE asset ADD COLUMN is_listed INTEGER GENERATED ALWAYS AS (
            is_hidden = 0 AND source_type & 1 <> 0
            AND (burst_identifier IS NULL OR represents_burst = 1
                OR burst_selection_types & 2 <> 0)) VIRTUAL;
        DROP INDEX asset_adjustment_format;
        DROP INDEX asset_creation_date;
        CREATE INDEX asset_creation_date ON asset (sort_date, sort_file_date);
        CREATE INDEX asset_listed ON asset (is_listed, sort_date, sort_file_date);
        CREATE INDEX asset_media_type ON asset (media_type, is_listed, sort_date, sort_file_date);
        CREATE INDEX asset_favorite ON asset (is_listed, sort_date, sort_file_date)
            WHERE is_favorite = 1;
        CREATE INDEX asset_hidden ON asset (sort_date, sort_file_date) WHERE is_hidden = 1;
        CREATE INDEX asset_edited ON asset (is_listed, sort_date, sort_file_date)
            WHERE position IS NOT NULL;
        CREATE INDEX asset_format ON asset (
            is_listed, adjustment_format, sort_date, sort_file_date)
            WHERE adjustment_format IS NOT NULL;
        CREATE INDEX asset_latitude ON asset (latitude, longitude) WHERE latitude IS NOT NULL;
        CREATE INDEX asset_content ON asset (content_identifier)
            WHERE content_identifier IS NOT NULL;
        CREATE UNIQUE INDEX asset_representative ON asset (burst_identifier)
            WHERE represents_burst = 1;

        CREATE TABLE keyword (
            asset_id INTEGER NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
            text TEXT NOT NULL CHECK (length(text) > 0),
            PRIMARY KEY (asset_id, text)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX keyword_text ON keyword (text);
        """

    /// `url` is the location of content outside the library: a `file:` URL for a referenced
    /// original. `content_hash`, `content_size` and `content_date` (the modification time) describe
    /// the file at the time it was referenced.
    private static let resourceColumns = """
        ALTER TABLE resource RENAME COLUMN remote_url TO url;
        ALTER TABLE resource ADD COLUMN content_hash TEXT CHECK (length(content_hash) = 64);
        ALTER TABLE resource ADD COLUMN content_size INTEGER CHECK (content_size > 0);
        ALTER TABLE resource ADD COLUMN content_date INTEGER;
        CREATE UNIQUE INDEX resource_referenced_content ON resource (content_hash)
            WHERE is_primary = 1 AND content_hash IS NOT NULL;
        CREATE INDEX resource_url ON resource (url) WHERE url IS NOT NULL;
        """

    /// `rank` orders the contents of a folder and the members of an album. It has gaps.
    private static let collections = """
        CREATE TABLE collection (
            id INTEGER PRIMARY KEY,
            uuid TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL CHECK (kind IN ('album', 'folder')),
            parent_id INTEGER REFERENCES collection (id),
            rank INTEGER NOT NULL,
            title TEXT NOT NULL,
            created INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            cover_id INTEGER REFERENCES asset (id) ON DELETE SET NULL,
            CHECK (parent_id <> id)
        ) STRICT;
        CREATE INDEX collection_parent ON collection (parent_id, rank);
        CREATE INDEX collection_cover ON collection (cover_id) WHERE cover_id IS NOT NULL;

        CREATE TABLE album_member (
            album_id INTEGER NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
            asset_id INTEGER NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
            rank INTEGER NOT NULL,
            PRIMARY KEY (album_id, asset_id)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX album_member_rank ON album_member (album_id, rank);
        CREATE INDEX album_member_asset ON album_member (asset_id);
        """

    /// `is_content` stands for pixels of an asset or members of a collection, `is_metadata` for
    /// everything else. `change_member` lists the assets that were added to an album, removed from
    /// it or moved in it.
    private static let history = """
        DROP TABLE change_item;
        DELETE FROM change;
        CREATE TABLE change_item (
            token INTEGER NOT NULL REFERENCES change (token) ON DELETE CASCADE,
            object_type TEXT NOT NULL CHECK (object_type IN ('asset', 'collection')),
            object_id INTEGER NOT NULL,
            object_uuid TEXT NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('inserted', 'updated', 'removed')),
            is_content INTEGER NOT NULL CHECK (is_content IN (0, 1)),
            is_metadata INTEGER NOT NULL CHECK (is_metadata IN (0, 1)),
            PRIMARY KEY (token, object_type, object_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX change_item_removed ON change_item (object_type, object_id)
            WHERE kind = 'removed';
        CREATE INDEX change_item_removed_uuid ON change_item (object_uuid)
            WHERE kind = 'removed';
        CREATE TABLE change_member (
            token INTEGER NOT NULL REFERENCES change (token) ON DELETE CASCADE,
            album_id INTEGER NOT NULL,
            asset_id INTEGER NOT NULL,
            PRIMARY KEY (token, album_id, asset_id)
        ) STRICT, WITHOUT ROWID;
        """

    /// Fixed statistics for SQLite's query planner, those of a library of a million assets. They
    /// are the number of rows, and the number of rows that share the first column, the first two
    /// and so on.
    ///
    /// Without statistics, the planner would assume that a condition met by nearly all assets
    /// matches ten rows. With measured statistics, its plans would change as the library grows.
    ///
    /// For `asset_listed`, half of the assets are stated to have `is_listed` set, although nearly all have. If all were
    /// stated, SQLite would count the listed assets by reading the table instead of the index.
    ///
    /// See docs/design/decisions/0010-lazy-fetches.md.
    private static let statistics = """
        ANALYZE;
        DELETE FROM sqlite_stat1;
        INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
            ('asset', 'sqlite_autoindex_asset_1', '1000000 1'),
            ('asset', 'asset_added_date', '1000000 2'),
            ('asset', 'asset_creation_date', '1000000 2 1'),
            ('asset', 'asset_listed', '1000000 500000 2 1'),
            ('asset', 'asset_media_type', '1000000 400000 300000 2 1'),
            ('asset', 'asset_favorite', '20000 20000 2 1'),
            ('asset', 'asset_hidden', '10000 2 1'),
            ('asset', 'asset_edited', '50000 50000 2 1'),
            ('asset', 'asset_format', '50000 50000 40000 2 1'),
            ('asset', 'asset_burst', '20000 10'),
            ('asset', 'asset_representative', '2000 1'),
            ('asset', 'asset_latitude', '500000 2 1'),
            ('asset', 'asset_content', '50000 1'),
            ('keyword', 'keyword', '1000000 2 1'),
            ('keyword', 'keyword_text', '1000000 1000'),
            ('resource', 'resource_asset', '1100000 1'),
            ('resource', 'resource_blob', '1100000 1'),
            ('album_member', 'album_member', '1000000 500 1'),
            ('album_member', 'album_member_rank', '1000000 500 1'),
            ('album_member', 'album_member_asset', '1000000 2'),
            ('edit', 'edit_parent', '100000 2 1'),
            ('change_item', 'change_item', '2000000 10 10 1');
        ANALYZE sqlite_schema;
        """

    /// Chooses exactly one representative for each burst: the first photo if none was chosen.
    private static func chooseRepresentatives(_ database: Database) throws {
        try database.execute(
            sql: """
                UPDATE asset SET represents_burst = 1 WHERE id IN (
                    SELECT min(id) FROM asset WHERE burst_identifier IS NOT NULL
                    GROUP BY burst_identifier HAVING max(represents_burst) = 0)
                """)
    }
}
