// SPDX-License-Identifier: Apache-2.0

import FileAccess
import FoundationEssentials
import GRDB
import Glibc

/// A copy of the database, made before a migration and kept under `backups/`.
struct MigrationBackup {
    /// The library's folder.
    let root: Folder
    /// The schema version of the copy.
    let version: Int

    /// Makes the copy, checks it, and makes it durable. The caller must hold the library's lock
    /// exclusively.
    func make(of pool: DatabasePool, in session: StagingSession) throws {
        let copy = try DatabaseCopy(of: pool, in: session)
        do {
            let backups = try root.makeFolderIfNeeded(LibraryName.backups)
            let moment = Date().formatted(
                .iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
            let name = "library-version-\(version)-\(moment).sqlite"
            try copy.keep(as: name, in: backups, mode: 0o444)
            try root.synchronize()
        } catch {
            throw LibraryError.writing(root.layout.backups, error)
        }
    }
}
