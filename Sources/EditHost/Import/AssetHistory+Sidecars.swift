// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Library

extension AssetHistory {
    /// The stored XMP files, in the order in which they were added.
    var sidecars: [AssetResource] { originals.filter { $0.type == .metadataSidecar } }

    /// The sidecar that takes precedence over the others.
    var mainSidecar: AssetResource? {
        let order = SidecarOrder(self)
        return sidecars.min { one, other in
            order.precedes(FileName(one.originalFilename), FileName(other.originalFilename))
        }
    }

    /// Returns the sidecar with the name of a RAW file.
    func sidecar(of raw: AssetResource) -> AssetResource? {
        let name = FileName(raw.originalFilename)
        let stems = [name, name.parts.stem]
        return sidecars.last { stems.contains(FileName($0.originalFilename).parts.stem) }
    }
}
