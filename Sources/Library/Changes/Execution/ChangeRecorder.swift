// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

/// Remembers what a change changed, and writes its entry in the history.
final class ChangeRecorder {
    /// An object by its row.
    struct ObjectKey: Hashable {
        let type: PersistentChange.ObjectType
        let id: Int64
    }

    /// An asset that came into an album, left it or was moved in it.
    private struct Membership: Hashable {
        let album: Int64
        let asset: Int64
    }

    private var items: [ObjectKey: PersistentChange.Item] = [:]
    private var order: [ObjectKey] = []
    private var members: Set<Membership> = []

    /// Remembers that an object changed; what happened to it in this block before is merged.
    ///
    /// - Parameters:
    ///   - isContent: pixels of an asset, members of a collection.
    ///   - isMetadata: everything else.
    func record(
        _ kind: PersistentChange.Kind, _ key: ObjectKey, _ identifier: String, isContent: Bool,
        isMetadata: Bool
    ) {
        let before = items[key]
        if before == nil { order.append(key) }
        if before?.kind == .inserted, kind == .removed {
            items[key] = nil
            order.removeAll { $0 == key }
            return
        }
        items[key] = PersistentChange.Item(
            kind: before?.kind == .inserted ? .inserted : kind, objectType: key.type,
            identifier: identifier, isContentChange: isContent || before?.isContentChange == true,
            isMetadataChange: isMetadata || before?.isMetadataChange == true)
    }

    /// Remembers that an asset came into an album, left it or was moved in it.
    func recordMember(_ asset: Int64, ofAlbum album: Int64) {
        members.insert(Membership(album: album, asset: asset))
    }

    /// Writes the entry in the history; nil where nothing changed.
    func writeEntry(
        _ database: Database, date: Date, session: String
    ) throws -> PersistentChange? {
        if items.isEmpty { return nil }
        try requireNextToken(database)
        try database.execute(
            sql: "INSERT INTO change (date, session) VALUES (?, ?)",
            arguments: [date.microseconds, session])
        let token = database.lastInsertedRowID
        try writeItems(database, token: token)
        try writeMembers(database, token: token)
        return PersistentChange(
            token: try ChangeTransaction.token(token, database),
            date: Date(microseconds: date.microseconds), items: order.compactMap { items[$0] })
    }

    private func writeItems(_ database: Database, token: Int64) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO change_item VALUES (?, ?, ?, ?, ?, ?, ?)")
        for key in order {
            guard let item = items[key] else { continue }
            try statement.execute(arguments: [
                token, key.type.rawValue, key.id, item.identifier, item.kind.rawValue,
                item.isContentChange, item.isMetadataChange,
            ])
        }
    }

    private func writeMembers(_ database: Database, token: Int64) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO change_member VALUES (?, ?, ?)")
        for membership in members {
            // The members of an album that is gone do not matter.
            let kind = items[ObjectKey(type: .collection, id: membership.album)]?.kind
            guard let kind, kind != .removed else { continue }
            try statement.execute(arguments: [token, membership.album, membership.asset])
        }
    }

    /// SQLite says that the disk is full where a counter has come to its end, which no honest one
    /// does.
    private func requireNextToken(_ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT count(*) FROM sqlite_sequence WHERE name = 'change' AND seq >= ?")
        guard try statement.value([Int64.max]) == 0 else {
            throw LibraryError(
                .damaged,
                "the library's change counter has reached its limit; run edithost check")
        }
    }
}
