// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import GRDB
import Glibc

/// The snapshots in a backup's folder.
struct SnapshotFolder {
    /// The backup's folder.
    let root: Folder

    init(root: Folder) { self.root = root }

    /// Opens the folder of a backup.
    ///
    /// - Throws: `LibraryError` with `notALibrary` if it is none.
    init(ofBackupAt path: String) throws {
        root = try LibraryOpener.openFolder(at: path, needsDatabase: false)
        try root.requireLibraryKinds()
        guard try BackupFolder.isBackup(root) else {
            throw LibraryError(.notALibrary, "this is not a backup", path: root.path)
        }
        try BackupFolder.requireKnown(root)
    }

    /// Returns the snapshots in order of their dates. Other entries are ignored.
    ///
    /// - Throws: `LibraryError` with `cannotRead`.
    func snapshots() throws -> [BackupSnapshot] {
        try entries().filter { $0.kind == .regularFile }
            .compactMap { BackupSnapshot(name: $0.name) }
            .sorted { $0.date < $1.date }
    }

    private func entries() throws -> [Folder.Entry] {
        do {
            return try root.folderIfPresent(LibraryName.snapshots)?.entries() ?? []
        } catch {
            throw LibraryError.reading(root.layout.snapshots, error)
        }
    }

    /// Rejects entries that may be snapshots but cannot be read as such: links, and databases with
    /// other names. Their files could not be kept.
    func requireOnlySnapshots() throws {
        for entry in try entries() where entry.name.hasSuffix(".sqlite") {
            if entry.kind == .regularFile, BackupSnapshot(name: entry.name) != nil { continue }
            throw LibraryError(
                .damaged,
                "this is not a snapshot that edithost made; move it to another folder",
                path: root.layout.snapshots + "/" + entry.name)
        }
    }

    // MARK: - Reading

    /// Reads a snapshot, or the last backup.
    ///
    /// - Throws: `LibraryError`.
    func read<Result>(
        _ snapshot: BackupSnapshot?, _ body: (Database) throws -> Result
    ) throws -> Result {
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        options.snapshotName = snapshot?.database
        let opener = LibraryOpener(root: root, options: options, isNew: false)
        let path =
            snapshot?.database.map { root.layout.snapshots + "/" + $0 }
            ?? root.layout.database
        do {
            if snapshot?.database == nil { try LibraryOpener.requireDatabase(of: root) }
            return try translatingDatabaseErrors(path: path) { try opener.readImmutably(body) }
        } catch let error as LibraryError {
            // Some errors name the library or the last backup.
            throw LibraryError(error.code, error.message, path: path, underlying: error.underlying)
        }
    }

    /// Returns the files that a snapshot references.
    ///
    /// - Throws: `LibraryError`.
    func files(of snapshot: BackupSnapshot) throws -> [(hash: SHA256Digest, size: Int)] {
        try read(snapshot) { database in
            try database.records("SELECT hash, size FROM blob ORDER BY hash") { row in
                (try row.value(0, as: SHA256Digest.self), try row.value(1, as: Int.self))
            }
        }
    }

    /// Returns the names of the files that the last backup references, after SQLite's check of its
    /// database.
    ///
    /// - Throws: `LibraryError`.
    func filesOfLastBackup() throws -> Set<String> {
        try read(nil) { database in
            try Self.requireSound(database)
            return try BlobInventory.hashesInDatabase(database)
        }
    }

    /// Returns the names of the files that a snapshot references, after SQLite's check of its
    /// database.
    private func checkedFiles(of snapshot: BackupSnapshot) throws -> [String] {
        try read(snapshot, Self.requireSound)
        return try files(of: snapshot).map(\.hash.hex)
    }

    /// Whether the database of the last backup can be read and passes SQLite's check. One of a newer
    /// version cannot be checked, and counts as sound.
    var isLastBackupSound: Bool {
        do {
            try read(nil, Self.requireSound)
            return true
        } catch {
            return (error as? LibraryError)?.code == .newerSchema
        }
    }

    private static func requireSound(_ database: Database) throws {
        let answer = try database.value("PRAGMA quick_check(1)", as: String.self)
        guard answer == "ok" else {
            throw LibraryError(
                .damaged, "the database is damaged",
                underlying: LibraryError(.damaged, answer ?? ""))
        }
    }

