// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Schema {
    /// Removes what version 10 added. `rerender` compares all renditions in one pass, which is fast
    /// enough that the triggers on every write are not worth their cost.
    static func removeSurveys(_ database: Database) throws {
        let tables = ["asset", "state", "edit", "resource", "rendition", "edit_file"]
        for table in tables {
            for event in ["inserted", "updated", "deleted"] {
                try database.execute(sql: "DROP TRIGGER \(table)_\(event)")
            }
        }
        try database.execute(
            sql: """
                DROP TABLE unsurveyed;
                DROP TABLE surveyed_kind;
                DROP TABLE surveyed_folder;
                ALTER TABLE library DROP COLUMN survey_stamp;
                """)
    }
}
