// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The current values of the objects that an undo concerns.
final class CurrentValues {
    /// An asset, with the values of its columns.
    struct FoundAsset {
        let id: Int64
        let filename: String
        let values: [JournalProperty: JournalValue]

        var isTrashed: Bool { values[.trashedDate] != .empty }
    }

    /// An album or folder.
    struct FoundCollection {
        let id: Int64
        let title: String
        /// The identifier of its folder; empty at the top level.
        let folder: String
        let cover: Int64?
    }

    let database: Database
    private var lastAsset: (identifier: String, found: FoundAsset?)?
    private var lastCollection: (identifier: String, found: FoundCollection?)?

    init(_ database: Database) { self.database = database }

    /// Returns an asset; nil if there is none.
    func asset(_ identifier: String) throws -> FoundAsset? {
        if let lastAsset, lastAsset.identifier == identifier { return lastAsset.found }
        let properties = JournalColumns.properties
        let count = 2 * properties.count
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(JournalColumns.names(of: properties)), id, original_filename FROM asset
                WHERE uuid = ?
                """)
        let found = try statement.record([identifier]) { row in
            FoundAsset(
                id: try row.rowNumber(count), filename: try row.value(count + 1),
                values: Dictionary(
                    uniqueKeysWithValues: zip(
                        properties, try JournalColumns.values(of: properties, row))))
        }
        lastAsset = (identifier, found)
        return found
    }

    /// Returns an album or folder; nil if there is none.
    func collection(_ identifier: String) throws -> FoundCollection? {
        if let lastCollection, lastCollection.identifier == identifier {
            return lastCollection.found
        }
        let statement = try database.cachedStatement(
            sql: """
                SELECT id, title, cover_id,
                    (SELECT uuid FROM collection AS folder WHERE folder.id = collection.parent_id)
                FROM collection WHERE uuid = ?
                """)
        let found = try statement.record([identifier]) { row in
            FoundCollection(
                id: try row.rowNumber(0), title: try row.value(1),
                folder: try row.value(3, as: String?.self) ?? "", cover: try row.value(2))
        }
        lastCollection = (identifier, found)
        return found
    }

    func hasKeyword(_ text: String, asset: Int64) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM keyword WHERE asset_id = ? AND text = ?)")
        return try statement.value([asset, text]) ?? false
    }

    func keywordCount(ofAsset asset: Int64) throws -> Int {
        let statement = try database.cachedStatement(
            sql: "SELECT count(*) FROM keyword WHERE asset_id = ?")
        return try statement.value([asset]) ?? 0
    }

    /// Returns the rank of an asset in an album; nil if it is not a member.
    func rank(of asset: Int64, in album: Int64) throws -> Int64? {
        let statement = try database.cachedStatement(
            sql: "SELECT rank FROM album_member WHERE album_id = ? AND asset_id = ?")
        return try statement.value([album, asset])
    }

    func hasAsset(row: Int64) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM asset WHERE id = ?)")
        return try statement.value([row]) ?? false
    }

    /// Returns the assets of an album, or the albums and folders of a folder.
    func contents(of collection: Int64) throws -> (assets: [Int64], collections: [String]) {
        let members = try database.cachedStatement(
            sql: "SELECT asset_id FROM album_member WHERE album_id = ?")
        let children = try database.cachedStatement(
            sql: "SELECT uuid FROM collection WHERE parent_id = ?")
        return (try members.values([collection]), try children.values([collection]))
    }

    /// Returns the identifier of the asset that represents a burst.
    func representative(ofBurst burst: String) throws -> String? {
        let statement = try database.cachedStatement(
            sql: "SELECT uuid FROM asset WHERE burst_identifier = ? AND represents_burst = 1")
        return try statement.value([burst])
    }
}
