// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

/// Accumulates the effects of a change, and writes its history entry.
final class ChangeRecorder {
    /// The type and row ID of an object.
    struct ObjectKey: Hashable {
        let type: PersistentChange.ObjectType
        let id: Int64
    }

    /// An asset that was added to, removed from or reordered in an album.
    private struct Membership: Hashable {
        let album: Int64
        let asset: Int64
    }

    private var items: [ObjectKey: PersistentChange.Item] = [:]
    private var order: [ObjectKey] = []
    private var members: Set<Membership> = []
    private var values = JournalValues()

    /// Whether nothing has changed.
    var isEmpty: Bool { items.isEmpty }

    /// Records a change of an object, merged with its earlier changes in this block.
    ///
    /// - Parameters:
    ///   - isContent: Whether the pixels of an asset or the members of a collection changed.
    ///   - isMetadata: Whether anything else changed.
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

    /// Records that an asset was added to, removed from or reordered in an album.
    func recordMember(_ asset: Int64, ofAlbum album: Int64) {
        members.insert(Membership(album: album, asset: asset))
    }

    /// Records the values of a property before and after a change, merged with its earlier changes
    /// in this block.
    ///
    /// - Parameter item: Distinguishes the values of a property that has several.
    func recordValue(
        _ property: JournalProperty, item: JournalValue = .text(""), of key: ObjectKey,
        from old: JournalValue, to new: JournalValue
    ) {
        values.add(.init(object: key, property: property, item: item), from: old, to: new)
    }

    /// Writes the history entry, and returns its token; nil if nothing changed.
    ///
    /// - Parameter undone: The journal entry that the change undoes.
    func writeEntry(
        _ database: Database, date: Date, author: ChangeAuthor, undoing undone: Int64? = nil
    ) throws -> ChangeToken? {
        if items.isEmpty { return nil }
        try requireNextToken(database)
        try database.execute(
            sql: "INSERT INTO change (date, session, command, undoes) VALUES (?, ?, ?, ?)",
            arguments: [date.microseconds, author.session, author.command, undone])
        let token = database.lastInsertedRowID
        try writeItems(database, token: token)
        try writeMembers(database, token: token)
        try values.write(database, token: token) { items[$0]?.kind }
        return try ChangeTransaction.token(token, database)
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
            // Members of a deleted album are not recorded.
            let kind = items[ObjectKey(type: .collection, id: membership.album)]?.kind
            guard let kind, kind != .removed else { continue }
            try statement.execute(arguments: [token, membership.album, membership.asset])
        }
    }

    /// SQLite would report an exhausted counter as a full disk. Only a corrupt database reaches
    /// that value.
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
