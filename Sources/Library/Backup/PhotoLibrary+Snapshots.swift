// SPDX-License-Identifier: Apache-2.0

import FileAccess

extension PhotoLibrary {
    /// Returns the snapshots of a backup in order of their dates, one for each time the library was
    /// backed up. They include a last backup by a version that made no snapshots, unless its
    /// database is damaged. They can be restored even if the database of the last backup is missing
    /// or damaged.
    ///
    /// - Parameter path: The folder of the backup.
    /// - Throws: `LibraryError` with `notALibrary` if there is no backup, or `cannotRead`.
    public static func snapshots(ofBackupAt path: String) throws -> [BackupSnapshot] {
        try snapshots(ofBackupAt: path, includesDamaged: false)
    }

    /// Returns the snapshots of a backup, like ``snapshots(ofBackupAt:)``.
    ///
    /// - Parameter includesDamaged: Whether to include a last backup whose database is damaged.
    package static func snapshots(
        ofBackupAt path: String, includesDamaged: Bool
    ) throws -> [BackupSnapshot] {
        let folder = try SnapshotFolder(ofBackupAt: path)
        let snapshots = try folder.snapshots()
        guard let last = try folder.lastBackup(unlessIn: snapshots),
            includesDamaged || folder.isLastBackupSound
        else { return snapshots }
        return (snapshots + [last]).sorted { $0.date < $1.date }
    }

    /// Returns the number of photos and videos in a snapshot, without those in the trash.
    ///
    /// - Throws: `LibraryError`, for example if the snapshot is damaged.
    package static func assetCount(
        in snapshot: BackupSnapshot, ofBackupAt path: String
    ) throws -> Int {
        try SnapshotFolder(ofBackupAt: path).read(snapshot) { database in
            let version = try database.value("PRAGMA user_version", as: Int.self) ?? 0
            let isVisible = version < Schema.trashVersion ? "" : "WHERE trashed_date IS NULL"
            return try database.value("SELECT count(*) FROM asset \(isVisible)") ?? 0
        }
    }

    /// Copies settings from a backup that are missing in the user's configuration folder.
    ///
    /// - Parameters:
    ///   - path: The folder of the backup.
    ///   - configuration: The path of the user's configuration folder.
    /// - Throws: `LibraryError`.
    package static func restoreSettings(
        ofBackupAt path: String, to configuration: String
    ) throws -> RestoredSettings {
        try SettingsFiles(root: SnapshotFolder(ofBackupAt: path).root).restore(to: configuration)
    }

    /// Removes snapshots from a backup, and the files that only they need.
    ///
    /// - Parameters:
    ///   - path: The folder of the backup.
    ///   - isDryRun: Whether nothing is removed, and the result is a prediction.
    ///   - choose: Returns the snapshots to remove. The last backup stays, even if its snapshot is
    ///     removed.
    /// - Throws: `LibraryError`: `notALibrary` if there is no backup; `busy`, `cannotWrite`. If a
    ///   snapshot that stays cannot be read, nothing is removed.
    package static func removeSnapshots(
        ofBackupAt path: String, isDryRun: Bool = false,
        choosing choose: ([BackupSnapshot]) -> [BackupSnapshot]
    ) throws -> SnapshotPruneReport {
        let folder = try SnapshotFolder(ofBackupAt: path)
        do {
            // An unreadable marker is an error.
            _ = try BackupFolder.marker(in: folder.root)
            guard try folder.root.lock(exclusively: !isDryRun, waiting: 0) else {
                throw LibraryError(
                    .busy, "the backup is being written or restored; try again later", path: path)
            }
        } catch let error as SystemError {
            throw LibraryError.writing(path, error)
        }
        let snapshots = try folder.snapshots()
        let removed = choose(snapshots)
        // Everything is read before anything is removed.
        let unused = try folder.files(onlyOf: removed)
        let byteCount = try folder.size(of: unused)
        if !isDryRun {
            try folder.remove(removed)
            try folder.remove(unused)
        }
        return SnapshotPruneReport(
            removed: removed, keptCount: snapshots.count - removed.count,
            fileCount: unused.count, byteCount: byteCount)
    }
}
