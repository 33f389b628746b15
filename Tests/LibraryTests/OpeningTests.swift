// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import GRDB
import Testing

@testable import Library

@Suite struct OpeningTests {
    @Test("commits are synchronous, use a write-ahead log and enforce foreign keys")
    func durability() throws {
        let temporary = try TemporaryLibrary()
        for library in [temporary.library, try temporary.reopen()] {
            let (pool, _) = try library.writer()
            let settings = try pool.writeWithoutTransaction { database in
                try ["synchronous", "journal_mode", "foreign_keys"].map {
                    try String.fetchOne(database, sql: "PRAGMA \($0)")
                }
            }
            #expect(settings == ["2", "wal", "1"])
        }
    }

    @Test("a folder that is not a library is rejected and left unchanged")
    func whatIsNotALibraryIsRefusedAndLeftAlone() throws {
        let folder = try TemporaryLibrary.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func code(_ path: String) throws -> LibraryError.Code {
            try libraryError { _ = try PhotoLibrary.open(at: path) }.code
        }
        #expect(try code(folder) == .notALibrary)
        #expect(try code(folder + "/nothing") == .notALibrary)
        let file = folder + "/file"
        try Data("text".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try code(file) == .notALibrary)
        #expect(try libraryError { _ = try PhotoLibrary.create(at: folder) }.code == .alreadyExists)

        // The right names with the wrong contents.
        let disguised = folder + "/disguised"
        for name in ["blobs", "staging"] {
            try FileManager.default.createDirectory(
                atPath: disguised + "/" + name, withIntermediateDirectories: true)
        }
        let database = URL(fileURLWithPath: disguised + "/library.sqlite")
        let garbage = Data(repeating: 0x41, count: 8192)
        try garbage.write(to: database)
        #expect(try code(disguised) == .notALibrary)
        #expect(try Data(contentsOf: database) == garbage)
        try FileManager.default.removeItem(at: database)
        let other = try DatabaseQueue(path: database.path)
        try other.write { try $0.execute(sql: "CREATE TABLE music (title TEXT)") }
        try other.close()
        #expect(try code(disguised) == .notALibrary)
    }

