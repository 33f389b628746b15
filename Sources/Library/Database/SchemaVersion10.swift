// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// What a survey of renditions leaves for the next one, so that it has to look only at what has changed since.
    ///
    /// `unsurveyed` has the assets that no survey has found up to date since they changed; `change` is another number after
    /// each change. Triggers put them there, so that it does not matter which program writes. Its column is not called
    /// `asset_id`, because it belongs to no asset: whoever copies an asset's rows must not copy it.
    ///
    /// A later step that makes one of the six tables anew must make its triggers again.
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

    /// `survey_stamp` is another number after whatever a survey stores. `surveyed_kind` has hashes of what
    /// the ingredients of renditions have in common, with an asset as a sample; `surveyed_folder` the folders of `blobs/` in
    /// which the renditions of all assets were that are not in `unsurveyed`: their inodes, and when they changed last, in
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

    /// Columns that no picture depends on, such as marks and titles, put nothing there.
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

    /// Puts assets there that exist, or gives their changes another number. An upsert does so whatever the outer statement
    /// says of conflicts.
    private static func listing(_ assets: String) -> String {
        """
        INSERT INTO unsurveyed (asset, change)
            SELECT id, random() FROM asset WHERE id IN (\(assets))
            ON CONFLICT (asset) DO UPDATE SET change = excluded.change;
        """
    }
}
