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
        let folder = try BackupFolder(path, of: self)
        // So that no file goes that the copy of the database names.
        let lock =
            root.isWritable
            ? try LibraryLock(root, exclusively: false, waiting: options.busyTimeout) : nil
        return try withExtendedLifetime((lock, folder)) {
            try LibraryCopying(self, to: folder.root).run(databaseMode: 0o444, progress: progress)
        }
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
        var options = Options()
        options.isReadOnly = true
        let source = try open(at: backup, options: options)
        defer { try? source.close() }
        guard try BackupFolder.isBackup(source.root) else {
            throw LibraryError(
                .notALibrary, "this is no backup; a library is copied with edithost backup",
                path: backup)
        }
        try BackupFolder.requireApart(path, backup)
        let target = try restorationFolder(path)
        let report = try LibraryCopying(source, to: target).run(
            databaseMode: 0o644, progress: progress)
        do {
            try target.removeFile(LibraryName.restoring)
            try target.synchronize()
        } catch {
            throw LibraryError.writing(target.path, error)
        }
        return report
    }

    /// The folder of a library that is to be, marked as such until its database is there.
    private static func restorationFolder(_ path: String) throws -> Folder {
        let path = LibraryLayout(root: path).root
        do {
            if let begun = try? Folder(root: path), try begun.status(LibraryName.restoring) != nil,
                try begun.status(LibraryName.database) == nil
            {
                try begun.requireLibraryKinds()
                try begun.makeLibraryFolders()
                return begun
            }
            let root = try LibraryOpener.makeFolder(at: path)
            _ = try root.file(LibraryName.restoring, O_RDWR | O_CREAT, mode: 0o644)
            try root.synchronize()
            return root
        } catch let error as SystemError {
            throw LibraryError.writing(path, error)
        }
    }
}
