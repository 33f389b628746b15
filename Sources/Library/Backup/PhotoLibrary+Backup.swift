// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

extension PhotoLibrary {
    /// Copies the library, as it is at one moment, into a folder: what it has that the folder has not yet, and the database.
    /// Others may change the library meanwhile; only prune, repair and upgrades wait.
    ///
    /// The folder is laid out as a library, can be read and checked as one, and ``restore(from:to:progress:)`` makes a
    /// library of it. Whenever this ends, however, the folder holds a whole backup: this one, or the last.
    /// - Parameters:
    ///   - path: a folder that is not there, an empty one, or one with a backup of this library.
    ///   - progress: told after each file how many of how many there are; what it throws ends the backup.
    /// - Returns: what was copied. Files that the library has lost or whose bytes are wrong are named in it.
    /// - Throws: `LibraryError`: `alreadyExists` where something else is in the folder; `busy`, `cannotWrite`.
    public func backUp(
        to path: String, progress: (Int, Int) throws -> Void = { _, _ in }
    ) throws -> BackupReport {
        try backup(at: path).run(progress: progress)
    }

    /// Opens a folder for a backup of the library, for which nobody else uses it until the last reference goes.
    ///
    /// - Parameter path: as of ``backUp(to:progress:)``.
    /// - Throws: as ``backUp(to:progress:)``.
    package func backup(at path: String) throws -> LibraryBackup {
        LibraryBackup(of: self, in: try BackupFolder(path, of: self))
    }

    /// Makes a library of a backup. The bytes of each file are compared with its name on the way.
    ///
    /// - Parameters:
    ///   - backup: the folder of the backup.
    ///   - path: where the library is to be: nothing is there, or an empty folder, or what an interrupted restoration has left.
    ///   - progress: told after each file how many of how many there are; what it throws ends the restoration.
    /// - Returns: what was copied. Files that the backup has lost or whose bytes are wrong are named in it.
    /// - Throws: `LibraryError`: `notALibrary` where there is no backup; `alreadyExists` where something is in the folder;
    ///   `damaged`, `cannotWrite`.
    public static func restore(
        from backup: String, to path: String, progress: (Int, Int) throws -> Void = { _, _ in }
    ) throws -> BackupReport {
        // A backup that is written meanwhile would remove what this one names, and put another database in the place of the
        // one that is open. Where a file system has no locks, nobody knows.
        let folder = try LibraryOpener.openFolder(at: backup)
        if let isLocked = try? folder.lock(exclusively: false, waiting: 0), !isLocked {
            throw LibraryError(
                .busy, "a backup is being written there; try again later", path: backup)
        }
        defer { withExtendedLifetime(folder) {} }
        var options = Options()
        options.isReadOnly = true
        // The library that it becomes is brought up to date as any other.
        options.takesOlderFormats = true
        let source = try open(at: backup, options: options)
        defer { try? source.close() }
        guard try BackupFolder.isBackup(source.root) else {
            throw LibraryError(
                .notALibrary, "this is not a backup; to copy a library, use edithost backup",
                path: backup)
        }
        try BackupFolder.requireKnown(source.root)
        try BackupFolder.requireApart(path, backup)
        try requireOutsideOthers(path)
        guard let target = try restorationFolder(path, of: source) else { return BackupReport() }
        let report = try LibraryCopying(source, to: target).run(.restoration, progress: progress)
        try endRestoration(target)
        return report
    }

    /// Refuses a folder for a library in another library, or in a backup.
    ///
    /// - Throws: `LibraryError` with `alreadyExists`.
    package static func requireOutsideOthers(_ path: String) throws {
        try BackupFolder.requireOutsideOthers(path)
    }

    /// The library is there; what remains is what says that it is not.
    private static func endRestoration(_ target: Folder) throws {
        do {
            try target.removeFile(LibraryName.restoring)
            try target.synchronize()
        } catch {
            throw LibraryError.writing(target.path, error)
        }
    }

    /// The folder of a library that is to be, marked as such until its database is there, and which nobody else
    /// restores to meanwhile. Nil: an earlier restoration came as far as the database, and is ended now.
    private static func restorationFolder(
        _ path: String, of source: PhotoLibrary
    ) throws -> Folder? {
        let path = LibraryLayout(root: path).root
        do {
            if let begun = try? Folder(root: path), try begun.status(LibraryName.restoring) != nil {
                try requireAlone(begun)
                // Somebody else may have ended it before this one could.
                guard try begun.status(LibraryName.restoring) != nil else {
                    throw LibraryError(
                        .alreadyExists, "another process has restored a library there", path: path)
                }
                guard try begun.status(LibraryName.database) == nil else {
                    try requireRestored(begun, from: source)
                    try endRestoration(begun)
                    return nil
                }
                try begun.requireLibraryKinds()
                try begun.makeLibraryFolders()
                return begun
            }
            let root = try LibraryOpener.makeFolder(at: path)
            try requireAlone(root)
            guard try root.status(LibraryName.database) == nil else {
                throw LibraryError(
                    .alreadyExists, "another process has created a library there", path: path)
            }
            _ = try root.file(LibraryName.restoring, O_RDWR | O_CREAT, mode: 0o644)
            try root.synchronize()
            return root
        } catch let error as SystemError {
            throw LibraryError.writing(path, error)
        }
    }

    /// Refuses a folder with a database that is not the backup's: the marker alone does not make it the library's to be.
    private static func requireRestored(_ root: Folder, from source: PhotoLibrary) throws {
        let log = try root.status(LibraryName.log)?.st_size ?? 0
        if log == 0, let place = try HistoryPlace(of: root),
            place == (try? source.read(HistoryPlace.init))
        {
            return
        }
        throw LibraryError(
            .alreadyExists, "the folder already contains a library; choose another folder",
            path: root.path)
    }

    private static func requireAlone(_ root: Folder) throws {
        guard try root.lock(exclusively: true, waiting: 0) else {
            throw LibraryError(
                .busy, "another process is restoring a library there; try again later",
                path: root.path)
        }
    }
}
