// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Synchronization

/// The sidecars that an import has read. If the same picture is in two folders, the first sidecar of each name counts,
/// so that importing the folders again changes nothing.
final class ImportedSidecars: Sendable {
    private struct Key: Hashable {
        let asset: String
        let name: FileName
    }

    private let files = Mutex<[Key: (path: FileName, hash: SHA256Digest)]>([:])

    /// Returns the path of another sidecar with this name in the library and other contents; nil if there is none.
    func other(than file: Importer.StagedFile, named name: String, ofAsset asset: String) -> String?
    {
        let key = Key(asset: asset, name: FileName(name))
        guard let known = files.withLock({ $0[key] }), known.hash != file.staged.hash,
            known.path != FileName(file.path)
        else { return nil }
        return known.path.text
    }

    /// Records that a sidecar was read.
    func add(_ file: Importer.StagedFile, named name: String, ofAsset asset: String) {
        let key = Key(asset: asset, name: FileName(name))
        files.withLock { files in
            if files[key] == nil { files[key] = (FileName(file.path), file.staged.hash) }
        }
    }
}