    /// Returns the files that neither the last backup nor a snapshot references.
    ///
    /// - Parameter names: The names of the files that the last backup references.
    /// - Throws: `LibraryError`, for example if a snapshot is damaged.
    func unusedFiles(keeping names: Set<String>) throws -> [BlobInventory.File] {
        var unused = try BlobInventory(of: root).files.filter { !names.contains($0.name) }
        if unused.isEmpty { return [] }
        try requireOnlySnapshots()
        for snapshot in try distinct(snapshots()) {
            let used = Set(try files(of: snapshot).map(\.hash.hex))
            unused.removeAll { used.contains($0.name) }
            if unused.isEmpty { return [] }
        }
        // A damaged database may lack rows.
        for snapshot in try distinct(snapshots()) { _ = try checkedFiles(of: snapshot) }
        return unused
    }

    /// Returns the files that only some snapshots reference. The others are read and checked, even
    /// if there are no such files.
    ///
    /// - Throws: `LibraryError`, for example if a snapshot that stays is damaged.
    func files(onlyOf removed: [BackupSnapshot]) throws -> [BlobInventory.File] {
        try requireOnlySnapshots()
        // The files of a damaged snapshot stay until the next backup.
        var only = Set(try distinct(removed).flatMap { (try? checkedFiles(of: $0)) ?? [] })
        only.subtract(try filesOfLastBackup())
        for snapshot in try distinct(snapshots().filter { !removed.contains($0) }) {
            only.subtract(try checkedFiles(of: snapshot))
        }
        return try BlobInventory(of: root).files.filter { only.contains($0.name) }
    }

    /// Returns one snapshot of each database, because those of an unchanged library are links to one file.
    private func distinct(_ snapshots: [BackupSnapshot]) throws -> [BackupSnapshot] {
        do throws(SystemError) {
            let folder = try root.folderIfPresent(LibraryName.snapshots)
            var known: Set<FileIdentity> = []
            var distinct: [BackupSnapshot] = []
            for snapshot in snapshots {
                let status = try folder?.status(snapshot.name)
                if let status, !known.insert(FileIdentity(status)).inserted { continue }
                distinct.append(snapshot)
            }
            return distinct
        } catch {
            throw LibraryError.reading(root.layout.snapshots, error)
        }
    }

    /// Returns the size of files in bytes.
    func size(of files: [BlobInventory.File]) throws -> Int {
        do {
            let blobs = try root.folder(LibraryName.blobs)
            return try files.reduce(0) { sum, file in
                sum + Int(try blobs.folder(file.folder).status(file.name)?.st_size ?? 0)
            }
        } catch let error as SystemError {
            throw LibraryError.reading(root.layout.blobs, error)
        }
    }

    // MARK: - Writing

    /// Makes a copy of the database durable as a snapshot. The files that it references must be
    /// durable already.
    ///
    /// - Throws: `LibraryError` with `cannotWrite`.
    func keep(_ copy: DatabaseCopy, takenAt date: Date) throws {
        let name = try name(at: date)
        do throws(SystemError) {
            try copy.keep(as: name, in: makeFolder(), mode: 0o444, replacing: false)
        } catch {
            throw LibraryError.writing(root.layout.snapshots, error)
        }
    }

    /// Whether the database has not changed since the last backup.
    func isLastBackup(_ copy: DatabaseCopy) throws -> Bool {
        do throws(SystemError) {
            guard try root.status(LibraryName.database) != nil else { return false }
            return try copy.hasBytes(of: root.file(LibraryName.database, O_RDONLY))
        } catch {
            throw LibraryError.reading(root.layout.database, error)
        }
    }

    /// Keeps the last backup as a snapshot of a further date. It needs no space if it can be a link.
    ///
    /// - Throws: `LibraryError` with `cannotWrite`.
    func keepLastBackup(takenAt date: Date) throws {
        let name = try name(at: date)
        do {
            let folder = try makeFolder()
            guard try folder.status(name) == nil else { return }
            do throws(SystemError) {
                try root.link(LibraryName.database, in: folder, as: name)
            } catch {
                // The number of links of a file is limited, and another user's file cannot be linked.
                guard [EMLINK, EPERM, EOPNOTSUPP].contains(error.number) else { throw error }
                try copyLastBackup(to: folder, as: name)
            }
            try folder.synchronize()
        } catch let error as SystemError {
            throw LibraryError.writing(root.layout.snapshots, error)
        }
    }

