// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// Adds the folder in which the file of an asset was imported.
    static func addOriginalFolder(_ database: Database) throws {
        try database.execute(sql: "ALTER TABLE asset ADD COLUMN original_folder TEXT")
    }
}
