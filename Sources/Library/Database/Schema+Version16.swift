// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// Adds the files that imports have rejected. The filename extension is part of the key, because
    /// it decides whether a file without image data is rejected or skipped.
    static func addRejectedFiles(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE rejected_file (
                    hash TEXT NOT NULL,
                    filename_extension TEXT NOT NULL,
                    size INTEGER NOT NULL CHECK (size >= 0),
                    path TEXT NOT NULL,
                    code TEXT NOT NULL,
                    reason TEXT NOT NULL,
                    rejected_date INTEGER NOT NULL,
                    program_version TEXT NOT NULL,
                    PRIMARY KEY (hash, filename_extension)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX rejected_file_size ON rejected_file (size);
                """)
    }
}
