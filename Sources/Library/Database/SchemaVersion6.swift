// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// Whether an edit's picture can be made again from its recipe.
    static func addReproducibility(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE edit ADD COLUMN is_reproducible INTEGER NOT NULL DEFAULT 1
                    CHECK (is_reproducible IN (0, 1))
                """)
    }
}
