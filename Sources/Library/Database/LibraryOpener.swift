// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import GRDB
import Glibc

/// Opens the database of a library. The database is not modified until all checks have shown that
/// this program may write to it.
struct LibraryOpener {
    /// The library's folder.
    let root: Folder
    let options: PhotoLibrary.Options
    let isNew: Bool
    var schema = Schema.current

    private var layout: LibraryLayout { root.layout }
    private var files: DatabaseFiles {
        get throws { try DatabaseFiles(of: root, snapshot: options.snapshotName) }
    }

    /// Creates the folder of a new library and its subfolders. Folders and files left by an
    /// interrupted or concurrent creation are reused.
    ///
    /// - Returns: The library's folder.
    static func makeFolder(at path: String) throws -> Folder {
        let layout = LibraryLayout(root: path)
        do {
            guard mkdir(layout.root, 0o777) == 0 || errno == EEXIST else {
                throw SystemError("mkdir")
            }
            let root = try Folder(root: LibraryLayout(root: path).root)
            let names = try root.names()
            let isOurs = LibraryName.withoutDatabase.isSuperset(of: names)
            guard
                try isOurs
                    && (root.folderIfPresent(LibraryName.blobs)?.names().isEmpty ?? true)
            else {
                throw LibraryError(
                    .alreadyExists,
                    "the folder is not empty; choose an empty one for a new "
                        + "library", path: layout.root)
            }
            try root.requireLibraryKinds()
            try root.makeLibraryFolders()
            try OpenFile(layout.parent, O_RDONLY | O_DIRECTORY).synchronize()
            return root
        } catch let error as SystemError {
            throw LibraryError.writing(layout.root, error)
        }
    }

    /// Opens a library's folder, after checking that it can be one.
    ///
    /// - Parameter needsDatabase: False for the snapshots of a backup, which have databases of
    ///   their own.
    static func openFolder(at path: String, needsDatabase: Bool = true) throws -> Folder {
        do {
            let root = try Folder(root: LibraryLayout(root: path).root)
            // The kinds of these entries are checked when the library is opened.
            if try root.status(LibraryName.blobs) != nil {
                if try root.status(LibraryName.database) != nil { return root }
                if try root.status(LibraryName.snapshots) != nil,
                    try root.status(LibraryName.backupMarker) != nil
                {
                    if needsDatabase { throw Self.lostDatabase(of: root) }
                    return root
                }
            }
        } catch let error as SystemError {
            guard [ENOENT, ENOTDIR].contains(error.number) else {
                throw LibraryError.reading(path, error)
            }
        }
        throw LibraryError(
            .notALibrary, "not a photo library", path: LibraryLayout(root: path).root)
    }

    /// Rejects a backup without the database of the last backup.
    static func requireDatabase(of root: Folder) throws {
        guard try root.status(LibraryName.database) == nil else { return }
        throw lostDatabase(of: root)
    }

    private static func lostDatabase(of root: Folder) -> LibraryError {
        LibraryError(
            .damaged,
            "the database of the last backup is missing; restore one of its snapshots with "
                + "edithost restore --at, or back up again",
            path: root.layout.database)
    }

    /// Checks, opens and migrates the database.
    func open() throws -> (any DatabaseReader, StagingSession?) {
        try root.requireLibraryKinds()
        let isBackup = try BackupFolder.isBackup(root)
        // A backup's database is a single file that no process writes.
        if !(isBackup && options.isReadOnly) { try root.requireLocalFileSystem() }
        // The database of a backup has other hard links.
        if isBackup, !options.isReadOnly {
            throw LibraryError(
                .readOnly,
                "this is a backup, which cannot be changed; restore it to another folder with "
                    + "edithost restore",
                path: layout.root)
        }
        try files.requireOwn(isReadOnly: options.isReadOnly)
        return try translatingDatabaseErrors(path: layout.root) {
            if options.isReadOnly { return (try openForReading(), nil) }
            if !isNew { try verifyUntouched() }
            try requireWritable()
            let session = try StagingSession(in: root)
            let pool = try openPoolUnderLock()
            try quickCheckIfNeeded(pool, session)
            try migrateIfNeeded(pool, session)
            // Dead sessions are evidence of an unclean close, so they stay until the check has
            // passed.
            try session.removeDeadSessions()
            // A restoration that was killed just before its end leaves this file behind.
            try? root.removeFile(LibraryName.restoring)
            ReserveFile(root: root).makeIfNeeded()
            return (pool, session)
        }
    }

