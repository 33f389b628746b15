// SPDX-License-Identifier: Apache-2.0

import FileAccess
import GRDB

/// The last position in a database's change history. Copies of a library share its identifier and
/// the entries up to the point at which they diverged.
struct HistoryPosition: Equatable {
    /// The identifier of the library.
    private let library: String
    /// The number of the last change.
    private let number: Int64
    /// The entry of the last change; nil if it was pruned, or there is none.
    private let entry: Entry?

    /// The distinguishing columns of an entry. Session names are random, so that diverged copies
    /// differ.
    private struct Entry: Equatable {
        let session: String
        let date: Int64
    }

    /// Reads the position of an open database.
    init(_ database: Database) throws {
        let token = try ChangeTransaction.lastToken(database)
        (library, number) = (token.library, token.number)
        entry = try Self.entry(token.number, database)
    }

    /// Reads the position of the database in a folder that no process writes to. Nil if the
    /// database is missing, damaged or in a format without a history.
    ///
    /// - Throws: `LibraryError` with `newerSchema` if a newer version wrote the database.
    init?(of root: Folder) throws {
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        let opener = LibraryOpener(root: root, options: options, isNew: false)
        do {
            self = try opener.readImmutably(HistoryPosition.init)
        } catch let error as LibraryError where error.code == .newerSchema {
            throw error
        } catch {
            return nil
        }
    }

    private static func entry(_ number: Int64, _ database: Database) throws -> Entry? {
        try database.record("SELECT session, date FROM change WHERE token = ?", [number]) { row in
            Entry(session: try row.value(0), date: try row.value(1))
        }
    }

    /// Whether a database's history contains this position, by comparing the entry. If either side
    /// has pruned that entry, as prune does after 90 days, only the numbers are compared.
    func isInHistory(of database: Database) throws -> Bool {
        let last = try ChangeTransaction.lastToken(database)
        guard last.library == library, number <= last.number else { return false }
        guard let entry, let own = try Self.entry(number, database) else {
            return try number == 0 || entry == nil || number <= Self.lastForgotten(database)
        }
        return own == entry
    }

    private static func lastForgotten(_ database: Database) throws -> Int64 {
        try database.value("SELECT last_forgotten_token FROM library") ?? 0
    }
}
