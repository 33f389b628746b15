// SPDX-License-Identifier: Apache-2.0

import FileAccess
import FoundationEssentials
import GRDB
import Glibc

/// A copy of the database from before a migration, kept under `backups/`.
///
/// A copy that was never read back is no backup: it is opened and checked as a whole before the
/// migration may begin.
struct MigrationBackup {
    /// The library's folder.
    let root: Folder
    /// The schema's version in the copy.
    let version: Int

    /// Makes the copy, checks it, and makes it durable. The caller holds the library's lock
    /// exclusively.
    func make(of pool: DatabasePool, in session: StagingSession) throws {
        // SQLite opens by name, so what it leads to is compared with what was made here.
        let draft = session.folder.path + "/" + LibraryName.draft
        try Self.require(session.folder.path, is: session.folder.status())
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "VACUUM INTO ?", arguments: [draft])
        }
        try Self.require(draft, is: session.folder.status(LibraryName.draft))
        try verify(draft, against: pool)
        do {
            try keep(in: session.folder)
        } catch {
            throw LibraryError.writing(root.layout.backups, error)
        }
    }

    private static func require(_ path: String, is own: stat?) throws {
        guard let own, try stat.ofPath(path)?.isSameFile(as: own) == true else {
            throw LibraryError(
                .invalidLayout,
                "another program replaced this while the backup was being "
                    + "written; try again", path: path)
        }
    }

    private func verify(_ path: String, against pool: DatabasePool) throws {
        var configuration = Configuration()
        configuration.readonly = true
        let copy = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? copy.close() }
        let answers = try copy.read { try $0.values("PRAGMA integrity_check", as: String.self) }
        let isSame = try copy.read(Self.facts) == pool.read(Self.facts)
        guard answers == ["ok"], isSame else {
            throw LibraryError(
                .damaged,
                "the backup made before the upgrade cannot be read back, so the library was not "
                    + "upgraded: run edithost check",
                path: root.path)
        }
    }

    /// What a copy must have in common with the database.
    private static func facts(_ database: Database) throws -> [Int] {
        try ["PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM asset"]
            .map { try database.value($0) ?? -1 }
    }

    private func keep(in session: Folder) throws(SystemError) {
        let file = try session.file(LibraryName.draft, O_RDWR)
        guard fchmod(file.descriptor, 0o444) == 0 else { throw SystemError("fchmod") }
        try file.synchronize()
        let backups = try root.makeFolderIfNeeded(LibraryName.backups)
        let moment = Date().formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
        let name = "library-version-\(version)-\(moment).sqlite"
        try session.move(LibraryName.draft, to: backups, as: name)
        try backups.synchronize()
        try root.synchronize()
    }
}
