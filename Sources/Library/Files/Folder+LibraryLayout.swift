// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc

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
