// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc

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

extension Folder {
    /// The paths of the library in this folder.
    var layout: LibraryLayout { LibraryLayout(root: path) }

    /// Creates the folders and files of a new library in this folder.
    func makeLibraryFolders() throws {
        do {
            for name in [LibraryName.blobs, LibraryName.staging, LibraryName.cache] {
                try makeFolderIfNeeded(name)
            }
            for name in [LibraryName.lock, LibraryName.wake] {
                _ = try file(name, O_RDWR | O_CREAT, mode: 0o666)
            }
            try synchronize()
        } catch {
            throw LibraryError.writing(path, error)
        }
    }

    /// Checks that each entry with a reserved name has the expected kind.
    func requireLibraryKinds() throws {
        do {
            for (name, kind) in LibraryName.kinds {
                if let status = try status(name) { try require(kind, status, name) }
            }
        } catch {
            throw LibraryError.reading(path, error)
        }
    }

    /// Checks that the database is on the folder's file system, like every folder that is opened,
    /// and that the file system supports SQLite's log.
    func requireLocalFileSystem() throws {
        let device: dev_t
        do {
            device = try status().st_dev
            if let database = try status(LibraryName.database), database.st_dev != device {
                throw LibraryError(
                    .unsupportedFileSystem, "the whole library must be on one file system",
                    path: layout.database)
            }
        } catch let error as SystemError {
            throw LibraryError.reading(path, error)
        }
        // SQLite's write-ahead log needs memory shared by all processes that have the library open.
        guard let type = MountTable.fileSystemType(ofDevice: device),
            MountTable.networkTypes.contains(type)
        else { return }
        throw LibraryError(
            .unsupportedFileSystem,
            "a library cannot be on a network file system (\(type)); copy it to a local disk",
            path: path)
    }
}

extension PhotoLibrary {
    /// Whether a folder is a library or a backup, even an incomplete one, judged by its entries.
    package static func isLibraryOrBackup(_ path: String) -> Bool {
        (try? Folder(writing: path)).map(isLibraryOrBackup) ?? false
    }

    private static func isLibraryOrBackup(_ folder: Folder) -> Bool {
        LibraryLayout.isLibrary(folder) || LibraryLayout.isBackup(folder)
            || LibraryLayout.isBeingRestored(folder)
    }

    /// Whether a path leads into a library or a backup, whose files belong to it alone.
    ///
    /// - Throws: `LibraryError` with `cannotRead` if this cannot be determined.
    package static func isWithinLibrary(_ path: String) throws -> Bool {
        do {
            return try isWithin(.nearest(to: path))
        } catch {
            throw LibraryError.reading(path, error)
        }
    }

    /// Whether an open folder is a library or a backup, or is inside one.
    ///
    /// - Throws: `LibraryError` with `cannotRead` if this cannot be determined.
    package static func isWithinLibrary(_ folder: Folder) throws -> Bool {
        do {
            return try isWithin(folder)
        } catch {
            throw LibraryError.reading(folder.path, error)
        }
    }

    private static func isWithin(_ folder: Folder) throws(SystemError) -> Bool {
        try folder.isAny { folder throws(SystemError) in isLibraryOrBackup(folder) }
    }
}
