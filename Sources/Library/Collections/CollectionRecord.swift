// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

extension PhotoCollection {
    /// The columns that `init(row:)` reads, by their places.
    static let columns = """
        id, uuid, kind, title,
        (SELECT parent.uuid FROM collection AS parent WHERE parent.id = collection.parent_id),
        (SELECT asset.uuid FROM asset WHERE asset.id = collection.cover_id),
        (SELECT count(*) FROM album_member WHERE album_id = collection.id)
        """

    /// Reads a row that selects `columns`.
    init(row: Row) {
        self =
            CollectionKind(rawValue: row[2]) == .folder
            ? .collectionList(CollectionList(row: row))
            : .assetCollection(AssetCollection(row: row))
    }
}

extension AssetCollection {
    /// Reads a row of an album that selects the columns of ``PhotoCollection``.
    init(row: Row) {
        localIdentifier = row[1]
        title = row[3]
        type = .album
        subtype = .albumRegular
        estimatedAssetCount = row[6]
        (startDate, endDate, approximateLocation) = (nil, nil, nil)
        parentLocalIdentifier = row[4]
        keyAssetLocalIdentifier = row[5]
        isRemoved = false
        members = .album(row[0])
    }

    /// What stands for an album that was deleted before its row was read.
    init(removed identifier: String) {
        localIdentifier = identifier
        title = ""
        type = .album
        subtype = .albumRegular
        estimatedAssetCount = nil
        (startDate, endDate, approximateLocation) = (nil, nil, nil)
        parentLocalIdentifier = nil
        keyAssetLocalIdentifier = nil
        isRemoved = true
        members = .identifiers([])
    }
}

extension AssetCollection {
    /// Makes a transient collection; each of the identifiers counts once.
    init(transient identifiers: [String], title: String) {
        var seen: Set<String> = []
        let members = identifiers.filter { seen.insert($0).inserted }
        localIdentifier = UUID().uuidString.lowercased()
        self.title = title
        type = .transient
        subtype = .any
        estimatedAssetCount = members.count
        (startDate, endDate, approximateLocation) = (nil, nil, nil)
        (parentLocalIdentifier, keyAssetLocalIdentifier) = (nil, nil)
        isRemoved = false
        self.members = .identifiers(members)
    }
}

extension CollectionList {
    /// Reads a row of a folder that selects the columns of ``PhotoCollection``.
    init(row: Row) {
        self.row = row[0]
        localIdentifier = row[1]
        title = row[3]
        parentLocalIdentifier = row[4]
        isRemoved = false
    }

    /// What stands for a folder that was deleted before its row was read.
    init(removed identifier: String) {
        row = 0
        localIdentifier = identifier
        title = ""
        parentLocalIdentifier = nil
        isRemoved = true
    }
}
