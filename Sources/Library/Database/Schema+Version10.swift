// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// Adds the results of rendition surveys, so that the next survey reads only what has changed
    /// since.
    ///
    /// `unsurveyed` lists the assets that no survey has found up to date since they changed. Its
    /// `change` gets a new number with each change. Triggers fill the table, so the program that
    /// writes does not matter. Its column is not called `asset_id`, because the row does not belong
    /// to the asset and must not be copied with it. Version 12 removes all of this.
    static func addSurveys(_ database: Database) throws {
        try database.execute(sql: surveys + triggersOfAssets)
        for table in ["state", "edit", "resource"] {
            try addTriggers(to: table, database) { "\($0).asset_id" }
        }
        for table in ["rendition", "edit_file"] {
            try addTriggers(to: table, database) {
                "(SELECT asset_id FROM edit WHERE id = \($0).edit_id)"
            }
        }
        try database.execute(sql: "INSERT INTO unsurveyed SELECT id, random() FROM asset")
    }

    /// `survey_stamp` gets a new number whenever a survey stores something. `surveyed_kind` has
    /// hashes of the inputs that renditions have in common, with an asset as a sample.
    /// `surveyed_folder` has the folders of `blobs/` that contained the renditions of all assets
    /// not in `unsurveyed`. It stores their inodes, and the times of their last change in
    /// nanoseconds since 1970.
    private static let surveys = """
        ALTER TABLE library ADD COLUMN survey_stamp INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE unsurveyed (
            asset INTEGER PRIMARY KEY,
            change INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE surveyed_kind (
            subject TEXT NOT NULL CHECK (subject IN ('original', 'step')),
            kind TEXT NOT NULL,
            digest TEXT NOT NULL CHECK (length(digest) = 64),
            sample INTEGER NOT NULL,
            PRIMARY KEY (subject, kind)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE surveyed_folder (
            name TEXT PRIMARY KEY CHECK (length(name) = 2),
            inode INTEGER NOT NULL,
            changed INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Columns that do not affect rendering, such as flags and titles, have no trigger.
    private static let triggersOfAssets = """
        CREATE TRIGGER asset_inserted AFTER INSERT ON asset BEGIN
            \(listing("new.id"))
        END;
        CREATE TRIGGER asset_updated AFTER UPDATE ON asset
            WHEN old.id IS NOT new.id OR old.position IS NOT new.position
                OR old.media_type IS NOT new.media_type
                OR old.media_subtypes IS NOT new.media_subtypes
                OR old.original_pixel_width IS NOT new.original_pixel_width
                OR old.original_pixel_height IS NOT new.original_pixel_height
        BEGIN
            \(listing("new.id"))
        END;
        CREATE TRIGGER asset_deleted AFTER DELETE ON asset BEGIN
            DELETE FROM unsurveyed WHERE asset = old.id;
        END;
        """

    private static func addTriggers(
        to table: String, _ database: Database, _ asset: (_ row: String) -> String
    ) throws {
        let (old, new) = (asset("old"), asset("new"))
        try database.execute(
            sql: """
                CREATE TRIGGER \(table)_inserted AFTER INSERT ON \(table) BEGIN
                    \(listing(new))
                END;
                CREATE TRIGGER \(table)_updated AFTER UPDATE ON \(table) BEGIN
                    \(listing("\(old), \(new)"))
                END;
                CREATE TRIGGER \(table)_deleted AFTER DELETE ON \(table) BEGIN
                    \(listing(old))
                END;
                """)
    }

    /// Inserts existing assets, or gives them a new change number. An upsert does so whatever the
    /// conflict clause of the outer statement.
    private static func listing(_ assets: String) -> String {
        """
        INSERT INTO unsurveyed (asset, change)
            SELECT id, random() FROM asset WHERE id IN (\(assets))
            ON CONFLICT (asset) DO UPDATE SET change = excluded.change;
        """
    }
}
