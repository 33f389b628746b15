// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

import struct Crypto.SHA256

/// The tables, step by step. A migration is never edited after a release.
///
/// `user_version` counts the migrations, so that an older program can tell that a library is
/// too new for it without knowing the newer names.
struct Schema: Sendable {
    /// What the database's header says it is: the bytes "EDLB".
    static let applicationIdentifier = 0x4544_4C42

    /// One step from a version to the next.
    struct Step: Sendable {
        /// The migration's name, unique for ever.
        let name: String
        /// What it does, inside a transaction of its own.
        let migrate: @Sendable (Database) throws -> Void
    }

    /// The steps, of which the first makes version 1.
    let steps: [Step]

    /// The version that the steps lead to.
    var version: Int { steps.count }

    /// What this program knows.
    static let current = Schema(steps: [
        Step(name: "1: assets, edits, renditions, changes", migrate: makeFirstVersion),
        Step(name: "2: hashes of recipes", migrate: addRecipeHashes),
        Step(name: "3: collections, keywords, references", migrate: addCollections),
    ])

    /// The steps as GRDB wants them; each sets `user_version` in its own transaction.
    var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (index, step) in steps.enumerated() {
            migrator.registerMigration(step.name) { database in
                try step.migrate(database)
                try database.execute(sql: "PRAGMA user_version = \(index + 1)")
            }
        }
        return migrator
    }

    private static func makeFirstVersion(_ database: Database) throws {
        try database.execute(sql: firstVersion)
        try database.execute(
            sql: "INSERT INTO library (id, uuid, created) VALUES (1, ?, ?)",
            arguments: [UUID().uuidString.lowercased(), Date().microseconds])
        try database.execute(sql: "PRAGMA application_id = \(applicationIdentifier)")
    }

    /// Lets `check` notice a recipe that has changed on the disk, as it does for files.
    private static func addRecipeHashes(_ database: Database) throws {
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

extension Data {
    /// The SHA-256 of a recipe's bytes, as the database stores it.
    var recipeHash: String { SHA256Digest(bytes: SHA256.hash(data: self)).hex }
}
