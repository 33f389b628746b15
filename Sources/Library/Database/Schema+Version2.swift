// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

extension Schema {
    /// Adds hashes with which `check` detects damaged recipes, as it does for files.
    static func addRecipeHashes(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE edit ADD COLUMN adjustment_hash TEXT
                    CHECK (length(adjustment_hash) = 64)
                """)
        for id in try database.values("SELECT id FROM edit", as: Int64.self) {
            let data = try database.value(
                "SELECT adjustment_data FROM edit WHERE id = ?", [id], as: Data.self)
            try database.execute(
                sql: "UPDATE edit SET adjustment_hash = ? WHERE id = ?",
                arguments: [data?.recipeHash, id])
        }
    }
}
