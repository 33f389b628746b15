// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import GRDB
import LibraryTestSupport
import TestSupport
import Testing

import Hashing

@testable import Library

/// Libraries of older and newer versions.
@Suite("migration")
struct MigrationTests {
    private let temporary: TemporaryLibrary
    private let before: LibrarySnapshot

    init() throws {
        temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("first")
        for recipe in ["one", "two"] {
            try library.edit(asset.id, recipe: recipe, render: "render of \(recipe)")
        }
        before = try LibrarySnapshot(of: library)
        try library.close()
    }

    private var layout: LibraryLayout { temporary.library.layout }
    private var root: Folder { temporary.library.root }

    /// The contents of all regular files in the library folder.
    private func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: temporary.path) {
            let path = temporary.path + "/" + name
            guard try Folders.status(path)?.isPlainFile == true else { continue }
            files[name] = try Data(contentsOf: URL(fileURLWithPath: path))
        }
        return files
    }

    private func version() throws -> Int {
        try DatabaseQueue(path: layout.database).read {
            try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0
        }
    }

    private var exportSecret: Data? {
        get throws {
            try DatabaseQueue(path: layout.database).read {
                try Data.fetchOne($0, sql: "SELECT export_secret FROM library")
            }
        }
    }

    @Test("a library of the first version opens, with a readable backup")
    func firstVersion() throws {
        try OldLibrary.downgrade(temporary.path)
        #expect(try version() == 1)
        let library = try temporary.reopen()
        #expect(try LibrarySnapshot(of: library) == before)
        #expect(try library.check(readingDataOf: 100).severity == .clean)
        let backups = try Folders.names(in: layout.backups)
        #expect(backups.count == 1)
        let backup = try #require(backups.first)
        #expect(backup.hasPrefix("library-version-1-"))
        #expect(try OldLibrary.integrity(of: layout.backups + "/" + backup) == ["ok"])
        #expect(try Folders.status(layout.backups + "/" + backup)?.permissions == 0o444)
        try library.close()
        #expect(try version() == Schema.current.version)
        // The second opening has nothing to upgrade.
        try temporary.reopen().close()
        #expect(try Folders.names(in: layout.backups) == backups)
        // The backup is a complete database. Once restored, it is upgraded again.
        try Folders.removeFile(layout.database)
        try FileManager.default.copyItem(
            atPath: layout.backups + "/" + backup, toPath: layout.database)
        chmod(layout.database, 0o644)
        #expect(try LibrarySnapshot(of: temporary.reopen()) == before)
    }

    @Test(
        "a backup of an older version is read unchanged", arguments: [1, 9, 11])
    func olderBackup(version: Int) throws {
        let backup = temporary.folder + "/Backup"
        _ = try temporary.reopen().backUp(to: backup)
        try OldLibrary.downgrade(backup, to: version)
        let record = try FolderRecord(backup)
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        let library = try PhotoLibrary.open(at: backup, options: options)
        #expect(try LibrarySnapshot(of: library) == before)
        try library.close()
        #expect(try FolderRecord(backup).differences(from: record) == [])
    }

    @Test(
        "a library of an older version is readable on a read-only disk",
        .enabled(if: geteuid() != 0, "root can write everywhere"))
    func olderReadOnly() throws {
        try OldLibrary.downgrade(temporary.path)
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        // A library that can be upgraded must be upgraded first.
        let error = try libraryError { _ = try temporary.reopen(options) }
        #expect(error.code == .readOnly && error.message.contains("which upgrades it"))
        for file in ["-wal", "-shm"] { try Folders.removeFile(layout.database + file) }
        #expect(chmod(temporary.path, 0o555) == 0)
        defer { chmod(temporary.path, 0o755) }
        let record = try FolderRecord(temporary.path)
        let library = try temporary.reopen(options)
        #expect(try LibrarySnapshot(of: library) == before)
        try library.close()
        #expect(try FolderRecord(temporary.path).differences(from: record) == [])
    }

    /// The names of the triggers, and of the tables of stored surveys, which versions 10 and 11 have.
    private func surveys() throws -> [String] {
        let queue = try DatabaseQueue(path: layout.database)
        defer { try? queue.close() }
        return try queue.read {
            try String.fetchAll(
                $0,
                sql: """
                    SELECT name FROM sqlite_schema WHERE type = 'trigger' OR name LIKE '%survey%'
                        OR name = 'library' AND sql LIKE '%survey%'
                    """)
        }
    }

    @Test(
        "migration removes the stored surveys of versions 10 and 11, and their triggers",
        arguments: [9, 10, 11])
    func surveysRemoved(version: Int) throws {
        let other = try temporary.reopen()
        try other.importAsset("second")
        let before = try LibrarySnapshot(of: other)
        try other.close()
        #expect(try surveys() == [])
        try OldLibrary.downgrade(temporary.path, to: version)
        #expect(try self.version() == version)
        #expect(try surveys().count == (version > 9 ? 18 + 3 + 1 : 0))
        let library = try temporary.reopen()
        #expect(try LibrarySnapshot(of: library) == before)
        #expect(try library.check(readingDataOf: 100).severity == .clean)
        let backups = try Folders.names(in: layout.backups)
        #expect(backups.map { $0.hasPrefix("library-version-\(version)-") } == [true])
        try library.close()
        #expect(try self.version() == Schema.current.version)
        #expect(try surveys() == [])
    }

    @Test("a backup of the first version is restored and migrated")
    func backup() throws {
        let folder = try TemporaryFolder()
        let (backup, restored) = (folder.file("backup"), folder.file("restored"))
        let library = try temporary.reopen()
        _ = try library.backUp(to: backup)
        try library.close()
        chmod(backup + "/library.sqlite", 0o644)
        try OldLibrary.downgrade(backup)
        let report = try PhotoLibrary.restore(from: backup, to: restored)
        #expect(report.failures.isEmpty && report.copiedFileCount > 0)
        let found = try PhotoLibrary.open(at: restored)
        #expect(try LibrarySnapshot(of: found) == before)
        #expect(try found.check(readingDataOf: 100).severity == .clean)
        try found.close()
    }

    @Test("released steps are unchanged: the first version's tables are the same")
    func releasedSteps() {
        let hash = SHA256Digest(bytes: SHA256.hash(data: Data(Schema.firstVersion.utf8)))
        #expect(
            hash.hex == "c2cc486198f22dee30db251b0be2d3d5f63a343040760bde6ede20b6eaa9e80b")
    }

    @Test("opening read-only does not migrate")
    func reading() throws {
        try OldLibrary.downgrade(temporary.path)
        let files = try files()
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        let error = try libraryError { _ = try temporary.reopen(options) }
        #expect(error.code == .readOnly)
        #expect(try self.files()["library.sqlite"] == files["library.sqlite"])
    }

    @Test(
        "a library in an older format can be read from an up-to-date copy, and be backed up as it is",
        arguments: [1, 10, 11])
    func olderCopied(version: Int) throws {
        let secret = version < 11 ? nil : try exportSecret
        try OldLibrary.downgrade(temporary.path, to: version)
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        options.copiesOlderFormats = true
        let library = try temporary.reopen(options)
        #expect(try LibrarySnapshot(of: library) == before)
        // An export with a secret that only the copy has would be foreign to the library.
        #expect(try library.exportSecret == secret)
        try library.close()
        #expect(try self.version() == version)

        options.copiesOlderFormats = false
        options.acceptsOlderFormats = true
        let backup = temporary.folder + "/Backup"
        let source = try temporary.reopen(options)
        let report = try source.backUp(to: backup)
        #expect(report.failures.isEmpty)
        try source.close()
        #expect(try self.version() == version)
        let restored = temporary.folder + "/Restored.editlibrary"
        _ = try PhotoLibrary.restore(from: backup, to: restored)
        let found = try PhotoLibrary.open(at: restored)
        #expect(try LibrarySnapshot(of: found) == before)
        #expect(try found.exportSecret?.count == Schema.exportSecretLength)
        if let secret { #expect(try found.exportSecret == secret) }
        try found.close()
    }

    @Test("a migration that fails midway leaves the library unchanged, and a backup")
    func failure() throws {
        struct Broken: Error {}
        let next = Schema(
            steps: Schema.current.steps + [
                Schema.Step(name: "next: only in this test") { database in
                    try database.execute(sql: "DELETE FROM edit")
                    throw Broken()
                }
            ])
        #expect(throws: (any Error).self) {
            _ = try PhotoLibrary(root: root, options: .init(), isNew: false, schema: next)
        }
        #expect(try version() == Schema.current.version)
        let backup = try #require(try Folders.names(in: layout.backups).first)
        #expect(try OldLibrary.integrity(of: layout.backups + "/" + backup) == ["ok"])
        let library = try temporary.reopen()
        #expect(try LibrarySnapshot(of: library) == before)
        #expect(try library.check(readingDataOf: 100).severity == .clean)
    }

    @Test("without a backup nothing is migrated")
    func noBackup() throws {
        try OldLibrary.downgrade(temporary.path)
        try Data("in the way".utf8).write(to: URL(fileURLWithPath: layout.backups))
        #expect(try libraryError { _ = try temporary.reopen() }.code == .invalidLayout)
        #expect(try version() == 1)
        try Folders.removeFile(layout.backups)
        #expect(try LibrarySnapshot(of: temporary.reopen()) == before)
    }

    @Test("a damaged database is not migrated")
    func damaged() throws {
        try OldLibrary.downgrade(temporary.path)
        let queue = try DatabaseQueue(path: layout.database)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA writable_schema = ON")
            try database.execute(
                sql: "UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'rendition_blob'")
        }
        try queue.close()
        #expect(try libraryError { _ = try temporary.reopen() }.code == .damaged)
        #expect(try version() == 1)
    }

    @Test("a migration does not wait for a committing process")
    func busy() throws {
        try OldLibrary.downgrade(temporary.path)
        let committing = try LibraryLock(root, exclusively: false, waiting: 0)
        #expect(try libraryError { _ = try temporary.reopen() }.code == .busy)
        #expect(try version() == 1)
        withExtendedLifetime(committing) {}
    }

    @Test("a library of a newer version is rejected byte for byte unchanged")
    func newer() throws {
        let next = Schema(
            steps: Schema.current.steps + [
                Schema.Step(name: "next: only in this test") {
                    try $0.execute(sql: "CREATE TABLE later (id INTEGER PRIMARY KEY)")
                }
            ])
        try PhotoLibrary(root: root, options: .init(), isNew: false, schema: next).close()
        #expect(try version() == Schema.current.version + 1)
        // With a log that was not checkpointed, as a newer program may leave it.
        let copy = temporary.folder + "/log"
        let queue = try DatabasePool(path: layout.database)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "INSERT INTO later VALUES (1)")
            try FileManager.default.copyItem(atPath: layout.database + "-wal", toPath: copy)
        }
        try queue.close()
        try? FileManager.default.removeItem(atPath: layout.database + "-wal")
        try FileManager.default.moveItem(atPath: copy, toPath: layout.database + "-wal")
        let files = try files()
        for isReadOnly in [false, true] {
            var options = PhotoLibrary.Options()
            options.isReadOnly = isReadOnly
            #expect(try libraryError { _ = try temporary.reopen(options) }.code == .newerSchema)
            let now = try self.files()
            for (name, bytes) in files { #expect(now[name] == bytes, "\(name)") }
        }
    }

    @Test("a library that failed its check after an unclean close is checked again")
    func uncleanClose() throws {
        let queue = try DatabaseQueue(path: layout.database)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA writable_schema = ON")
            try database.execute(
                sql: "UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'rendition_blob'")
        }
        try queue.close()
        try Folders.make(layout.staging + "/" + .deadSession)
        for _ in 0..<2 {
            #expect(try libraryError { _ = try temporary.reopen() }.code == .damaged)
        }
        #expect(try Folders.status(layout.staging + "/" + .deadSession) != nil)
    }
}
