// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Glibc

/// Where things lie in a library's folder.
struct LibraryLayout: Sendable {
    /// The library's folder, without a slash at the end.
    let root: String

    /// Takes the folder's path.
    init(root: String) {
        var root = root
        while root.count > 1, root.hasSuffix("/") { root.removeLast() }
        self.root = root
    }

    /// The names that a library's folder may hold before its database is made.
    static let namesWithoutDatabase: Set<String> = [
        "blobs", "staging", "cache", "lock", "wake", "reserve",
    ]

    /// The folder that the library's folder lies in.
    var parent: String {
        guard let slash = root.lastIndex(of: "/") else { return "." }
        return slash == root.startIndex ? "/" : String(root[..<slash])
    }
    var database: String { root + "/library.sqlite" }
    var blobs: String { root + "/blobs" }
    var staging: String { root + "/staging" }
    var cache: String { root + "/cache" }
    var trash: String { root + "/trash" }
    var quarantine: String { root + "/quarantine" }
    var backups: String { root + "/backups" }
    var reserve: String { root + "/reserve" }
    var lock: String { root + "/lock" }
    var wake: String { root + "/wake" }

    /// The folder of the blobs whose names begin like this one.
    func shard(of hash: SHA256Digest) -> String {
        blobs + "/" + hash.hex.prefix(2)
    }

    /// The file that holds the bytes of this hash.
    func blob(_ hash: SHA256Digest) -> String {
        shard(of: hash) + "/" + hash.hex
    }

    /// Makes the folders of a new library in `root`, which exists.
    func makeFolders() throws {
        do {
            for folder in [blobs, staging, cache] { try Folders.makeIfNeeded(folder) }
            for file in [lock, wake] {
                _ = try OpenFile(file, O_RDWR | O_CREAT, mode: 0o666)
            }
            try Folders.synchronize(root)
        } catch {
            throw LibraryError.writing(root, error)
        }
    }

    /// Checks that all parts lie on one file system, and on one that SQLite's log can live on.
    func checkFileSystem() throws {
        do {
            let device = try Folders.status(root)?.st_dev
            for path in [database, blobs, staging] {
                guard let part = try Folders.status(path), part.st_dev != device else { continue }
                throw LibraryError(
                    .unsupportedFileSystem, "all of a library must lie on one file system",
                    path: path)
            }
        } catch let error as SystemError {
            throw LibraryError.reading(root, error)
        }
        try refuseNetworkFileSystem()
    }

    /// SQLite's write-ahead log needs memory shared between all who have the library open.
    private func refuseNetworkFileSystem() throws {
        guard let type = MountTable.fileSystemType(of: root),
            MountTable.networkTypes.contains(type)
        else { return }
        throw LibraryError(
            .unsupportedFileSystem,
            "a library cannot lie on a network file system (\(type)); copy it to a local disk",
            path: root)
    }
}
