// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library

extension PhotoCollection {
    /// The kind of collection as text.
    package var kindName: String {
        switch self {
        case .assetCollection(let collection): collection.type.name
        case .collectionList: "folder"
        }
    }

    /// The number of photos including hidden ones; `nil` if unknown.
    package var assetCount: Int? {
        if case .assetCollection(let collection) = self {
            collection.estimatedAssetCount
        } else {
            nil
        }
    }

    /// The JSON members that `album list` prints.
    package var row: JSONRow { row(count: assetCount) }

    /// The same members with another number of photos.
    package func row(count: Int?) -> JSONRow {
        var cover: String?
        var dates: (start: Date?, end: Date?)
        if case .assetCollection(let collection) = self {
            cover = collection.keyAssetLocalIdentifier
            dates = (collection.startDate, collection.endDate)
        }
        return [
            "id": localIdentifier,
            "kind": kindName,
            "title": title,
            "folder": parentLocalIdentifier,
            "count": count,
            "cover": cover,
            "startDate": dates.start?.universalText,
            "endDate": dates.end?.universalText,
        ]
    }
}
