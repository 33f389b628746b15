// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

extension LibraryError {
    /// Returns the error for an unknown album or folder.
    static func noSuchCollection(_ kind: CollectionKind, _ identifier: String) -> LibraryError {
        LibraryError(
            .noSuchCollection, "there is no \(kind.rawValue) \(identifier) in the library")
    }
}

extension PhotoCollection {
    /// The columns that `init(row:)` reads, by position.
    static let columns = """
        id, uuid, kind, title,
        (SELECT parent.uuid FROM collection AS parent WHERE parent.id = collection.parent_id),
        (SELECT asset.uuid FROM asset WHERE asset.id = collection.cover_id),
        (SELECT count(*) FROM album_member WHERE album_id = collection.id)
        """

    /// Creates a collection from a row that selects `columns`.
    ///
    /// - Throws: `LibraryError` with `damaged`.
    init(row: Row) throws {
        switch try row.value(2, as: CollectionKind.self) {
        case .folder: self = .collectionList(try CollectionList(row: row))
        case .album: self = .assetCollection(try AssetCollection(row: row))
        }
    }
}

extension AssetCollection {
    /// Creates an album from a row with the columns of ``PhotoCollection``.
    init(row: Row) throws {
        localIdentifier = try row.value(1)
        title = try row.value(3)
        type = .album
        subtype = .albumRegular
        estimatedAssetCount = try row.value(6, as: Int.self)
        (startDate, endDate, approximateLocation) = (nil, nil, nil)
        parentLocalIdentifier = try row.value(4)
        keyAssetLocalIdentifier = try row.value(5)
        isRemoved = false
        members = .album(try row.rowNumber(0))
    }

    /// Creates a placeholder for an album that was deleted before its row was read.
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
    /// Creates a transient collection. Duplicate identifiers are ignored.
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
    /// Creates a folder from a row with the columns of ``PhotoCollection``.
    init(row: Row) throws {
        self.row = try row.rowNumber(0)
        localIdentifier = try row.value(1)
        title = try row.value(3)
        parentLocalIdentifier = try row.value(4)
        isRemoved = false
    }

    /// Creates a placeholder for a folder that was deleted before its row was read.
    init(removed identifier: String) {
        row = 0
        localIdentifier = identifier
        title = ""
        parentLocalIdentifier = nil
        isRemoved = true
    }
}