    private func copyLastBackup(to folder: Folder, as name: String) throws {
        let database = try root.file(LibraryName.database, O_RDONLY)
        try folder.writeAtomically(name, replacing: false) { copy in
            _ = try FileBytes.read(database, atMost: .max) { try copy.write($0, at: $1) }
        }
        let copy = try folder.file(name, O_RDONLY)
        guard fchmod(copy.descriptor, 0o444) == 0 else { throw SystemError("fchmod") }
    }

    /// Returns the name of a snapshot, which later backups recognise.
    private func name(at date: Date) throws -> String {
        let name = BackupSnapshot(date: date).name
        guard BackupSnapshot(name: name) != nil else {
            throw LibraryError(
                .cannotWrite, "the date of the computer is wrong, so the snapshot cannot be named",
                path: root.layout.snapshots)
        }
        return name
    }

    /// Returns the last backup if it is not one of the snapshots, because an earlier version made
    /// it or its snapshot is missing. Its date is that of its database, in seconds.
    ///
    /// - Throws: `LibraryError` with `cannotRead`.
    func lastBackup(unlessIn snapshots: [BackupSnapshot]) throws -> BackupSnapshot? {
        do {
            guard let status = try root.status(LibraryName.database) else { return nil }
            if try isKept(status, in: snapshots) { return nil }
            let seconds = Double(status.st_mtim.tv_sec)
            var last = BackupSnapshot(date: Date(timeIntervalSince1970: seconds))
            last.isLastBackup = true
            return last
        } catch {
            throw LibraryError.reading(root.layout.database, error)
        }
    }

    /// Whether a snapshot is a link to the database of the last backup, or has the same bytes, as in
    /// a copy of the folder without hard links.
    private func isKept(
        _ status: stat, in snapshots: [BackupSnapshot]
    ) throws(SystemError) -> Bool {
        guard let folder = try root.folderIfPresent(LibraryName.snapshots) else { return false }
        var candidates: [String] = []
        for snapshot in snapshots {
            guard let other = try folder.status(snapshot.name) else { continue }
            if other.isSameFile(as: status) { return true }
            if other.st_size == status.st_size { candidates.append(snapshot.name) }
        }
        let database = try root.file(LibraryName.database, O_RDONLY)
        // Probably it is the newest one.
        return candidates.reversed().contains { name in
            (try? folder.file(name, O_RDONLY).hasBytes(of: database)) == true
        }
    }

    /// Keeps the last backup as a snapshot if it is none yet, because an earlier version made it. A
    /// damaged one is not kept.
    ///
    /// - Throws: `LibraryError` with `cannotWrite`.
    func keepLastBackupIfNeeded() throws {
        // A damaged snapshot would prevent the removal of others.
        guard let last = try lastBackup(unlessIn: snapshots()), isLastBackupSound else { return }
        try keepLastBackup(takenAt: last.date)
    }

    private func makeFolder() throws(SystemError) -> Folder {
        let folder = try root.makeFolderIfNeeded(LibraryName.snapshots)
        try root.synchronize()
        return folder
    }

    /// Removes the databases of snapshots, but none of the files that they reference.
    ///
    /// - Throws: `LibraryError` with `cannotWrite`.
    func remove(_ snapshots: [BackupSnapshot]) throws {
        do {
            guard let folder = try root.folderIfPresent(LibraryName.snapshots) else { return }
            for snapshot in snapshots { try folder.removeFile(snapshot.name) }
            try folder.synchronize()
        } catch {
            throw LibraryError.writing(root.layout.snapshots, error)
        }
    }

    /// Removes files under `blobs/`.
    ///
    /// - Throws: `LibraryError` with `cannotWrite`.
    func remove(_ files: [BlobInventory.File]) throws {
        for file in files {
            do {
                try root.folder(LibraryName.blobs).folder(file.folder).removeFile(file.name)
            } catch {
                throw LibraryError.writing(file.path, error)
            }
        }
    }
}
