// SPDX-License-Identifier: Apache-2.0

import GRDB

extension LibraryError {
    /// Turns what GRDB or SQLite threw into an error of this room; others pass unchanged.
    static func translating(_ error: any Error, path: String) -> any Error {
        if error is RowDecodingError {
            return LibraryError(
                .damaged, "the library's database has an invalid value; run edithost check",
                path: path)
        }
        guard let error = error as? DatabaseError else { return error }
        let (code, detail) = meaning(of: error.resultCode)
        // "database is locked" would only frighten.
        return LibraryError(
            code, detail, path: path, underlying: code == .busy ? nil : error.withOwnMessage)
    }

    private static func meaning(of code: ResultCode) -> (Code, String) {
        switch code {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            (.busy, "the library is busy with another change; try again")
        case .SQLITE_FULL:
            (.cannotWrite, "the disk is full; free some space")
        case .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            (.cannotWrite, "cannot write the library; check space and permissions")
        case .SQLITE_CANTOPEN:
            (.cannotWrite, "cannot open the library's database; check permissions")
        case .SQLITE_NOTADB:
            (.notALibrary, "not a photo library: its database is something else")
        case .SQLITE_CORRUPT:
            (.damaged, "the library's database is damaged; run edithost check")
        case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG:
            (.damaged, "the library's database is inconsistent; run edithost check")
        case .SQLITE_INTERRUPT:
            (.damaged, "a query of the library's database does not end; run edithost check")
        default:
            (.database, "the library's database refused the operation")
        }
    }
}

extension DatabaseError {
    /// The same error with the message that belongs to its code, if SQLite's last message, which GRDB reads, is that of a later
    /// call which succeeded: a transaction that fails is rolled back before.
    var withOwnMessage: DatabaseError {
        let isLater = [nil, "", "not an error"].contains(message)
        guard isLater, resultCode != .SQLITE_OK else { return self }
        return DatabaseError(resultCode: extendedResultCode, sql: sql)
    }
}

/// Runs `body` and turns errors of GRDB into errors of this room.
func translatingDatabaseErrors<Result>(
    path: String, _ body: () throws -> Result
) throws -> Result {
    do {
        return try body()
    } catch {
        throw LibraryError.translating(error, path: path)
    }
}
