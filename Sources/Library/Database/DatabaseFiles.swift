// SPDX-License-Identifier: Apache-2.0

import FileAccess
import GRDB
import GRDBSQLite
import Glibc

/// The files that SQLite opens by name.
///
/// They are checked through the descriptor of the library's folder before SQLite opens them. The
/// file that SQLite has opened is compared with them before it reads a page.
struct DatabaseFiles: Sendable {
    /// The last eight bytes of a rollback journal that names a super-journal, a file that SQLite
    /// deletes after the rollback.
    private static let journalMagic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// The folder of the database.
    let folder: Folder
    /// The name of the database.
    let name: String

    /// The files of a library's database, or of a snapshot's.
    ///
    /// - Throws: `LibraryError` with `cannotRead`.
    init(of root: Folder, snapshot: String? = nil) throws {
        guard let snapshot else {
            (folder, name) = (root, LibraryName.database)
            return
        }
        do {
            (folder, name) = (try root.folder(LibraryName.snapshots), snapshot)
        } catch {
            throw LibraryError.reading(root.layout.snapshots, error)
        }
    }

    /// The path of the database, by which SQLite opens it.
    var path: String { folder.path + "/" + name }

    /// Checks that SQLite will touch no files but the library's own.
    ///
    /// - Parameter isReadOnly: Whether the database is only read. Then it may have other hard
    ///   links, as in a backup that shares files with another. The files beside it are written
    ///   nevertheless.
    func requireOwn(isReadOnly: Bool) throws {
        do {
            try requireRegular(name, isOnlyRead: isReadOnly)
            for suffix in ["-journal", "-wal", "-shm"] {
                try requireRegular(name + suffix, isOnlyRead: false)
            }
            try requireOwnJournal()
        } catch let error as SystemError {
            throw LibraryError.reading(path, error)
        }
    }

    private func requireRegular(_ name: String, isOnlyRead: Bool) throws {
        guard let status = try folder.status(name) else { return }
        try folder.require(.regularFile, status, name)
        if isOnlyRead || !status.hasOtherNames { return }
        throw LibraryError(
            .invalidLayout,
            "this file has another hard link, through which it would change too; use a copy of "
                + "the library",
            path: folder.path + "/" + name)
    }

    private func requireOwnJournal() throws {
        guard try folder.status(name + "-journal") != nil else { return }
        let journal = try folder.file(name + "-journal", O_RDONLY)
        var ending = [UInt8](repeating: 0, count: Self.journalMagic.count)
        let place = try journal.size() - ending.count
        guard place >= 0 else { return }
        let count = try ending.withUnsafeMutableBytes { try journal.read(into: $0, at: place) }
        guard count == ending.count, ending == Self.journalMagic else { return }
        throw LibraryError(
            .invalidLayout,
            "this rollback journal tells SQLite to remove another file, which a library's "
                + "journal never does",
            path: journal.path)
    }

    /// Whether the database uses a write-ahead log. Every library that was opened does, and no
    /// backup does.
    ///
    /// - Throws: `SystemError`.
    static func usesLog(_ name: String = LibraryName.database, in root: Folder) throws -> Bool {
        guard try root.status(name) != nil else { return false }
        // The header's file format versions for writing and reading: 2 with a log, 1 without.
        var versions: [UInt8] = [0, 0]
        let file = try root.file(name, O_RDONLY)
        let count = try versions.withUnsafeMutableBytes { try file.fill($0, at: 18) }
        return count == 2 && versions == [2, 2]
    }

    /// Checks that a connection has opened the file that was checked.
    func requireOpened(by database: Database) throws {
        do {
            let found = try stat.ofPath(path)
            let own = try folder.status(name)
            if let found, let own, found.isSameFile(as: own), own.isPlainFile,
                !Self.hasMoved(database)
            {
                return
            }
        } catch {
            throw LibraryError.reading(path, error)
        }
        throw LibraryError(
            .invalidLayout, "the database was replaced while it was being opened; try again",
            path: path)
    }

    /// Whether the path of a connection's file now leads to a different file.
    private static func hasMoved(_ database: Database) -> Bool {
        var hasMoved: CInt = 0
        let code = sqlite3_file_control(
            database.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return code == SQLITE_OK && hasMoved != 0
    }
}
