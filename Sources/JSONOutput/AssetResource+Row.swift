// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension AssetResource {
    /// Returns whether the library stores the bytes of the resource.
    package func isStored(in library: PhotoLibrary) -> Bool {
        if let blob { return library.containsBlob(blob) }
        // The resource is part of the image file.
        if embedding != nil { return library.availability(of: self) == .stored }
        return type == .adjustmentData && url == nil
    }

    /// Returns the JSON members that `resources` prints.
    package func row(in library: PhotoLibrary) -> JSONRow {
        [
            "id": assetLocalIdentifier, "type": type.name, "filename": originalFilename,
            "uniformTypeIdentifier": uniformTypeIdentifier, "size": size,
            "isStored": isStored(in: library), "url": url, "hash": contentHash?.hex,
        ]
    }
}
