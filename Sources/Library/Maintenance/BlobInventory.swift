// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import GRDB
import Glibc

/// Which files there are under `blobs/`, and which the database knows.
struct BlobInventory {
    /// A file that the library may have put where it lies.
    struct File: Hashable {
        let name: String
        /// The folder in `blobs/` or in `trash/` that it lies in.
        let folder: String
        let path: String
    }

    /// Something that the library did not put where it lies: nothing is done with it.
    struct Stray: Hashable {
        let name: String
        let kind: FileKind
        let path: String
    }

    /// The regular files that lie in the folders of their hashes.
    private(set) var files: [File] = []
    /// Everything else.
    private(set) var strays: [Stray] = []

    /// Looks through `blobs/`.
    init(of root: Folder) throws {
        do {
            let blobs = try root.folder(LibraryName.blobs)
            for entry in try blobs.entries() {
                guard entry.kind == .folder, LibraryName.isShard(entry.name) else {
                    add(entry, in: blobs)
                    continue
                }
                try add(blobs.folder(entry.name), named: entry.name)
            }
        } catch {
            throw LibraryError.reading(root.layout.blobs, error)
        }
    }

    private mutating func add(_ shard: Folder, named name: String) throws(SystemError) {
        for entry in try shard.entries() {
            if entry.kind == .regularFile, LibraryName.isBlob(entry.name),
                entry.name.hasPrefix(name)
            {
                files.append(
                    File(name: entry.name, folder: name, path: shard.path + "/" + entry.name))
            } else {
                add(entry, in: shard)
            }
        }
    }

    private mutating func add(_ entry: Folder.Entry, in folder: Folder) {
        strays.append(
            Stray(name: entry.name, kind: entry.kind, path: folder.path + "/" + entry.name))
    }

    /// The names of all files that the database knows, used or not.
    static func hashesInDatabase(_ database: Database) throws -> Set<String> {
        Set(try database.values("SELECT hash FROM blob"))
    }
}

extension BlobInventory {
    /// Whether files that the database does not know may be those of another one, of which it is an old copy: they are
    /// many, and were written after its last change. Leftovers of crashes are few, and older.
    static func areOfNewerDatabase(
        _ unknown: [File], knownCount: Int, in root: Folder, _ database: Database
    ) throws -> Bool {
        let limit = max(100, knownCount)
        guard unknown.count > limit else { return false }
        let lastChange: Int64 = try database.value("SELECT max(date) FROM change") ?? 0
        let blobs = try root.folder(LibraryName.blobs)
        var count = 0
        for (name, files) in Dictionary(grouping: unknown, by: \.folder) {
            let shard = try blobs.folder(name)
            count += try files.count { file in
                guard let written = try shard.status(file.name)?.st_mtim else { return false }
                return Int64(written.tv_sec) &* 1_000_000 &+ Int64(written.tv_nsec) / 1000
                    > lastChange
            }
        }
        return count > limit
    }
}
