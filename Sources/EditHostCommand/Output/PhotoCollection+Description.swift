// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library

extension PhotoCollection {
    /// The name in a tree listing.
    var treeText: String {
        let count = assetCount.map { "  (\($0))" } ?? "/"
        return title + count
    }

    /// The name of a smart album, or the identifier of another collection.
    var listedIdentifier: String {
        guard case .assetCollection(let collection) = self else { return localIdentifier }
        return collection.smartAlbumName ?? localIdentifier
    }
}
