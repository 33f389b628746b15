// SPDX-License-Identifier: Apache-2.0

import FileAccess
import GRDB
import Glibc

/// A consistent copy of a library's database in a session's folder.
///
/// A copy that was never read back is not a backup, so it is opened and checked as a whole.
struct DatabaseCopy {
    private let session: StagingSession
    private let path: String

    /// Makes a copy and checks it.
    ///
    /// - Throws: `LibraryError` with `invalidLayout` or `damaged`, and SQLite's errors.
    init(of reader: any DatabaseReader, in session: StagingSession) throws {
        self.session = session
        // SQLite opens files by name, so the opened file is compared with the one created here.
        path = session.folder.path + "/" + LibraryName.draft
        try Self.require(session.folder.path, is: session.folder.status())
        try session.folder.removeFile(LibraryName.draft)
        let path = path
        let copy = try DatabaseQueue(path: path)
        do {
            try reader.backup(to: copy)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            throw LibraryError(
                .cannotWrite, "no space for a copy of the database; free some space", path: path,
                underlying: error.withOwnMessage)
        }
        // Without a log, the copy is a single file that can be read from a read-only folder.
        let mode = try copy.writeWithoutTransaction {
            try $0.value("PRAGMA journal_mode = DELETE", as: String.self)
        }
        try copy.close()
        // On a full disk, SQLite can report the new mode even though it failed to write it.
        guard mode == "delete",
            try !DatabaseFiles.usesLog(LibraryName.draft, in: session.folder)
        else {
            throw LibraryError(
                .database, "SQLite did not close the copy of the database", path: path)
        }
        try Self.require(path, is: session.folder.status(LibraryName.draft))
        let answers = try read { try $0.values("PRAGMA integrity_check", as: String.self) }
        let isSame = try read(Self.facts) == reader.unsafeRead(Self.facts)
        guard answers == ["ok"], isSame else {
            throw LibraryError(
                .damaged, "a copy of the database cannot be read back; run edithost check",
                path: path)
        }
    }

    private static func require(_ path: String, is own: stat?) throws {
        guard let own, try stat.ofPath(path)?.isSameFile(as: own) == true else {
            throw LibraryError(
                .invalidLayout,
                "another process replaced this while the database was being copied; try again",
                path: path)
        }
    }

    /// The values that a copy must share with the database, even if the database changes in the
    /// meantime.
    private static func facts(_ database: Database) throws -> [Int] {
        try ["PRAGMA application_id", "PRAGMA user_version"]
            .map { try database.value($0) ?? -1 }
    }

    /// Reads the copy.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        var configuration = Configuration()
        configuration.readonly = true
        let copy = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? copy.close() }
        return try copy.read(body)
    }

    /// Whether another file has the same content.
    func hasBytes(of other: OpenFile) throws(SystemError) -> Bool {
        try session.folder.file(LibraryName.draft, O_RDONLY).hasBytes(of: other)
    }

    /// Makes the copy durable under its final name.
    ///
    /// - Parameter replacing: Whether an existing file of that name is replaced. Otherwise it is an
    ///   error, and the copy can be kept under a second name.
    func keep(
        as name: String, in folder: Folder, mode: mode_t, replacing: Bool = true
    ) throws(SystemError) {
        let file = try session.folder.file(LibraryName.draft, O_RDONLY)
        guard fchmod(file.descriptor, mode) == 0 else { throw SystemError("fchmod") }
        try file.synchronize()
        if !replacing {
            try session.folder.link(LibraryName.draft, in: folder, as: name)
            return try folder.synchronize()
        }
        try session.folder.move(LibraryName.draft, to: folder, as: name)
        try folder.synchronize()
    }
}
