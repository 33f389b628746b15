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
    /// Bursts that this block took their representative from; `settleBursts` finds another.
    var unsettledBursts: Set<String> = []
    /// The assets that are there in the place of some that were to be made but have the same
    /// original; by the identifiers of the placeholders.
    var standIns: [String: String] = [:]
    private var items: [ObjectKey: PersistentChange.Item] = [:]
    private var order: [ObjectKey] = []
    private var members: Set<Membership> = []

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

    init(database: Database, store: BlobStore, date: Date) {
        self.database = database
        self.store = store
        self.date = date
    }

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

    /// Ends the change: writes its entry in the history; nil where nothing changed.
    func recordChange(session: String) throws -> PersistentChange? {
        try settleBursts()
        if items.isEmpty { return nil }
        try requireNextToken()
        try database.execute(
            sql: "INSERT INTO change (date, session) VALUES (?, ?)",
            arguments: [date.microseconds, session])
        let token = database.lastInsertedRowID
        let statement = try database.cachedStatement(
            sql: "INSERT INTO change_item VALUES (?, ?, ?, ?, ?, ?, ?)")
        for key in order {
            guard let item = items[key] else { continue }
            try statement.execute(arguments: [
                token, key.type.rawValue, key.id, item.identifier, item.kind.rawValue,
                item.isContentChange, item.isMetadataChange,
            ])
        }
        let member = try database.cachedStatement(sql: "INSERT INTO change_member VALUES (?, ?, ?)")
        for membership in members {
            // The members of an album that is gone do not matter.
            let kind = items[ObjectKey(type: .collection, id: membership.album)]?.kind
            guard let kind, kind != .removed else { continue }
            try member.execute(arguments: [token, membership.album, membership.asset])
        }
        return PersistentChange(
            token: try ChangeTransaction.token(token, database),
            date: Date(microseconds: date.microseconds), items: order.compactMap { items[$0] })
    }

    /// SQLite says that the disk is full where a counter has come to its end, which no honest one
    /// does.
    private func requireNextToken() throws {
        let statement = try database.cachedStatement(
            sql: "SELECT count(*) FROM sqlite_sequence WHERE name = 'change' AND seq >= ?")
        guard try statement.value([Int64.max]) == 0 else {
            throw LibraryError(.damaged, "the library's changes cannot be counted on; run check")
        }
    }

    /// A number for a new row, which no row ever had.
    func newIdentifier(_ counter: Counter) throws -> Int64 {
        let column = counter.rawValue
        let statement = try database.cachedStatement(
            sql: "UPDATE library SET \(column) = \(column) + 1 RETURNING \(column) - 1")
        let id = try statement.record { try $0.rowNumber(0) }
        guard let id else {
            throw LibraryError(.damaged, "the library's own row is missing; run check")
        }
        return id
    }

    /// The columns that count rows.
    enum Counter: String {
        case asset = "next_asset_id"
        case collection = "next_collection_id"
    }

    /// Runs a statement, which is prepared once: a block may have thousands of requests.
    func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Runs a statement that must change exactly one row; tells whether it did.
    func changesOneRow(_ sql: String, _ arguments: StatementArguments) throws -> Bool {
        try execute(sql, arguments)
        return database.changesCount == 1
    }

    /// Names a published blob in the database.
    func insertBlob(_ blob: StagedBlob) throws {
        try execute(
            "INSERT INTO blob (hash, size) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING",
            [blob.hash.hex, blob.size])
    }

    /// What can be done to an asset.
    func ability(of identifier: String) -> EditAbility {
        EditAbility(database: database, store: store, assetIdentifier: identifier)
    }

    /// The row's number of an asset, or `noSuchAsset`.
    func rowIdentifier(ofAsset identifier: String) throws -> Int64 {
        let statement = try database.cachedStatement(sql: "SELECT id FROM asset WHERE uuid = ?")
        guard let id = try statement.value([identifier], as: Int64.self) else {
            throw LibraryError.noSuchAsset(identifier)
        }
        return id
    }
}
