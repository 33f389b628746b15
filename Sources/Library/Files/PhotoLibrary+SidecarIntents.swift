// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Hashing

/// Records of sidecars that are being written beside originals.
///
/// A sidecar is replaced on the disk before the library stores it. If the process is killed in
/// between, the sidecar would count as changed by another program, so that values removed from the
/// library since would come back. An intent shows that the library wrote the sidecar.
///
/// An intent is a file under `blobs/` that names the asset and the sidecar, and is not in the
/// database. If it is left behind, `check` counts it as unused, and `prune` moves it to the trash.
extension PhotoLibrary {
    /// Records that a sidecar of an asset is about to be written. The record is durable.
    ///
    /// - Parameter sidecar: The hash of the new contents.
    /// - Throws: `LibraryError` with `cannotWrite`, `busy` or `readOnly`.
    package func recordIntent(
        toWrite sidecar: SHA256Digest, ofAsset identifier: String
    ) async throws {
        let intent = Self.intent(sidecar, identifier)
        try await BlockingIO.run {
            let (_, session) = try self.writer()
            let blob = try self.store.stage(intent, in: session)
            // A concurrent prune would remove the file before the sidecar is written.
            let lock = try LibraryLock(
                self.root, exclusively: false, waiting: self.options.busyTimeout)
            try withExtendedLifetime(lock) { try self.store.publish([blob]) }
        }
    }

    /// Whether the library has begun to write a sidecar of an asset, and has not stored it.
    package func hasIntent(
        toWrite sidecar: SHA256Digest, ofAsset identifier: String
    ) -> Bool {
        store.exists(Self.hash(of: Self.intent(sidecar, identifier)))
    }

    /// Removes the record of a sidecar that was stored or not written. A failure is ignored,
    /// because the record does no harm.
    package func removeIntent(
        toWrite sidecar: SHA256Digest, ofAsset identifier: String
    ) {
        let hash = Self.hash(of: Self.intent(sidecar, identifier))
        // A file with these bytes may have been imported.
        let isStored = try? read { database in
            try database.value(
                "SELECT EXISTS (SELECT 1 FROM blob WHERE hash = ?)", [hash.hex], as: Bool.self)
        }
        guard isStored == false else { return }
        try? store.shard(of: hash)?.removeFile(hash.hex)
    }

    private static func intent(_ sidecar: SHA256Digest, _ identifier: String) -> Data {
        Data("edithost writes the sidecar \(sidecar.hex) of \(identifier)\n".utf8)
    }

    private static func hash(of intent: Data) -> SHA256Digest {
        SHA256Digest(bytes: SHA256.hash(data: intent))
    }
}
