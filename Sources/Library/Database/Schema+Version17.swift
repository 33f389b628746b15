// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// Adds the journal: the names of commands, the entries that changes undo, and the values of
    /// properties before and after each change.
    ///
    /// All changes of a session that state a command are one entry, hence the index. `item`
    /// distinguishes the values of a property that has several: the text of a keyword, or the row ID
    /// of an asset in an album. For other properties, it is empty.
    static func addJournal(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE change ADD COLUMN command TEXT;
                ALTER TABLE change ADD COLUMN undoes INTEGER;
                CREATE INDEX change_session ON change (session);
                CREATE INDEX change_undoes ON change (undoes) WHERE undoes IS NOT NULL;
                CREATE TABLE change_value (
                    token INTEGER NOT NULL REFERENCES change (token) ON DELETE CASCADE,
                    object_type TEXT NOT NULL CHECK (object_type IN ('asset', 'collection')),
                    object_id INTEGER NOT NULL,
                    property TEXT NOT NULL,
                    item ANY NOT NULL,
                    old ANY,
                    new ANY,
                    PRIMARY KEY (token, object_type, object_id, property, item)
                ) STRICT, WITHOUT ROWID;
                """)
    }
}
