// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// The assets that a journal entry created, with the reasons to keep some of them out of the trash
/// when the entry is undone.
struct CreatedAssets {
    /// A value that changes outside the entry set.
    private struct Key: Hashable {
        let asset: Int64
        let type: PersistentChange.ObjectType
        let object: String
        let property: JournalProperty
        let item: JournalValue
    }

    private var identifiers: [Int64: String] = [:]
    private var outcomes: [String: UndoReport.Outcome] = [:]
    /// The identifiers of those that the entry itself removed again.
    private(set) var removed: Set<String> = []

    /// - Parameter undos: The changes that undo the entry, those that undo these, and so on.
    init(_ tokens: [Int64], undos: Set<Int64>, _ database: Database) throws {
        let created = try database.records(
            """
            SELECT object_id, object_uuid FROM json_each(?)
            JOIN change_item ON token = json_each.value
            WHERE object_type = 'asset' AND kind = 'inserted'
            """, [tokens.json]
        ) { (id: try $0.rowNumber(0), identifier: try $0.value(1, as: String.self)) }
        if created.isEmpty { return }
        identifiers = Dictionary(created.map { ($0.id, $0.identifier) }) { $1 }
        removed = Set(
            try database.values(
                """
                SELECT object_uuid FROM json_each(?) JOIN change_item ON token = json_each.value
                WHERE object_type = 'asset' AND kind = 'removed'
                """, [tokens.json], as: String.self)
        ).intersection(identifiers.values)
        let own = Set(tokens).union(undos).sorted()
        try findChanges(outside: own, database)
        try findUnrecordedChanges(outside: own, database)
        try findJoinedVideos(tokens, database)
    }

    /// Returns the effect of an undo on the existence of an asset that the entry created.
    func outcome(of identifier: String) -> UndoReport.Outcome { outcomes[identifier] ?? .undone }

    private mutating func leave(_ id: Int64, _ outcome: UndoReport.Outcome) {
        if let identifier = identifiers[id] { outcomes[identifier] = outcome }
    }

    /// The row IDs of the assets, as a JSON array.
    private var rows: String { identifiers.keys.sorted().json }

    /// Finds assets with a value that other changes set and did not set back. Leaving an album and
    /// a move inside one do not count.
    private mutating func findChanges(outside own: [Int64], _ database: Database) throws {
        guard let first = own.first else { return }
        var values: [Key: (old: JournalValue, new: JournalValue)] = [:]
        let statement = try database.cachedStatement(
            sql: """
                SELECT iif(object_type = 'asset', object_id, item) AS asset,
                    object_type, object_uuid, property, item, old, new
                FROM change_value JOIN change_item USING (token, object_type, object_id)
                WHERE token > ? AND token NOT IN (SELECT value FROM json_each(?))
                    AND property NOT IN ('existence', 'trashedDate', 'burstRepresentative')
                    AND (object_type = 'asset' OR property = 'member')
                    AND asset IN (SELECT value FROM json_each(?))
                ORDER BY token
                """)
        try statement.forEachRow([first, own.json, rows]) { row in
            let key = Key(
                asset: try row.rowNumber(0), type: try row.value(1), object: try row.value(2),
                property: try row.value(3), item: try row.value(4))
            let (old, new): (JournalValue, JournalValue) = (try row.value(5), try row.value(6))
            values[key] = (values[key]?.old ?? old, new)
        }
        for (key, value) in values where value.old != value.new {
            if key.property == .member, value.old != .empty || value.new == .empty { continue }
            leave(key.asset, .changed)
        }
    }

    /// Finds assets with saved versions, and those whose RAW file, sidecar or video may have been added
    /// later. The journal has no values of these. Of the changes that set values, only those of imports,
    /// of `metadata write` and of other programs can also have added a RAW file or sidecar.
    private mutating func findUnrecordedChanges(
        outside own: [Int64], _ database: Database
    ) throws {
        guard let first = own.first else { return }
        let found = try database.records(
            """
            WITH later AS (
                SELECT object_id, undoes, command, EXISTS (
                    SELECT 1 FROM change_value
                    WHERE change_value.token = change_item.token
                        AND change_value.object_type = 'asset'
                        AND change_value.object_id = change_item.object_id) AS sets_values
                FROM change_item JOIN change USING (token)
                WHERE token > :first AND token NOT IN (SELECT value FROM json_each(:own))
                    AND object_type = 'asset' AND is_metadata
                    AND object_id IN (SELECT value FROM json_each(:rows)))
            SELECT asset_id FROM version WHERE asset_id IN (SELECT value FROM json_each(:rows))
            UNION SELECT asset.id FROM later JOIN asset ON asset.id = object_id
            WHERE NOT sets_values AND media_subtypes & :live
                OR (NOT sets_values OR undoes IS NULL AND ifnull(command, 'import')
                        IN ('import', 'metadata write'))
                    AND EXISTS (
                        SELECT 1 FROM resource
                        WHERE asset_id = asset.id AND NOT is_primary AND type <> :video)
            """,
            [
                "rows": rows, "first": first, "own": own.json,
                "live": MediaSubtype.photoLive.rawValue,
                "video": AssetResourceType.pairedVideo.rawValue,
            ]
        ) { try $0.rowNumber(0) }
        for id in found { leave(id, .changed) }
    }

    /// Finds Live Photos whose videos were separate assets before the entry, which removed these. A
    /// change that also names an older Live Photo added the video to that one.
    private mutating func findJoinedVideos(_ tokens: [Int64], _ database: Database) throws {
        let joins = try database.values(
            """
            SELECT token FROM json_each(:tokens) JOIN change_item ON token = json_each.value
            WHERE object_type = 'asset' AND kind = 'removed'
                AND object_id NOT IN (
                    SELECT object_id FROM json_each(:tokens)
                    JOIN change_item ON token = json_each.value
                    WHERE object_type = 'asset' AND kind = 'inserted')
            """, ["tokens": tokens.json], as: Int64.self)
        if joins.isEmpty { return }
        let stills = try database.records(
            """
            SELECT token, object_id FROM json_each(:tokens)
            JOIN change_item ON token = json_each.value
            JOIN asset ON asset.id = object_id
            WHERE object_type = 'asset' AND media_subtypes & :live
            """,
            ["tokens": tokens.json, "live": MediaSubtype.photoLive.rawValue]
        ) { (token: try $0.rowNumber(0), id: try $0.rowNumber(1)) }
        let (joined, named) = (Set(joins), Set(stills.map(\.token)))
        // A video that was also imported beside its picture is removed on its own. It may be that of any still.
        let isAlone = !joined.isSubset(of: named)
        for still in stills where isAlone || joined.contains(still.token) {
            leave(still.id, .joined)
        }
    }
}
