// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// Adds a flag for edits whose rendition can be reproduced from the recipe.
    static func addReproducibility(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE edit ADD COLUMN is_reproducible INTEGER NOT NULL DEFAULT 1
                    CHECK (is_reproducible IN (0, 1))
                """)
    }
}
