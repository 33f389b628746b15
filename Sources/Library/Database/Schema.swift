// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

/// The tables, step by step. A migration is never edited after a release.
///
/// `user_version` counts the migrations, so that an older program can tell that a library is
/// too new for it without knowing the newer names.
enum Schema {
    /// What the database's header says it is: the bytes "EDLB".
    static let applicationIdentifier = 0x4544_4C42

    /// The number of migrations that this program knows.
    static let version = 1

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: assets, edits, renditions, changes") { database in
            try database.execute(sql: firstVersion)
            try database.execute(
                sql: "INSERT INTO library (id, uuid, created) VALUES (1, ?, ?)",
                arguments: [UUID().uuidString.lowercased(), Date().microseconds])
            try database.execute(sql: "PRAGMA application_id = \(applicationIdentifier)")
            try database.execute(sql: "PRAGMA user_version = 1")
        }
        return migrator
    }
}
