// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB
import Synchronization

/// The database schema as a list of migrations. A migration is never edited after a release.
///
/// `user_version` counts the migrations, so an older program can detect a newer library without
/// knowing the names of its migrations.
package struct Schema: Sendable {
    /// The application id in the database's header: the bytes "EDLB".
    static let applicationIdentifier = 0x4544_4C42

    /// The migration from one version to the next.
    package struct Step: Sendable {
        /// The name of the migration, which is unique and permanent.
        let name: String
        /// The migration itself, which runs in a separate transaction.
        let migrate: @Sendable (Database) throws -> Void
    }

    /// The migrations, of which the first creates version 1.
    package let steps: [Step]
    /// The digest of the resulting schema, which avoids building one in memory for the comparison.
    var digest: String?

    /// - Parameter digest: The digest of the resulting schema, if it is known.
    package init(steps: [Step], digest: String? = nil) {
        self.steps = steps
        self.digest = digest
    }

    /// The version after all migrations.
    var version: Int { steps.count }

    /// The schema of this program.
    package static let current = Schema(
        steps: [
            Step(name: "1: assets, edits, renditions, changes", migrate: makeFirstVersion),
            Step(name: "2: hashes of recipes", migrate: addRecipeHashes),
            Step(name: "3: collections, keywords, references", migrate: addCollections),
            Step(name: "4: titles, descriptions, labels, clocks", migrate: addTexts),
            Step(name: "5: files of edits", migrate: addEditFiles),
            Step(name: "6: edits that cannot be made again", migrate: addReproducibility),
            Step(name: "7: parts of renditions, lengths of videos", migrate: addParts),
            Step(name: "8: edits of Live Photos' videos", migrate: addMotion),
            Step(name: "9: disabled edits, versions", migrate: addVersions),
            Step(name: "10: surveys of renditions", migrate: addSurveys),
            Step(name: "11: secrets of exports", migrate: addExportSecret),
            Step(name: "12: no surveys of renditions", migrate: removeSurveys),
            Step(name: "13: trash", migrate: addTrash),
            Step(name: "14: states before reverts", migrate: addRevertedPosition),
            Step(name: "15: folders of imported files", migrate: addOriginalFolder),
            Step(name: "16: rejected files", migrate: addRejectedFiles),
            Step(name: "17: journal", migrate: addJournal),
            Step(name: "18: creators and copyrights", migrate: addCreators),
        ], digest: "cd1eee309cf7d042fd9ea391eb57cfd8ef319d478527bc7964293b87f7f25517")

    /// The migrations for GRDB. Each sets `user_version` in its own transaction.
    package var migrator: DatabaseMigrator {
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
}

extension Schema {
    /// The cached snapshots of the versions of ``current``.
    private static let known = Mutex<[Int: SchemaSnapshot]>([:])

    /// Checks that a database has exactly the schema of its version. An additional trigger or view
    /// would run unasked.
    ///
    /// - Throws: `LibraryError` with `damaged`, which names the difference.
    func verify(_ database: Database) throws {
        let version = try database.value("PRAGMA user_version", as: Int.self) ?? 0
        guard (0...self.version).contains(version) else {
            throw LibraryError(.damaged, "the library's database has no version \(version)")
        }
        if version == self.version, try isAsExpected(database) { return }
        let found = try SchemaSnapshot(database)
        // An interrupted creation leaves an empty database, or only the table of migrations.
        if version == 0, found.objects.isEmpty { return }
        if let difference = found.difference(from: try snapshot(ofVersion: version)) {
            throw LibraryError(
                .damaged, "the library's database has an unexpected structure: \(difference)")
        }
    }

    /// Whether a database has the schema of this version, by its digest.
    private func isAsExpected(_ database: Database) throws -> Bool {
        guard let digest, try SchemaSnapshot.digest(of: database) == digest else { return false }
        return try database.values(
            "SELECT identifier FROM grdb_migrations ORDER BY identifier LIMIT ?",
            [steps.count + 1], as: String.self) == steps.map(\.name).sorted()
    }

    /// Returns the schema that the first `version` migrations create in an empty database.
    private func snapshot(ofVersion version: Int) throws -> SchemaSnapshot {
        guard version > 0 else {
            // The table of migrations is created before the first migration, and not by it.
            let first = try snapshot(ofVersion: 1)
            return SchemaSnapshot(
                objects: first.objects.filter { $0.table == "grdb_migrations" }, steps: [])
        }
        let steps = Array(steps.prefix(version))
        guard steps.map(\.name) == Self.current.steps.prefix(version).map(\.name) else {
            return try Self.made(by: steps)
        }
        if let snapshot = Self.known.withLock({ $0[version] }) { return snapshot }
        let snapshot = try Self.made(by: steps)
        Self.known.withLock { $0[version] = snapshot }
        return snapshot
    }

    private static func made(by steps: [Step]) throws -> SchemaSnapshot {
        let queue = try DatabaseQueue()
        try Schema(steps: steps).migrator.migrate(queue)
        return try queue.read(SchemaSnapshot.init)
    }
}
