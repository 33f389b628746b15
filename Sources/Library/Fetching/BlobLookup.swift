// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import GRDB
import Synchronization

/// Checks the existence of many stored files without opening them.
package final class BlobLookup: Sendable {
    private let store: BlobStore
    private let shards = Mutex<[Substring: Folder?]>([:])

    /// Creates a lookup in a library.
    package init(_ library: PhotoLibrary) { store = library.store }

    /// Returns whether the store has a file with this hash as its name.
    package func contains(_ hash: SHA256Digest) -> Bool {
        let shard = shards.withLock { shards in
            let name = hash.hex.prefix(2)
            if let known = shards[name] { return known }
            let found = try? store.shard(of: hash)
            shards[name] = .some(found)
            return found
        }
        return ((try? shard?.status(hash.hex)) ?? nil)?.isPlainFile ?? false
    }
}
