// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// Adds disabled edits, and named edit stacks.
    static func addVersions(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE edit ADD COLUMN is_enabled INTEGER NOT NULL DEFAULT 1
                    CHECK (is_enabled IN (0, 1));
                CREATE TABLE version (
                    asset_id INTEGER NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
                    name TEXT NOT NULL CHECK (length(name) > 0),
                    tip_id INTEGER NOT NULL,
                    created INTEGER NOT NULL,
                    PRIMARY KEY (asset_id, name),
                    FOREIGN KEY (asset_id, tip_id) REFERENCES edit (asset_id, id)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX version_tip ON version (asset_id, tip_id);
                """)
    }
}
