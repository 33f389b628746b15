// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB
import Glibc

/// A copy of the database from before a migration, kept under `backups/`.
///
/// A copy that was never read back is no backup: it is opened and checked as a whole before the
/// migration may begin.
struct MigrationBackup {
    let layout: LibraryLayout
    /// The schema's version in the copy.
    let version: Int

    /// Makes the copy, checks it, and makes it durable. The caller holds the library's lock
    /// exclusively.
    func make(of pool: DatabasePool, in session: StagingSession) throws {
        let draft = session.path + "/backup.sqlite"
        try? Folders.removeFile(draft)
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "VACUUM INTO ?", arguments: [draft])
        }
        try verify(draft, against: pool)
        do {
            try keep(draft)
        } catch {
            throw LibraryError.writing(layout.backups, error)
        }
    }

    private func verify(_ path: String, against pool: DatabasePool) throws {
        var configuration = Configuration()
        configuration.readonly = true
        let copy = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? copy.close() }
        let answers = try copy.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
        let isSame = try copy.read(Self.facts) == pool.read(Self.facts)
        guard answers == ["ok"], isSame else {
            throw LibraryError(
                .damaged,
                "the backup from before the migration cannot be read back: run check",
                path: layout.root)
        }
    }

    /// What a copy must have in common with the database.
    private static func facts(_ database: Database) throws -> [Int] {
        try ["PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM asset"]
            .map { try Int.fetchOne(database, sql: $0) ?? -1 }
    }

    private func keep(_ draft: String) throws(SystemError) {
        let file = try OpenFile(draft, O_RDWR)
        guard fchmod(file.descriptor, 0o444) == 0 else { throw SystemError("fchmod") }
        try file.synchronize()
        try Folders.makeIfNeeded(layout.backups)
        let moment = Date().formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
        let name = "library-version-\(version)-\(moment).sqlite"
        guard rename(draft, layout.backups + "/" + name) == 0 else { throw SystemError("rename") }
        try Folders.synchronize(layout.backups)
        try Folders.synchronize(layout.root)
    }
}
