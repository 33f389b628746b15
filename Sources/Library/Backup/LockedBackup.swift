// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A backup folder of a library, locked against other backups and restores for the lifetime of this
/// object.
package final class LockedBackup: Sendable {
    private let library: PhotoLibrary
    private let folder: BackupFolder

    init(of library: PhotoLibrary, in folder: BackupFolder) {
        self.library = library
        self.folder = folder
    }

    /// Copies a consistent snapshot of the library; see ``PhotoLibrary/backUp(to:progress:)``.
    ///
    /// - Parameters:
    ///   - replaced: The hashes of files to copy even if present, because their bytes are damaged.
    ///   - configuration: The path of the user's configuration folder, whose settings are copied
    ///     too; nil to copy none.
    /// - Throws: `LibraryError`.
    package func run(
        replacing replaced: Set<SHA256Digest> = [], settings configuration: String? = nil,
        progress: (Int, Int) throws -> Void = { _, _ in }
    ) throws -> BackupReport {
        // Keeps files referenced by the copied database from being collected.
        let root = library.root
        let lock =
            root.isWritable
            ? try LibraryLock(root, exclusively: false, waiting: library.options.busyTimeout) : nil
        return try withExtendedLifetime(lock) {
            var report = try LibraryCopier(library, to: folder.root).run(
                .backup(replacing: replaced), acceptingOthers: folder.hasNoBackup,
                progress: progress)
            if let configuration {
                let settings = SettingsFiles(root: folder.root).backUp(from: configuration)
                report.settingsCount = settings.count
                report.failures += settings.failures
            }
            try folder.recordWriter(library)
            return report
        }
    }
}
