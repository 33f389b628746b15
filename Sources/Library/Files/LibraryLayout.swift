// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess

/// The paths of a library, for error messages and for SQLite, which opens files by name.
struct LibraryLayout: Sendable {
    /// The path of the library's folder, without a trailing slash.
    let root: String

    /// Creates the layout of the library at a path.
    init(root: String) {
        self.root = root.withoutTrailingSlashes
    }

    /// The path of the folder that contains the library's folder.
    var parent: String { root.pathParts.folder }
    var database: String { path(LibraryName.database) }
    var blobs: String { path(LibraryName.blobs) }
    var staging: String { path(LibraryName.staging) }
    var trash: String { path(LibraryName.trash) }
    var quarantine: String { path(LibraryName.quarantine) }
    var backups: String { path(LibraryName.backups) }
    var snapshots: String { path(LibraryName.snapshots) }
    var reserve: String { path(LibraryName.reserve) }
    var lock: String { path(LibraryName.lock) }
    var wake: String { path(LibraryName.wake) }

    private func path(_ name: String) -> String { root + "/" + name }

    /// Whether there is a library at a path, judged by its database and blobs.
    static func isLibrary(_ path: String) -> Bool {
        (try? Folder(writing: path)).map(isLibrary) ?? false
    }

    /// Whether a folder is a library, judged by its database and blobs.
    static func isLibrary(_ folder: Folder) -> Bool {
        (try? folder.status(LibraryName.database))?.isPlainFile == true && hasBlobs(folder)
    }

    /// Whether a folder is a backup.
    static func isBackup(_ folder: Folder) -> Bool {
        hasBlobs(folder) && ((try? BackupFolder.marker(in: folder)) ?? nil) != nil
    }

    /// Whether a library is being restored in a folder, or a restoration there was interrupted.
    static func isBeingRestored(_ folder: Folder) -> Bool {
        (try? folder.status(LibraryName.restoring))?.isPlainFile == true && hasBlobs(folder)
    }

    private static func hasBlobs(_ folder: Folder) -> Bool {
        (try? folder.status(LibraryName.blobs))?.isFolder == true
    }

    /// The path of the shard folder of a hash.
    func shard(of hash: SHA256Digest) -> String {
        blobs + "/" + hash.hex.prefix(2)
    }

    /// The path of the file with this hash.
    func blob(_ hash: SHA256Digest) -> String {
        shard(of: hash) + "/" + hash.hex
    }
}
