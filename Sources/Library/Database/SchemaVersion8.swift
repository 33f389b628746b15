// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// Edits of Live Photos are of the still and of the video, or of the still alone, as all were so far. The halves of
    /// Live Photos are found by what they have in common.
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