    /// Reads the header through a connection that cannot write.
    private func verifyUntouched() throws {
        do {
            let queue = try openQueueForReading(immutable: false)
            defer { try? queue.close() }
            let version = try queue.read(verifiedVersion)
            if version < schema.version, !options.upgradesOlderFormats { throw Self.olderFormat }
        } catch let error as DatabaseError
            where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
        {
            // There is a rollback journal only if the creation of a library was interrupted before
            // it switched to the write-ahead log. Opening for writing rolls it back.
        }
    }

    /// Checks that the database is a library's and not newer than this program.
    static func verifyHeader(_ database: Database, knowing known: Int) throws {
        let identifier = try database.value("PRAGMA application_id", as: Int.self) ?? 0
        let version = try database.value("PRAGMA user_version", as: Int.self) ?? 0
        if version > known, identifier == Schema.applicationIdentifier {
            throw LibraryError(
                .newerSchema, NewerFormat.message("the library", version: version),
                path: database.description)
        }
        // A library whose creation was interrupted before its first commit has neither.
        guard identifier == Schema.applicationIdentifier || (identifier == 0 && version == 0)
        else {
            throw LibraryError(
                .notALibrary, "not a photo library: the database belongs to another program")
        }
        if identifier == 0 {
            let tables = try database.value(
                """
                SELECT count(*) FROM sqlite_schema
                WHERE name NOT LIKE 'grdb_%' AND name NOT LIKE 'sqlite_%'
                """, as: Int.self)
            guard tables == 0 else {
                throw LibraryError(
                    .notALibrary, "not a photo library: the database belongs to another program")
            }
        }
    }

    /// Checks that the database is a library's, is not newer than this program, and has no foreign
    /// schema objects.
    private func verifySchema(_ database: Database) throws {
        // This comes first: a concurrent creation commits its tables before its first file.
        let hasFiles = try hasFiles
        try Self.verifyHeader(database, knowing: schema.version)
        try schema.verify(database)
        guard hasFiles, try database.value("PRAGMA user_version", as: Int.self) == 0 else { return }
        throw LibraryError(
            .damaged, "the library's database is empty, although the library contains files",
            path: layout.database)
    }

    /// Checks the schema, and returns the version of the format.
    private func verifiedVersion(_ database: Database) throws -> Int {
        try verifySchema(database)
        return try database.value("PRAGMA user_version", as: Int.self) ?? 0
    }

    private static var olderFormat: LibraryError {
        LibraryError(
            .readOnly,
            "the library has an older format; run a command that changes it, which upgrades it")
    }

    private var hasFiles: Bool {
        get throws {
            do {
                return try root.folderIfPresent(LibraryName.blobs)?.names().isEmpty == false
            } catch {
                throw LibraryError.reading(layout.blobs, error)
            }
        }
    }

    /// Returns a database that can be read. For a library in an older format that cannot be
    /// migrated in place, this is a migrated copy.
    private func current(_ queue: DatabaseQueue) throws -> any DatabaseReader {
        let version = try queue.read(verifiedVersion)
        if version == schema.version || options.acceptsOlderFormats { return queue }
        guard try options.copiesOlderFormats || BackupFolder.isBackup(root) || !root.isWritable
        else { throw Self.olderFormat }
        defer { try? queue.close() }
        return try migratedCopy(of: queue, version: version)
    }

    /// Returns a migrated copy of the database. SQLite keeps it in memory, and spills to a
    /// temporary file if it is too large.
    private func migratedCopy(
        of queue: DatabaseQueue, version: Int
    ) throws -> any DatabaseReader {
        var configuration = Configuration()
        configuration.prepareDatabase(UntrustedDatabaseSettings.apply)
        let copy = try DatabaseQueue(path: "", configuration: configuration)
        try queue.backup(to: copy)
        try schema.migrator.migrate(copy)
        if version < Schema.exportSecretVersion {
            // The migration generated an export secret, but the library itself does not have it.
            try copy.write { try $0.execute(sql: "UPDATE library SET export_secret = NULL") }
        }
        return copy
    }

    private func requireWritable() throws {
        do {
            let folders = [LibraryName.staging, LibraryName.blobs]
            for folder in try [root] + folders.compactMap(root.folderIfPresent)
            where !folder.isWritable {
                throw LibraryError.writing(folder.path, SystemError("faccessat"))
            }
        } catch let error as SystemError {
            throw LibraryError.writing(layout.root, error)
        }
    }

