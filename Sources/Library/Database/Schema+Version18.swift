// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// Adds creators and copyrights.
    static func addCreators(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE asset ADD COLUMN creator TEXT;
                ALTER TABLE asset ADD COLUMN copyright TEXT;
                """)
    }
}
