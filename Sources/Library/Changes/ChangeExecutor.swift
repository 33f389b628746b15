// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

/// Carries out requests inside one transaction and remembers what they changed.
final class ChangeExecutor {
    let database: Database
    let store: BlobStore
    /// The moment that this change writes everywhere.
    let date: Date
    /// Assets whose content this block has changed already; their generation is ours.
    var ownGenerations: Set<String> = []
    private var items: [String: Change.Item] = [:]
    private var order: [String] = []

    init(database: Database, store: BlobStore, date: Date) {
        self.database = database
        self.store = store
        self.date = date
    }

    /// Remembers that an asset changed; what happened to it in this block before is merged.
    func record(_ kind: Change.Kind, _ identifier: String, isContent: Bool) {
        if let before = items[identifier] {
            if before.kind == .inserted, kind == .removed {
                items[identifier] = nil
                order.removeAll { $0 == identifier }
                return
            }
            items[identifier] = Change.Item(
                kind: before.kind == .inserted ? .inserted : kind, objectType: .asset,
                identifier: identifier, isContentChange: before.isContentChange || isContent)
        } else {
            order.append(identifier)
            items[identifier] = Change.Item(
                kind: kind, objectType: .asset, identifier: identifier,
                isContentChange: isContent)
        }
    }

    /// Writes the entry in the history of changes; nil where nothing changed.
    func recordChange(session: String) throws -> Change? {
        let items = order.compactMap { self.items[$0] }
        if items.isEmpty { return nil }
        try database.execute(
            sql: "INSERT INTO change (date, session) VALUES (?, ?)",
            arguments: [date.microseconds, session])
        let token = database.lastInsertedRowID
        for item in items {
            try database.execute(
                sql: "INSERT INTO change_item VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    token, item.objectType.rawValue, item.identifier, item.kind.rawValue,
                    item.isContentChange,
                ])
        }
        return Change(
            token: ChangeToken(rawValue: token), date: Date(microseconds: date.microseconds),
            items: items)
    }

    /// Runs a statement that must change exactly one row; tells whether it did.
    func changesOneRow(_ sql: String, _ arguments: StatementArguments) throws -> Bool {
        try database.execute(sql: sql, arguments: arguments)
        return database.changesCount == 1
    }

    /// Names a published blob in the database.
    func insertBlob(_ blob: StagedBlob) throws {
        try database.execute(
            sql: "INSERT INTO blob (hash, size) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING",
            arguments: [blob.hash.hex, blob.size])
    }

    /// The row's number of an asset, or `noSuchAsset`.
    func rowIdentifier(ofAsset identifier: String) throws -> Int64 {
        let id = try Int64.fetchOne(
            database, sql: "SELECT id FROM asset WHERE uuid = ?", arguments: [identifier])
        guard let id else { throw LibraryError.noSuchAsset(identifier) }
        return id
    }
}
