// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

/// Reads the entries of the journal, inside a transaction.
struct JournalReader {
    /// The changes of an entry, without their effects.
    struct Span {
        let first: Int64
        let last: Int64
        let date: Date
        let command: String?
        let undoes: Int64?
        let session: String

        init(_ row: Row) throws {
            first = try row.rowNumber(0)
            last = try row.rowNumber(1)
            date = try row.value(2)
            command = try row.value(3)
            undoes = try row.value(4)
            session = try row.value(5)
        }
    }

    let database: Database

    private static let columns =
        "min(token), max(token), min(date), min(command), max(undoes), min(session)"

    /// Returns the entries, the newest first.
    ///
    /// - Parameter first: The number of the first change of an entry; it and newer ones are left out.
    func spans(limit: Int? = nil, before first: Int64 = .max) throws -> [Span] {
        // The types of the two keys differ, so they are never equal.
        try database.records(
            """
            SELECT \(Self.columns) FROM change
            GROUP BY iif(command IS NULL, token, session) HAVING min(token) < ?
            ORDER BY 1 DESC LIMIT ?
            """, [first, limit ?? -1], Span.init)
    }

    /// Returns the entry to which a change belongs.
    ///
    /// - Throws: `LibraryError` with `noSuchEntry`.
    func span(_ identifier: JournalEntry.Identifier) throws -> Span {
        let found = try database.record(
            """
            SELECT \(Self.columns) FROM change JOIN (
                SELECT token AS named, command AS name, session AS run FROM change
                WHERE token = ?)
            WHERE token = named OR name IS NOT NULL AND command IS NOT NULL AND session = run
            GROUP BY named
            """, [identifier.number], Span.init)
        guard let found else {
            throw LibraryError(
                .noSuchEntry,
                "the journal has no entry \(identifier); \"edithost log\" lists them; prune "
                    + "removes those older than 90 days")
        }
        return found
    }

    /// Returns the numbers of the last changes that undo an entry and are not undone themselves, by
    /// the first changes of the entries.
    func undone() throws -> [Int64: Int64] {
        let undos = try database.records(
            "SELECT token, undoes FROM change WHERE undoes IS NOT NULL ORDER BY token DESC"
        ) { (token: try $0.rowNumber(0), undoes: try $0.rowNumber(1)) }
        var undone: [Int64: Int64] = [:]
        // An undo is newer than what it undoes, so it is known whether it is undone.
        for undo in undos where undo.undoes < undo.token && undone[undo.token] == nil {
            if undone[undo.undoes] == nil { undone[undo.undoes] = undo.token }
        }
        return undone
    }

    /// Returns the numbers of the changes that undo an entry, those that undo these, and so on.
    ///
    /// - Parameter first: The number of the entry's first change.
    /// - Returns: All of them, and those that set the values of the entry again.
    func undos(of first: Int64) throws -> (all: Set<Int64>, redos: Set<Int64>) {
        let undos = try database.records(
            "SELECT token, undoes FROM change WHERE undoes IS NOT NULL ORDER BY token"
        ) { (token: try $0.rowNumber(0), undoes: try $0.rowNumber(1)) }
        var isRedo = [first: true]
        // An undo is newer than what it undoes.
        for undo in undos where undo.undoes < undo.token {
            if let isUndoneRedo = isRedo[undo.undoes] { isRedo[undo.token] = !isUndoneRedo }
        }
        isRedo[first] = nil
        return (Set(isRedo.keys), Set(isRedo.filter(\.value).keys))
    }

    /// Returns the dates at which changes moved assets to the trash, by asset.
    func trashedDates(_ tokens: Set<Int64>) throws -> [String: Set<JournalValue>] {
        if tokens.isEmpty { return [:] }
        let moves = try database.records(
            """
            SELECT object_uuid, new FROM json_each(?)
            JOIN change_value ON change_value.token = json_each.value
            JOIN change_item USING (token, object_type, object_id)
            WHERE property = 'trashedDate' AND new IS NOT NULL
            """, [tokens.sorted().json]
        ) { row in
            (
                asset: try row.value(0, as: String.self),
                date: try row.value(1, as: JournalValue.self)
            )
        }
        return Dictionary(grouping: moves, by: \.asset).mapValues { Set($0.map(\.date)) }
    }

    /// Returns the numbers of an entry's changes, in order.
    func tokens(of span: Span) throws -> [Int64] {
        if span.command == nil { return [span.first] }
        return try database.records(
            "SELECT token FROM change WHERE command IS NOT NULL AND session = ? ORDER BY token",
            [span.session]
        ) { try $0.rowNumber(0) }
    }

    /// Whether an entry has values that an undo can restore.
    func hasValues(_ tokens: [Int64]) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM json_each(?)
                    JOIN change_value ON change_value.token = json_each.value)
                """)
        return try statement.value([tokens.json]) ?? false
    }

    /// Returns an entry with the numbers of its objects.
    ///
    /// - Parameter undone: The result of ``undone()``.
    func entry(_ span: Span, undone: [Int64: Int64]) throws -> JournalEntry {
        let tokens = try tokens(of: span)
        let statement = try database.cachedStatement(
            sql: """
                SELECT object_type, count(DISTINCT object_id) FROM json_each(?)
                JOIN change_item ON change_item.token = json_each.value GROUP BY object_type
                """)
        let counts = try statement.records([tokens.json]) { row in
            (
                type: try row.value(0, as: PersistentChange.ObjectType.self),
                count: try row.value(1, as: Int.self)
            )
        }
        func count(_ type: PersistentChange.ObjectType) -> Int {
            counts.first { $0.type == type }?.count ?? 0
        }
        return JournalEntry(
            identifier: .init(number: span.first), date: span.date, command: span.command,
            assetCount: count(.asset), collectionCount: count(.collection),
            undoes: span.undoes.map(JournalEntry.Identifier.init(number:)),
            isUndone: undone[span.first].map { $0 > span.last } ?? false,
            hasValues: try hasValues(tokens))
    }

    /// Returns the values that the changes of an entry set, each from the first old to the last new
    /// value. Values that were set back are left out, and so are those of new assets, which an undo
    /// moves to the trash with all their values.
    ///
    /// If another entry set a value in between, that value is the old one.
    func values(_ tokens: [Int64]) throws -> [JournalChange] {
        var values: [JournalChange.Key: Int] = [:]
        var changes: [JournalChange] = []
        let statement = try database.cachedStatement(
            sql: """
                SELECT object_type, object_uuid, property, item, old, new
                FROM change_value JOIN change_item USING (token, object_type, object_id)
                WHERE token = ? ORDER BY object_type, object_id, property, item
                """)
        for token in tokens {
            try statement.forEachRow([token]) { row in
                let change = try JournalChange(row)
                if let index = values[change.key] {
                    if change.continues(changes[index]) {
                        changes[index].new = change.new
                    } else {
                        changes[index] = change
                    }
                } else {
                    values[change.key] = changes.count
                    changes.append(change)
                }
            }
        }
        let created = Set(changes.filter(\.isCreationOfAsset).map(\.identifier))
        return changes.filter { change in
            change.old != change.new
                && (change.isCreationOfAsset || change.key.type != .asset
                    || !created.contains(change.identifier))
        }
    }

    /// Returns the number of older assets that the changes removed for good.
    func removedAssetCount(_ tokens: [Int64]) throws -> Int {
        try database.value(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM json_each(?) JOIN change_item ON token = json_each.value
                WHERE object_type = 'asset' GROUP BY object_id
                HAVING max(kind = 'removed') AND NOT max(kind = 'inserted'))
            """, [tokens.json]) ?? 0
    }
}
