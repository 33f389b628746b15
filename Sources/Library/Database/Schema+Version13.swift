// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// The first version whose libraries have a trash.
    static let trashVersion = 13

    /// Adds the date at which an asset was moved to the trash, in microseconds since 1970.
    ///
    /// `is_listed` excludes trashed assets, so every index that contains it does too. The index by
    /// date begins with `trashed_date` for fetches that include hidden assets. SQLite cannot change
    /// a column, so `is_listed` is recreated with its indexes.
    static func addTrash(_ database: Database) throws {
        try database.execute(sql: trash + trashIndexes)
    }

    private static let trash = """
        DROP INDEX asset_creation_date;
        DROP INDEX asset_listed;
        DROP INDEX asset_media_type;
        DROP INDEX asset_favorite;
        DROP INDEX asset_edited;
        DROP INDEX asset_format;
        ALTER TABLE asset DROP COLUMN is_listed;
        ALTER TABLE asset ADD COLUMN trashed_date INTEGER;
        ALTER TABLE asset ADD COLUMN is_listed INTEGER GENERATED ALWAYS AS (
            trashed_date IS NULL AND is_hidden = 0 AND source_type & 1 <> 0
            AND (burst_identifier IS NULL OR represents_burst = 1
                OR burst_selection_types & 2 <> 0)) VIRTUAL;
        """

    /// Dropping an index also drops its statistics. They are the same as before, and those of an
    /// empty trash for the new columns. The numbers for `asset_creation_date` are half of the real
    /// ones, for the same reason as those for `asset_listed`.
    private static let trashIndexes = """
        CREATE INDEX asset_creation_date ON asset (trashed_date, sort_date, sort_file_date);
        CREATE INDEX asset_listed ON asset (is_listed, sort_date, sort_file_date);
        CREATE INDEX asset_media_type ON asset (media_type, is_listed, sort_date, sort_file_date);
        CREATE INDEX asset_favorite ON asset (is_listed, sort_date, sort_file_date)
            WHERE is_favorite = 1;
        CREATE INDEX asset_edited ON asset (is_listed, sort_date, sort_file_date)
            WHERE position IS NOT NULL;
        CREATE INDEX asset_format ON asset (
            is_listed, adjustment_format, sort_date, sort_file_date)
            WHERE adjustment_format IS NOT NULL;
        CREATE INDEX asset_trashed ON asset (trashed_date) WHERE trashed_date IS NOT NULL;
        INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
            ('asset', 'asset_creation_date', '1000000 500000 2 1'),
            ('asset', 'asset_listed', '1000000 500000 2 1'),
            ('asset', 'asset_media_type', '1000000 400000 300000 2 1'),
            ('asset', 'asset_favorite', '20000 20000 2 1'),
            ('asset', 'asset_edited', '50000 50000 2 1'),
            ('asset', 'asset_format', '50000 50000 40000 2 1'),
            ('asset', 'asset_trashed', '1000 2');
        ANALYZE sqlite_schema;
        """
}
