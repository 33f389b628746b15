// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import GRDB

/// The files under `blobs/`, compared with the database.
struct BlobInventory {
    /// A file that the library may have created.
    struct File: Hashable {
        let name: String
        /// The containing folder in `blobs/` or in `trash/`.
        let folder: String
        let path: String
    }

    /// A foreign entry, which is left alone.
    struct Stray: Hashable {
        let name: String
        let kind: FileKind
        let path: String
    }

    /// The regular files in the shard folders of their hashes.
    private(set) var files: [File] = []
    /// All other entries.
    private(set) var strays: [Stray] = []

    /// Lists the entries of `blobs/`.
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

    /// The rest of a statement on the rows of files that no other row refers to.
    static let unusedRows = """
        FROM blob WHERE hash NOT IN (SELECT blob_hash FROM rendition)
        AND hash NOT IN (SELECT blob_hash FROM edit_file)
        AND hash NOT IN (SELECT blob_hash FROM resource WHERE blob_hash IS NOT NULL)
        """

    /// Returns the names of all files in the database, used or not.
    static func hashesInDatabase(_ database: Database) throws -> Set<String> {
        Set(try database.values("SELECT hash FROM blob"))
    }
}

extension BlobInventory {
    /// Whether the number of unknown files suggests that the database is an old copy. Leftovers of
    /// crashes are few.
    static func areSuspicious(_ count: Int, knownCount: Int) -> Bool {
        count > max(100, knownCount)
    }
}
