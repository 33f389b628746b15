// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import GRDB

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

    /// The rows of files that nothing refers to, as the end of a statement.
    static let unusedRows = """
        FROM blob WHERE hash NOT IN (SELECT blob_hash FROM rendition)
        AND hash NOT IN (SELECT blob_hash FROM edit_file)
        AND hash NOT IN (SELECT blob_hash FROM resource WHERE blob_hash IS NOT NULL)
        """

    /// The names of all files that the database knows, used or not.
    static func hashesInDatabase(_ database: Database) throws -> Set<String> {
        Set(try database.values("SELECT hash FROM blob"))
    }
}

extension BlobInventory {
    /// Whether so many files that the database never knew may be those of a newer one, of which it is an old copy.
    /// Leftovers of crashes are few.
    static func areSuspicious(_ count: Int, knownCount: Int) -> Bool {
        count > max(100, knownCount)
    }
}
