// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Which files there are under `blobs/`, and which the database knows.
enum BlobInventory {
    /// A file under `blobs/`.
    struct File {
        let name: String
        let path: String
        /// The folder it lies in.
        let shard: String
    }

    /// Every file that lies under `blobs/`, whatever its name.
    static func files(in layout: LibraryLayout) throws -> [File] {
        do {
            var files: [File] = []
            for name in try Folders.names(in: layout.blobs) {
                let shard = layout.blobs + "/" + name
                guard try Folders.status(shard)?.isFolder == true else {
                    files.append(File(name: name, path: shard, shard: layout.blobs))
                    continue
                }
                for name in try Folders.names(in: shard) {
                    files.append(File(name: name, path: shard + "/" + name, shard: shard))
                }
            }
            return files
        } catch {
            throw LibraryError.reading(layout.blobs, error)
        }
    }

    /// The names of all files that the database knows, used or not.
    static func hashesInDatabase(_ database: Database) throws -> Set<String> {
        try String.fetchSet(database, sql: "SELECT hash FROM blob")
    }
}