    private func openPoolUnderLock() throws -> DatabasePool {
        let lock = try LibraryLock(root, exclusively: false, waiting: options.busyTimeout)
        return try withExtendedLifetime(lock) { try openPool() }
    }

    private func openPool() throws -> DatabasePool {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase(prepare)
        configuration.busyMode = .timeout(options.busyTimeout)
        let pool = try DatabasePool(path: layout.database, configuration: configuration)
        try pool.read(verifySchema)
        // GRDB sets NORMAL when it opens a pool, after all of its hooks, so this has to come later.
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try Self.requireDurability(database)
        }
        return pool
    }

    /// Throws an error unless commits survive a power failure.
    static func requireDurability(_ database: Database) throws {
        let synchronous = try database.value("PRAGMA synchronous", as: Int.self)
        let journal = try database.value("PRAGMA journal_mode", as: String.self)
        let foreignKeys = try database.value("PRAGMA foreign_keys", as: Int.self)
        guard synchronous == 2, journal == "wal", foreignKeys == 1 else {
            throw LibraryError(
                .database,
                "SQLite did not accept the settings that keep commits safe from a power failure")
        }
    }

    private func migrateIfNeeded(_ pool: DatabasePool, _ session: StagingSession) throws {
        let migrator = schema.migrator
        if try pool.read(migrator.hasCompletedMigrations) { return }
        let lock = try LibraryLock.exclusive(root)
        try withExtendedLifetime(lock) {
            // Another process may have migrated the library while this one waited.
            if try pool.read(migrator.hasCompletedMigrations) { return }
            let version = try pool.read { try $0.value("PRAGMA user_version", as: Int.self) }
            if let version, version > 0 {
                try quickCheck(pool)
                try MigrationBackup(root: root, version: version).make(of: pool, in: session)
            }
            try migrator.migrate(pool)
        }
    }

    private func quickCheckIfNeeded(_ pool: DatabasePool, _ session: StagingSession) throws {
        guard options.checksAfterUncleanClose, session.deadSessionCount > 0 else { return }
        try quickCheck(pool)
    }

    private func quickCheck(_ pool: DatabasePool) throws {
        let answer = try pool.read { try $0.value("PRAGMA quick_check(1)", as: String.self) }
        guard answer == "ok" else {
            throw LibraryError(
                .damaged,
                "the library's database is damaged; run edithost check", path: layout.root,
                underlying: LibraryError(.damaged, answer ?? ""))
        }
    }

    /// Opens the database for reading only, even in a folder that is not writable.
    private func openForReading() throws -> any DatabaseReader {
        do {
            // Nothing writes to a snapshot's database, and SQLite creates no files beside it.
            return try current(openQueueForReading(immutable: options.snapshotName != nil))
        } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
            && !root.isWritable
        {
            return try openImmutable()
        }
    }

    /// Opens a database in a folder that is not writable. Most likely no other process can write to
    /// it either, so SQLite can work without its shared memory file, unless there is a log to
    /// recover.
    func openImmutable() throws -> any DatabaseReader {
        if let log = try root.status(LibraryName.log), log.st_size > 0 {
            throw LibraryError(
                .cannotWrite,
                "the library was not closed properly; make its folder writable, so that it can "
                    + "be recovered, and try again",
                path: layout.root)
        }
        return try current(openQueueForReading(immutable: true))
    }

    /// Configures a new connection.
    private func prepare(_ database: Database) throws {
        try files.requireOpened(by: database)
        try UntrustedDatabaseSettings.apply(to: database)
    }

    /// Reads a database that no process writes, without touching the files beside it.
    func readImmutably<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let queue = try openQueueForReading(immutable: true)
        defer { try? queue.close() }
        return try queue.read { database in
            try verifySchema(database)
            return try body(database)
        }
    }

    private func openQueueForReading(immutable: Bool) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.prepareDatabase(prepare)
        configuration.busyMode = .timeout(options.busyTimeout)
        let file = try files.path
        let path = immutable ? Self.immutableLocator(file) : file
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Returns SQLite's URI for a file that does not change while it is open.
    private static func immutableLocator(_ path: String) -> String {
        var escaped = ""
        for byte in path.utf8 {
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || [0x2D, 0x2E, 0x2F, 0x5F].contains(byte)
            if isPlain {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return "file:" + escaped + "?immutable=1"
    }
}
