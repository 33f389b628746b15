// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

extension PhotoLibrary {
    /// The token of the position after the last committed change.
    ///
    /// - Throws: `LibraryError`.
    public var currentChangeToken: ChangeToken {
        get throws {
            try read { try ChangeTransaction.token(ChangeTransaction.lastNumber($0), $0) }
        }
    }

    /// The earliest token from which the history is still complete.
    ///
    /// - Throws: `LibraryError`.
    public var oldestChangeToken: ChangeToken {
        get throws { try read { try ChangeTransaction.token(Self.lastForgotten($0), $0) } }
    }

    /// Returns the changes committed after a token by any process, in commit order.
    ///
    /// - Throws: `LibraryError`: `changeTokenExpired` if the history no longer reaches back to the
    ///   token; fetch everything again. `invalidChangeToken` if the token belongs to another
    ///   library, or is newer than this copy of the library, as after restoring a backup.
    public func fetchPersistentChanges(since token: ChangeToken) throws -> [PersistentChange] {
        try read { database in
            try Self.verify(token, database)
            return try Self.changes(after: token.number, database)
        }
    }

    /// Returns the identifiers of the assets that a change moved to the trash, and that are still
    /// there. The history records such a move as a change of metadata, but it gives the assets the
    /// date of the change.
    ///
    /// - Throws: `LibraryError` if the database cannot be read.
    package func assetsTrashed(by change: PersistentChange) throws -> Set<String> {
        try read { database in
            Set(
                try database.values(
                    "SELECT uuid FROM asset WHERE trashed_date = ?",
                    [change.date.microseconds], as: String.self))
        }
    }

    /// Deletes the history of all changes committed before a date. Tokens older than the remaining
    /// history expire. No other data changes.
    ///
    /// - Returns: The number of deleted changes.
    /// - Throws: `LibraryError`.
    @discardableResult
    package func forgetChanges(before date: Date) throws -> Int {
        let (pool, _) = try writer()
        return try translatingDatabaseErrors(path: path) {
            try pool.write { try Self.forgetChanges(before: date, $0) }
        }
    }

    static func forgetChanges(before date: Date, _ database: Database) throws -> Int {
        // Deletes by number, not by date: a clock that was set back must not leave a gap.
        let last = try database.value(
            """
            SELECT ifnull(min(token) - 1, (SELECT max(token) FROM change))
            FROM change WHERE date >= ?
            """,
            [date.microseconds], as: Int64?.self)
        guard let last = last ?? nil, try last > lastForgotten(database) else { return 0 }
        try database.execute(sql: "DELETE FROM change WHERE token <= ?", arguments: [last])
        let count = database.changesCount
        try database.execute(
            sql: "UPDATE library SET last_forgotten_token = ?", arguments: [last])
        return count
    }

    private static func lastForgotten(_ database: Database) throws -> Int64 {
        try database.value("SELECT last_forgotten_token FROM library") ?? 0
    }

    private static func verify(_ token: ChangeToken, _ database: Database) throws {
        let current = try ChangeTransaction.token(
            ChangeTransaction.lastNumber(database), database)
        guard token.library == current.library else {
            throw LibraryError(
                .invalidChangeToken, "the change token \(token) belongs to another library")
        }
        guard token.number <= current.number else {
            throw LibraryError(
                .invalidChangeToken,
                "the change token \(token) is newer than the library (was a backup restored?); "
                    + "start again with --since start")
        }
        guard try token.number >= lastForgotten(database) else {
            throw LibraryError(
                .changeTokenExpired,
                "the change token \(token) has expired; list everything again")
        }
    }

    /// Returns the recorded changes with a number greater than `number`.
    static func changes(after number: Int64, _ database: Database) throws -> [PersistentChange] {
        let library = try ChangeTransaction.token(0, database).library
        var changes: [PersistentChange] = []
        var items: [PersistentChange.Item] = []
        let statement = try database.makeStatement(
            sql: """
                SELECT change.token, date, \(PersistentChange.Item.columns)
                FROM change JOIN change_item ON change_item.token = change.token
                WHERE change.token > ? ORDER BY change.token, object_type, object_id
                """)
        try statement.forEachRow([number]) { row in
            let token = ChangeToken(number: try row.value(0), library: library)
            if changes.last?.token != token { items = [] } else { changes.removeLast() }
            items.append(try PersistentChange.Item(row, from: 2))
            changes.append(
                PersistentChange(token: token, date: try row.value(1), items: items))
        }
        return changes
    }
}
