// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc

extension BlobStore {
    /// Moves staged blobs into place and makes their names durable. This must happen before a row
    /// refers to them.
    ///
    /// `blobs/` itself is synchronised every time: the process that created a shard's folder may
    /// have died before doing so. If any blob is not durable yet, the file system is synchronised
    /// instead: once before the first name is made, and once after the last.
    func publish(_ blobs: [StagedBlob]) throws {
        if blobs.isEmpty { return }
        let group = blobs.first { !$0.isSynchronized }?.session
        do {
            try group?.synchronizeFileSystem()
            let folder = try root.folder(LibraryName.blobs)
            let shards = Dictionary(grouping: blobs) { Self.shardName(of: $0.hash) }
            // Shards are opened one at a time. Together they could exceed the limit of open
            // descriptors.
            for (name, blobs) in shards {
                let shard = try folder.makeFolderIfNeeded(name)
                for blob in blobs { try publish(blob, in: shard) }
                if group == nil { try shard.synchronize() }
            }
            if let group {
                try group.synchronizeFileSystem()
            } else {
                try folder.synchronize()
            }
        } catch let error as SystemError {
            throw LibraryError.writing(root.layout.blobs, error)
        }
    }

    private func publish(_ blob: StagedBlob, in shard: Folder) throws {
        let staging = blob.session.folder
        do {
            try staging.link(blob.name, in: shard, as: blob.hash.hex)
        } catch {
            guard error.number == EEXIST else { throw error }
            try verifyOrReplace(blob, in: shard)
        }
    }

    /// Keeps an existing file if its content matches the hash; otherwise replaces it atomically.
    private func verifyOrReplace(_ blob: StagedBlob, in shard: Folder) throws {
        let staging = blob.session.folder
        // The same file was hashed when it was staged.
        if let stored = try shard.status(blob.hash.hex), let staged = try staging.status(blob.name),
            stored.isSameFile(as: staged)
        {
            return
        }
        if try Self.isIntact(blob.hash, size: blob.size, blob.hash.hex, in: shard) { return }
        let spare = blob.name + ".link"
        try staging.link(blob.name, in: staging, as: spare)
        try staging.move(spare, to: shard, as: blob.hash.hex)
    }
}
