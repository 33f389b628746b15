// SPDX-License-Identifier: Apache-2.0

import GRDB

extension ContentKey {
    /// Reads the keys of rows. Deleted ones are omitted.
    static func all(
        ofRows rows: [Int64], seed: String, extensions: String, _ database: Database
    ) throws -> [Int64: ContentKey] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT asset.id, \(content), \(needsExtensions) FROM json_each(?) AS wanted
                CROSS JOIN asset ON asset.id = wanted.value
                """)
        var keys = [Int64: ContentKey](minimumCapacity: rows.count)
        try statement.forEachRow([rows.json]) { row in
            keys[try row.rowNumber(0)] = try key(row, at: 1, seed, extensions)
        }
        return keys
    }

    /// Reads the key of an asset, or nil if there is none with this identifier.
    static func one(
        ofAsset identifier: String, seed: String, extensions: String, _ database: Database
    ) throws -> ContentKey? {
        let statement = try database.cachedStatement(
            sql: "SELECT \(content), \(needsExtensions) FROM asset WHERE uuid = ?")
        return try statement.record([identifier]) { row in
            try key(row, at: 0, seed, extensions)
        }
    }

    /// Returns the key of a row with the columns `content` and `needsExtensions`.
    private static func key(
        _ row: Row, at column: Int, _ seed: String, _ extensions: String
    ) throws -> ContentKey {
        let content = try row.value(column, as: String.self)
        let needsExtensions = try row.value(column + 1, as: Bool.self)
        return ContentKey(
            hashing: "\(seed)\n\(content)" + (needsExtensions ? "\n\(extensions)" : ""))
    }

    /// The text that is hashed. Most assets are not edited, and have resources only.
    private static let content = """
        uuid || char(10) || media_type || char(10) || \(resources)
        || CASE WHEN EXISTS (SELECT 1 FROM edit WHERE asset_id = asset.id)
            THEN char(10) || ifnull(position, 0) || char(10) || \(states) || char(10) || \(versions)
                || char(10) || \(renditions)
            ELSE '' END
        """

    /// Whether the picture of a state or version is not stored, so that extensions must render it.
    private static let needsExtensions = """
        EXISTS (SELECT 1 FROM (
            SELECT tip_id FROM state WHERE state.asset_id = asset.id
            UNION ALL SELECT tip_id FROM version WHERE version.asset_id = asset.id)
        WHERE tip_id NOT IN (
            SELECT edit_id FROM rendition WHERE edit_id = tip_id AND kind = 'current'))
        """

    private static let resources = lines(
        """
        SELECT type || ' ' || is_primary || ' ' || coalesce(blob_hash, content_hash, url)
            || ' ' || ifnull(facts, '') AS line
        FROM resource WHERE asset_id = asset.id ORDER BY resource.id
        """)
    private static let states = lines(
        """
        SELECT state.position || ' ' || edit.uuid AS line
        FROM state JOIN edit ON edit.id = tip_id
        WHERE state.asset_id = asset.id ORDER BY state.position
        """)
    private static let versions = lines(
        """
        SELECT edit.uuid || ' ' || hex(version.name) AS line
        FROM version JOIN edit ON edit.id = tip_id
        WHERE version.asset_id = asset.id ORDER BY version.name
        """)
    private static let renditions = lines(
        """
        SELECT edit.uuid || ' ' || part || ' ' || blob_hash AS line
        FROM edit JOIN rendition ON edit_id = edit.id AND kind = 'current'
        WHERE edit.asset_id = asset.id ORDER BY edit.id, part
        """)

    /// Returns an expression for the lines that a query returns in order, as one text.
    private static func lines(_ query: String) -> String {
        "ifnull((SELECT group_concat(line, char(10)) FROM (\(query))), '')"
    }
}
