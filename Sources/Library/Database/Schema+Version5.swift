// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// Adds the files that users chose for parameters of edits.
    static func addEditFiles(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE edit_file (
                    edit_id INTEGER NOT NULL REFERENCES edit (id) ON DELETE CASCADE,
                    parameter TEXT NOT NULL CHECK (length(parameter) > 0),
                    blob_hash TEXT NOT NULL REFERENCES blob (hash),
                    filename TEXT NOT NULL,
                    PRIMARY KEY (edit_id, parameter)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX edit_file_blob ON edit_file (blob_hash);
                """)
    }
}
