// SPDX-License-Identifier: Apache-2.0

import GRDB

extension PhotoCollection {
    /// The columns that `init(row:)` reads, by position.
    static let columns = """
        id, uuid, kind, title,
        (SELECT parent.uuid FROM collection AS parent WHERE parent.id = collection.parent_id),
        (SELECT asset.uuid FROM asset
            WHERE asset.id = collection.cover_id AND +trashed_date IS NULL),
        \(memberCount)
        """

    /// The expression in SQL for the number of an album's assets outside the trash.
    static let memberCount = """
        (SELECT count(*) FROM album_member
            WHERE album_id = collection.id AND \(AlbumMemberTable.isShown))
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