    @Test("concurrent openings create one library")
    func severalMayMakeALibraryAtOnce() async throws {
        let folder = try TemporaryLibrary.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/New.editlibrary"
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<4 {
                group.addTask {
                    let library = try PhotoLibrary.openOrCreate(at: path)
                    try library.importAsset("from \(number)")
                    return try library.identifier
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(names.count == 1)
        let library = try PhotoLibrary.open(at: path)
        #expect(try Asset.fetchAssets(in: library).count == 4)
        #expect(try library.check(readingDataOf: 100).severity == .clean)
        let error = try libraryError { _ = try PhotoLibrary.openOrCreate(at: folder) }
        #expect(error.code == .notALibrary)
    }

    @Test("an interrupted creation can be completed")
    func anInterruptedMakingCanBeTakenUp() throws {
        let folder = try TemporaryLibrary.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Folder(root: folder).makeLibraryFolders()
        let library = try PhotoLibrary.openOrCreate(at: folder)
        #expect(try Asset.fetchAssets(in: library).isEmpty)
    }

    @Test("a library whose first transaction was interrupted opens")
    func aLibraryWhoseFirstTransactionWasCutOffCanBeOpened() throws {
        let folder = try TemporaryLibrary.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let layout = LibraryLayout(root: folder + "/Cut.editlibrary")
        try Folders.make(layout.root)
        try Folder(root: layout.root).makeLibraryFolders()
        let queue = try DatabaseQueue(path: folder + "/source")
        try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    CREATE TABLE t (x); DROP TABLE t; PRAGMA cache_size = 2;
                    BEGIN; CREATE TABLE t (x);
                    """)
            for _ in 0..<50 { try database.execute(sql: "INSERT INTO t VALUES (zeroblob(4000))") }
            // The files that a kill at this moment would leave.
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(
                    atPath: folder + "/source" + suffix, toPath: layout.database + suffix)
            }
            try database.execute(sql: "ROLLBACK")
        }
        #expect(try Folders.status(layout.database + "-journal")?.st_size ?? 0 > 512)
        let library = try PhotoLibrary.open(at: layout.root)
        try library.importAsset("a")
        #expect(try library.check(readingDataOf: 100).severity == .clean)
    }

    @Test("a newer schema is rejected, and the database is unchanged")
    func aNewerSchemaIsRefusedUntouched() throws {
        let temporary = try TemporaryLibrary()
        let asset = try temporary.library.importAsset("a")
        let (pool, _) = try temporary.library.writer()
        try RichLibrary.execute(on: temporary.path) {
            try $0.execute(sql: "PRAGMA user_version = 1000")
        }
        // An instance opened before the migration notices it before it writes.
        let late = try libraryError {
            try temporary.library.performChanges {
                try AssetChangeRequest(for: asset).isFavorite = true
            }
        }
        #expect(late.code == .newerSchema)
        try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try temporary.library.close()
        let database = URL(fileURLWithPath: temporary.library.layout.database)
        let before = try Data(contentsOf: database)
        for isReadOnly in [false, true] {
            var options = PhotoLibrary.Options()
            options.isReadOnly = isReadOnly
            let error = try libraryError { _ = try temporary.reopen(options) }
            #expect(error.code == .newerSchema)
        }
        #expect(try Data(contentsOf: database) == before)
    }

    @Test("a library opened read-only can be read and not changed")
    func readingOnly() throws {
        let temporary = try TemporaryLibrary()
        let asset = try temporary.library.importAsset("a")
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        let library = try temporary.reopen(options)
        #expect(try Asset.fetchAssets(in: library).first == asset)
        let hash = try library.history(ofAsset: asset.id).original?.blob
        #expect(try library.text(hash) == "a")
        let change = try libraryError { try library.performChanges {} }
        #expect(change.code == .readOnly)
        #expect(try libraryError { _ = try library.stage("b") }.code == .readOnly)
        #expect(try library.check(readingDataOf: 100).severity == .clean)
        // It sees changes that other instances commit.
        try temporary.library.performChanges { try AssetChangeRequest(for: asset).isHidden = true }
        #expect(try Asset.fetchAssets(in: library).isEmpty)
    }

    @Test("a library on a read-only disk can be read")
    func aLibraryThatCannotBeWrittenCanBeRead() throws {
        let temporary = try TemporaryLibrary()
        let asset = try temporary.library.importAsset("a")
        try temporary.library.close()
        let opener = LibraryOpener(
            root: temporary.library.root, options: .init(), isNew: false)
        let reader = try opener.openImmutable()
        let found = try reader.read { try String.fetchAll($0, sql: "SELECT uuid FROM asset") }
        #expect(found == [asset.id])
    }

    // Root can write everywhere, so the test would prove nothing for root.
    @Test("a folder without permission is named", .ordinaryUser)
    func aFolderWithoutPermissionIsNamed() throws {
        let temporary = try TemporaryLibrary()
        try temporary.library.importAsset("a")
        try temporary.library.close()
        chmod(temporary.path, 0o555)
        defer { chmod(temporary.path, 0o755) }
        let error = try libraryError { _ = try temporary.reopen() }
        #expect(error.code == .cannotWrite)
        #expect(error.path?.hasPrefix(temporary.path) == true)
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        #expect(try Asset.fetchAssets(in: temporary.reopen(options)).count == 1)
    }

    @Test("opening waits for garbage collection, then reports busy")
    func openingWaitsForCollectionThenSaysBusy() throws {
        let temporary = try TemporaryLibrary()
        let asset = try temporary.library.importAsset("a")
        var options = PhotoLibrary.Options()
        options.busyTimeout = 0.05
        let other = try temporary.reopen(options)
        let root = temporary.library.root
        let collector = try LibraryLock(root, exclusively: true, waiting: 0)
        #expect(try libraryError { _ = try temporary.reopen(options) }.code == .busy)
        let change = try libraryError {
            try other.performChanges { try AssetChangeRequest(for: asset).isFavorite = true }
        }
        #expect(change.code == .busy)
        // Reading is still possible.
        #expect(try Asset.fetchAssets(in: other).count == 1)
        withExtendedLifetime(collector) {}
    }

    @Test("another writer in the database makes a change report busy")
    func anotherWriterInTheDatabaseIsBusy() throws {
        let temporary = try TemporaryLibrary()
        let asset = try temporary.library.importAsset("a")
        var options = PhotoLibrary.Options()
        options.busyTimeout = 0.05
        let other = try temporary.reopen(options)
        let (pool, _) = try temporary.library.writer()
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            let error = try libraryError {
                try other.performChanges { try AssetChangeRequest(for: asset).isFavorite = true }
            }
            #expect(error.code == .busy)
            try database.execute(sql: "ROLLBACK")
        }
        try other.performChanges { try AssetChangeRequest(for: asset).isFavorite = true }
    }

    @Test("a full disk is reported and leaves the old state")
    func aFullDiskIsNamedAndLeavesTheOldState() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("a")
        var output = try library.output(asset.id, recipe: "r", render: "rendered")
        output.adjustmentData = AdjustmentData(
            formatIdentifier: "x", formatVersion: "1", data: Data(count: 1 << 20))
        let (pool, _) = try library.writer()
        // SQLite reports a full disk when the database may not grow.
        try pool.writeWithoutTransaction { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages + 1)")
        }
        func commit() throws {
            try library.performChanges {
                try AssetChangeRequest(for: asset).contentEditingOutput = output
            }
        }
        let error = try libraryError(commit)
        #expect(error.code == .cannotWrite)
        #expect(error.description.contains("the disk is full"))
        #expect(try library.asset(withLocalIdentifier: asset.id) == asset)
        #expect(try library.check().severity == .repairable)
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA max_page_count = 1000000")
        }
        // The same staged bytes can be committed once there is space.
        try commit()
        #expect(try library.check(readingDataOf: 100).severity == .clean)
    }

    @Test("opening after an unclean close removes dead sessions and keeps live ones")
    func anUncleanCloseHasTheDatabaseChecked() throws {
        let temporary = try TemporaryLibrary()
        try temporary.library.importAsset("a")
        let dead = temporary.library.layout.staging + "/" + .deadSession
        try Folders.make(dead)
        try Data("half".utf8).write(to: URL(fileURLWithPath: dead + "/" + .deadSession))
        let library = try temporary.reopen()
        #expect(library.session?.deadSessionCount == 1)
        #expect(try Folders.status(dead) == nil)
        // The live session's folder was kept.
        #expect(try Folders.names(in: library.layout.staging).count == 2)
    }

    @Test("a session folder is removed with its library")
    func aSessionFolderGoesWithItsLibrary() throws {
        let temporary = try TemporaryLibrary()
        var other: PhotoLibrary? = try temporary.reopen()
        var staged: StagedBlob? = try other?.stage("never committed")
        let path = try #require(staged?.path)
        #expect(try Folders.status(path)?.permissions == 0o444)
        staged = nil
        #expect(try Folders.status(path) == nil)
        let folder = try #require(other?.session?.folder.path)
        other = nil
        #expect(try Folders.status(folder) == nil)
    }

    @Test("network file systems are recognised")
    func networkFileSystemsAreRecognised() {
        let table = """
            22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            40 22 0:35 / /net rw - nfs4 server:/x rw
            """
        #expect(MountTable.type(ofDevice: "0:35", in: table) == "nfs4")
        #expect(MountTable.type(ofDevice: "8:1", in: table) == "ext4")
        #expect(MountTable.type(ofDevice: "9:9", in: table) == nil)
    }
}
