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
        root = try LibraryOpener.openFolder(at: path)
        try root.requireLibraryKinds()
        guard try BackupFolder.isBackup(root) else {
            throw LibraryError(.notALibrary, "this is not a backup", path: root.path)
        }
        try BackupFolder.requireKnown(root)
    }

    /// Returns the snapshots in order of their dates. Entries with other names are ignored.
    ///
    /// - Throws: `LibraryError` with `cannotRead`.
    func snapshots() throws -> [BackupSnapshot] {
        do {
            let entries = try root.folderIfPresent(LibraryName.snapshots)?.entries() ?? []
            return
                entries
                .filter { $0.kind == .regularFile }
                .compactMap { BackupSnapshot(name: $0.name) }
                .sorted { $0.date < $1.date }
        } catch {
            throw LibraryError.reading(root.layout.snapshots, error)
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
        options.snapshot = snapshot
        let opener = LibraryOpener(root: root, options: options, isNew: false)
        let path = snapshot.map { root.layout.snapshots + "/" + $0.name } ?? root.layout.database
        return try translatingDatabaseErrors(path: path) { try opener.readImmutably(body) }
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

    /// Returns the names of the files that the last backup references.
    func filesOfLastBackup() throws -> Set<String> {
        try read(nil, BlobInventory.hashesInDatabase)
    }

    /// Returns the files that neither the last backup nor a snapshot references.
    ///
    /// - Parameters:
    ///   - names: The names of the files that the last backup references.
    ///   - removed: The snapshots that are regarded as removed.
    /// - Throws: `LibraryError`, for example if a snapshot is damaged.
    func unusedFiles(
        keeping names: Set<String>, without removed: Set<BackupSnapshot> = []
    ) throws -> [BlobInventory.File] {
        var unused = try BlobInventory(of: root).files.filter { !names.contains($0.name) }
        for snapshot in try snapshots() where !unused.isEmpty && !removed.contains(snapshot) {
            let used = Set(try files(of: snapshot).map(\.hash.hex))
            unused.removeAll { used.contains($0.name) }
        }
        return unused
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
        do throws(SystemError) {
            let folder = try makeFolder()
            try copy.keep(
                as: BackupSnapshot(date: date).name, in: folder, mode: 0o444, replacing: false)
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

    /// Keeps the last backup as a snapshot of a further date. It needs no space.
    ///
    /// - Throws: `LibraryError` with `cannotWrite`.
    func keepLastBackup(takenAt date: Date) throws {
        do throws(SystemError) {
            let (folder, name) = (try makeFolder(), BackupSnapshot(date: date).name)
            guard try folder.status(name) == nil else { return }
            try root.link(LibraryName.database, in: folder, as: name)
            try folder.synchronize()
        } catch {
            throw LibraryError.writing(root.layout.snapshots, error)
        }
    }

    /// Keeps the last backup as a snapshot if it is none yet, because an earlier version made it.
    ///
    /// - Throws: `LibraryError` with `cannotWrite`.
    func keepLastBackupIfNeeded() throws {
        let status: stat?
        do {
            status = try root.status(LibraryName.database)
        } catch {
            throw LibraryError.reading(root.layout.database, error)
        }
        guard let status, !status.hasOtherNames, (try? filesOfLastBackup()) != nil else { return }
        let seconds = Double(status.st_mtim.tv_sec)
        try keepLastBackup(takenAt: Date(timeIntervalSince1970: seconds))
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
