// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A folder for backups of a library, which nobody else writes or restores from as long as this is there.
package final class LibraryBackup: Sendable {
    private let library: PhotoLibrary
    private let folder: BackupFolder

    init(of library: PhotoLibrary, in folder: BackupFolder) {
        self.library = library
        self.folder = folder
    }

    /// Copies the library as it is at one moment; see ``PhotoLibrary/backUp(to:progress:)``.
    ///
    /// - Parameter replaced: files that are copied whatever is there, because their bytes are wrong.
    /// - Throws: `LibraryError`.
    package func run(
        replacing replaced: Set<SHA256Digest> = [],
        progress: (Int, Int) throws -> Void = { _, _ in }
    ) throws -> BackupReport {
        // So that no file goes that the copy of the database names.
        let root = library.root
        let lock =
            root.isWritable
            ? try LibraryLock(root, exclusively: false, waiting: library.options.busyTimeout) : nil
        return try withExtendedLifetime(lock) {
            let report = try LibraryCopying(library, to: folder.root).run(
                .backup(replacing: replaced), progress: progress)
            try folder.recordWriter(library)
            return report
        }
    }
}
