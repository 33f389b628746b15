// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Values of albums and folders for the journal.
extension CollectionTable {
    /// Returns the place of a collection: its rank and, after a comma, the identifier of its folder.
    func place(of id: Int64) throws -> JournalValue {
        let statement = try context.database.cachedStatement(
            sql: """
                SELECT collection.rank, folder.uuid FROM collection
                LEFT JOIN collection AS folder ON folder.id = collection.parent_id
                WHERE collection.id = ?
                """)
        return try statement.record([id]) { row in
            .text("\(try row.rank(0) ?? 0),\(try row.value(1, as: String?.self) ?? "")")
        } ?? .empty
    }

    /// Records everything that a removed collection consists of.
    func recordRemoval(of id: Int64) throws {
        let found = try context.database.record(
            "SELECT kind, title, cover_id FROM collection WHERE id = ?", [id]
        ) { row in
            (
                kind: try row.value(0, as: CollectionKind.self),
                title: try row.value(1, as: String.self),
                cover: try row.value(2, as: Int64?.self)
            )
        }
        guard let found else { return }
        recordValue(.existence, of: id, from: .text(found.kind.rawValue), to: .empty)
        recordValue(.title, of: id, from: .text(found.title), to: .empty)
        recordValue(.place, of: id, from: try place(of: id), to: .empty)
        recordValue(.cover, of: id, from: JournalValue(found.cover), to: .empty)
        let members = try context.database.cachedStatement(
            sql: "SELECT asset_id, rank FROM album_member WHERE album_id = ?")
        try members.forEachRow([id]) { row in
            recordValue(
                .member, item: .number(try row.rowNumber(0)), of: id,
                from: JournalValue(try row.rank(1)), to: .empty)
        }
    }
}
