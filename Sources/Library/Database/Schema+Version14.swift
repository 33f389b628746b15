// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// Adds the state that a revert left and the date of the revert, so that it can be undone. Every
    /// other change of the content sets both to null.
    static func addRevertedPosition(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE asset ADD COLUMN reverted_position INTEGER
                    CHECK (reverted_position IS NULL
                        OR (reverted_position > 0 AND position IS NULL));
                ALTER TABLE asset ADD COLUMN reverted_date INTEGER
                    CHECK ((reverted_date IS NULL) = (reverted_position IS NULL));
                """)
    }
}
