// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

extension PhotoLibrary {
    /// Backs up a consistent snapshot of the library into a folder, copying only files that the
    /// folder lacks, and the database. Other processes may change the library concurrently; only
    /// prune, repair and upgrades wait.
    ///
    /// The folder has the layout of a library and can be opened and checked like one.
    /// ``restore(from:to:progress:)`` creates a library from it. If the backup is interrupted, the
    /// folder still holds the previous one. The states of earlier backups are kept as
    /// ``snapshots(ofBackupAt:)``.
    ///
    /// - Parameters:
    ///   - path: A missing or empty folder, or one with a backup of this library.
    ///   - progress: Called after each file with the number of files processed and the total. An
    ///     error it throws ends the backup.
    /// - Returns: The number of files copied, and the errors of files that are missing or damaged
    ///   in the library.
    /// - Throws: `LibraryError`: `alreadyExists` if the folder contains anything else; `busy`,
    ///   `cannotWrite`.
    public func backUp(
        to path: String, progress: (Int, Int) throws -> Void = { _, _ in }
    ) throws -> BackupReport {
        try backup(at: path).run(progress: progress)
    }

    /// Opens a backup folder of the library, locked until the last reference is released.
    ///
    /// - Parameters:
    ///   - path: A missing or empty folder, or one with a backup of this library.
    ///   - takingOver: Whether the backup may belong to another copy of the library. That copy can
    ///     then no longer write to it.
    /// - Throws: The same errors as ``backUp(to:progress:)``.
    package func backup(at path: String, takingOver: Bool = false) throws -> LockedBackup {
        LockedBackup(of: self, in: try BackupFolder(path, of: self, takingOver: takingOver))
    }

    /// Creates a library from a backup. Each file is verified against its hash while it is copied.
    ///
    /// - Parameters:
    ///   - backup: The folder of the backup.
    ///   - snapshot: The snapshot to restore; nil for the last backup.
    ///   - path: The folder of the new library: missing, empty, or left by an interrupted restore.
    ///   - progress: Called after each file with the number of files processed and the total. An
    ///     error it throws ends the restore.
    ///   - accepted: Called when the destination is suitable, before the first file is copied. An
    ///     error it throws ends the restore.
    /// - Returns: The number of files copied, and the errors of files that are missing or damaged
    ///   in the backup.
    /// - Throws: `LibraryError`: `notALibrary` if there is no backup; `alreadyExists` if the
    ///   destination is in use; `busy`, `damaged`, `cannotWrite`.
    public static func restore(
        from backup: String, at snapshot: BackupSnapshot? = nil, to path: String,
        progress: (Int, Int) throws -> Void = { _, _ in }, accepted: () throws -> Void = {}
    ) throws -> BackupReport {
        // A concurrent backup would remove files that this one references, and replace the open
        // database. On file systems without locks this cannot be detected.
        let needsDatabase = snapshot?.database == nil
        let folder = try LibraryOpener.openFolder(at: backup, needsDatabase: needsDatabase)
        if let isLocked = try? folder.lock(exclusively: false, waiting: 0), !isLocked {
            throw LibraryError(
                .busy, "a backup is being written there; try again later", path: backup)
        }
        defer { withExtendedLifetime(folder) {} }
        var options = Options()
        options.isReadOnly = true
        // The restored library is migrated when it is opened, like any other.
        options.acceptsOlderFormats = true
        options.snapshotName = snapshot?.database
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
        let (target, state) = try restorationFolder(path, of: source)
        try accepted()
        var report = BackupReport()
        if state != .complete {
            report = try LibraryCopier(source, to: target).run(
                .restoration, acceptingOthers: state == .resumed, progress: progress)
        }
        try endRestoration(target)
        return report
    }

    /// Rejects a folder inside another library or inside a backup.
    ///
    /// - Throws: `LibraryError` with `alreadyExists`.
    package static func requireOutsideOthers(_ path: String) throws {
        try BackupFolder.requireOutsideOthers(path)
    }

    /// Removes the marker of an incomplete restore, once the library is complete.
    private static func endRestoration(_ target: Folder) throws {
        do {
            try target.removeFile(LibraryName.restoring)
            try target.synchronize()
        } catch {
            throw LibraryError.writing(target.path, error)
        }
    }

    /// The state of a folder in which a library is restored.
    private enum RestorationState {
        /// No restore has begun there, or it is not known which one.
        case new
        /// An earlier restore from backups of the same library has begun there.
        case resumed
        /// An earlier restore got as far as the database.
        case complete
    }

    /// Returns the folder of the library to be restored, locked and marked as incomplete.
    private static func restorationFolder(
        _ path: String, of source: PhotoLibrary
    ) throws -> (root: Folder, state: RestorationState) {
        let path = LibraryLayout(root: path).root
        let identifier = Array(try source.identifier.utf8)
        do {
            if let begun = try? Folder(root: path), try begun.status(LibraryName.restoring) != nil {
                try requireAlone(begun)
                // Another process may have completed the restore in the meantime.
                guard try begun.status(LibraryName.restoring) != nil else {
                    throw LibraryError(
                        .alreadyExists, "another process has restored a library there", path: path)
                }
                guard try begun.status(LibraryName.database) == nil else {
                    try requireRestored(begun, from: source)
                    return (begun, .complete)
                }
                try begun.requireLibraryKinds()
                try begun.makeLibraryFolders()
                return (begun, try isMark(of: identifier, in: begun) ? .resumed : .new)
            }
            let root = try LibraryOpener.makeFolder(at: path)
            try requireAlone(root)
            guard try root.status(LibraryName.database) == nil else {
                throw LibraryError(
                    .alreadyExists, "another process has created a library there", path: path)
            }
            let mark = try root.file(LibraryName.restoring, O_RDWR | O_CREAT, mode: 0o644)
            try identifier.withUnsafeBytes { try mark.write($0, at: 0) }
            try mark.synchronize()
            try root.synchronize()
            return (root, .new)
        } catch let error as SystemError {
            throw LibraryError.writing(path, error)
        }
    }

    /// Whether the marker of an incomplete restore names a library. Earlier versions wrote an empty one.
    private static func isMark(of identifier: [UInt8], in root: Folder) throws -> Bool {
        let file = try root.file(LibraryName.restoring, O_RDONLY)
        var bytes = [UInt8](repeating: 0, count: identifier.count + 1)
        let count = try bytes.withUnsafeMutableBytes { try file.fill($0, at: 0) }
        return bytes.prefix(count).elementsEqual(identifier)
    }

    /// Rejects a folder whose database is not that of the backup: the marker alone does not prove
    /// that a restore wrote it.
    private static func requireRestored(_ root: Folder, from source: PhotoLibrary) throws {
        let log = try root.status(LibraryName.log)?.st_size ?? 0
        if log == 0, let place = try HistoryPosition(of: root),
            place == (try? source.read(HistoryPosition.init))
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
