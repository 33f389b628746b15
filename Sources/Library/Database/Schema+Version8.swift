// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// Adds a flag for Live Photo edits that cover the video too; all edits so far cover the still
    /// alone. Adds an index of content identifiers, by
    /// which the halves of a Live Photo are paired.
    static func addMotion(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE edit ADD COLUMN covers_motion INTEGER NOT NULL DEFAULT 0
                    CHECK (covers_motion IN (0, 1));
                CREATE INDEX asset_content_identifier ON asset (content_identifier)
                    WHERE content_identifier IS NOT NULL;
                """)
    }
}
