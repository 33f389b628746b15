// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Synchronization

/// The sidecars that an import has read. If the same picture is in two folders, the first sidecar of each name counts,
/// so that importing the folders again changes nothing.
final class ImportedSidecars: Sendable {
    /// The sidecars of each asset, by their names in the library.
    private let files = Mutex<[String: [FileName: (path: FileName, hash: SHA256Digest)]]>([:])

    /// Returns the path of another sidecar with this name in the library and other contents; nil if there is none.
    func other(than file: Importer.StagedFile, named name: String, ofAsset asset: String) -> String?
    {
        guard let known = files.withLock({ $0[asset]?[FileName(name)] }),
            known.hash != file.staged.hash, known.path != FileName(file.path)
        else { return nil }
        return known.path.text
    }

    /// Returns the names in the library of the sidecars of an asset that were read.
    func names(ofAsset asset: String) -> Set<FileName> {
        Set(files.withLock { $0[asset].map { Array($0.keys) } ?? [] })
    }

    /// Records that a sidecar was read.
    func add(_ file: Importer.StagedFile, named name: String, ofAsset asset: String) {
        let (name, path) = (FileName(name), FileName(file.path))
        files.withLock { files in
            if files[asset]?[name] == nil {
                files[asset, default: [:]][name] = (path, file.staged.hash)
            }
        }
    }
}
