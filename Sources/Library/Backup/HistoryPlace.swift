// SPDX-License-Identifier: Apache-2.0

import FileAccess
import GRDB

/// The place in the history of its changes that a library's database has come to. Libraries of one identifier, of which one is
/// a copy of the other, have the same entries up to where they parted, and different ones after that.
struct HistoryPlace: Equatable {
    /// The library's identifier.
    private let library: String
    /// The number of the last change.
    private let number: Int64
    /// The last change; nil: it was forgotten, or there was none.
    private let entry: Entry?

    /// A change, which no other one of the same number equals: a session's name is random.
    private struct Entry: Equatable {
        let session: String
        let date: Int64
    }

    /// That of a database.
    init(_ database: Database) throws {
        let token = try ChangeTransaction.lastToken(database)
        (library, number) = (token.library, token.number)
        entry = try Self.entry(token.number, database)
    }

    /// That of the database in a folder to which no process writes; nil: it is missing, damaged, or of a format that has none.
    ///
    /// - Throws: `LibraryError` with `newerSchema`: a newer version of the program has written it.
    init?(of root: Folder) throws {
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        let opener = LibraryOpener(root: root, options: options, isNew: false)
        do {
            self = try opener.readImmutably(HistoryPlace.init)
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

    /// Whether a database has been at this place: it has the same last change. If either has forgotten that change, as prune
    /// does after 90 days, only the numbers can tell.
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
