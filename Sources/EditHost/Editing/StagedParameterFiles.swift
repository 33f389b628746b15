// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import Library
import Synchronization

/// The staged parameter files of one request. Each file is staged once, even if several photos
/// are edited.
final class StagedParameterFiles: Sendable {
    private let blobs = Mutex<[SHA256Digest: StagedBlob]>([:])

    /// Returns a file that is ready to be committed. Stages it if it is not staged or stored yet.
    ///
    /// - Throws: `LibraryError`.
    func staged(_ file: ParameterFile, in library: PhotoLibrary) throws -> StagedEditFile {
        guard let memory = file.memory else { return StagedEditFile(file.description) }
        let hash = file.description.hash
        if let known = blobs.withLock({ $0[hash] }) {
            return StagedEditFile(file.description, blob: known)
        }
        let blob = try library.stage(memory, expectedSize: file.description.size)
        // A concurrent edit may have staged the same bytes first. This copy is then removed, because nothing refers to
        // it.
        return StagedEditFile(
            file.description,
            blob: blobs.withLock { blobs in
                blobs[hash] = blobs[hash] ?? blob
                return blobs[hash]
            })
    }
}
