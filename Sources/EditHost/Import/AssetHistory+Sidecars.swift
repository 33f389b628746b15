// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Library

extension AssetHistory {
    /// The stored XMP files, and the JSON files of Google Takeout, in the order in which they were added.
    var sidecars: [AssetResource] { originals.filter { $0.type == .metadataSidecar } }

    private var xmpFiles: [AssetResource] {
        sidecars.filter { !ImportFilenameExtension.isJSON($0.originalFilename) }
    }

    /// The XMP file that takes precedence over the others.
    var mainSidecar: AssetResource? {
        let order = SidecarOrder(self)
        return xmpFiles.min { one, other in
            order.precedes(FileName(one.originalFilename), FileName(other.originalFilename))
        }
    }

    /// Returns the XMP file of a RAW file: `a.dng.xmp`, or otherwise `a.xmp`.
    func sidecar(of raw: AssetResource) -> AssetResource? {
        let name = FileName(raw.originalFilename)
        return [name, name.parts.stem].lazy.compactMap { stem in
            xmpFiles.last { FileName($0.originalFilename).parts.stem == stem }
        }.first
    }
}
