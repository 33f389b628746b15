// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// Adds titles, descriptions, labels, exposure times, dates by the camera's clock, and an index
    /// of RAW files.
    ///
    /// `sort_date` becomes the reading of the camera's clock. Filters, orders and moments then
    /// agree about the day of a photo, whether or not its file has an offset from UTC. It was the
    /// absolute time before. SQLite cannot change a column, so it is recreated with its indexes.
    /// See docs/design/decisions/0022-camera-clock-dates.md.
    static func addTexts(_ database: Database) throws {
        try database.execute(sql: texts + clocks + dateIndexes + rawFiles)
    }

    private static let texts = """
        ALTER TABLE asset ADD COLUMN title TEXT;
        ALTER TABLE asset ADD COLUMN description TEXT;
        ALTER TABLE asset ADD COLUMN label TEXT;
        ALTER TABLE asset ADD COLUMN exposure_time REAL CHECK (exposure_time > 0);
        """

    /// An offset of a whole day stands for an unknown time: the date is noon by any clock.
    private static let clocks = """
        DROP INDEX asset_creation_date;
        DROP INDEX asset_listed;
        DROP INDEX asset_media_type;
        DROP INDEX asset_favorite;
        DROP INDEX asset_hidden;
        DROP INDEX asset_edited;
        DROP INDEX asset_format;
        ALTER TABLE asset DROP COLUMN sort_date;
        ALTER TABLE asset ADD COLUMN sort_date INTEGER GENERATED ALWAYS AS (
            ifnull(creation_date, 9223372036854775807)
            + CASE WHEN creation_date IS NOT NULL AND abs(creation_offset) < 86400
                THEN creation_offset * 1000000 ELSE 0 END) VIRTUAL;
        """

    /// The same indexes as before. Dropping an index also drops its statistics.
    private static let dateIndexes = """
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
        INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
            ('asset', 'asset_creation_date', '1000000 2 1'),
            ('asset', 'asset_listed', '1000000 500000 2 1'),
            ('asset', 'asset_media_type', '1000000 400000 300000 2 1'),
            ('asset', 'asset_favorite', '20000 20000 2 1'),
            ('asset', 'asset_hidden', '10000 2 1'),
            ('asset', 'asset_edited', '50000 50000 2 1'),
            ('asset', 'asset_format', '50000 50000 40000 2 1');
        """

    /// The condition must equal that of ``AssetPredicate/hasRAW``, word for word; 4 is an alternate
    /// photo.
    private static let rawFiles = """
        CREATE INDEX resource_raw ON resource (asset_id)
            WHERE type = 4 OR format IN ('dng', 'raw');
        INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('resource', 'resource_raw', '50000 1');
        ANALYZE sqlite_schema;
        """
}
