// SPDX-License-Identifier: Apache-2.0

import GRDB

extension LibraryError {
    /// Converts an error thrown by GRDB or SQLite to a `LibraryError`. Other errors are returned
    /// unchanged.
    static func translating(_ error: any Error, path: String) -> any Error {
        if error is RowDecodingError {
            return LibraryError(
                .damaged, "the library's database has an invalid value; run edithost check",
                path: path)
        }
        guard let error = error as? DatabaseError else { return error }
        let (code, detail) = meaning(of: error.resultCode)
        // The cause "database is locked" would add nothing to `busy`, so it is omitted.
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
            (.notALibrary, "not a photo library: its database is not a SQLite database")
        case .SQLITE_CORRUPT:
            (.damaged, "the library's database is damaged; run edithost check")
        case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG:
            (.damaged, "the library's database is inconsistent; run edithost check")
        case .SQLITE_INTERRUPT:
            (.damaged, "a query of the library's database does not end; run edithost check")
        default:
            (.database, "the library's database rejected the operation")
        }
    }
}

extension DatabaseError {
    /// The same error with the standard message for its code, if the message that GRDB read is that
    /// of a later, successful call. This happens because a failed transaction is rolled back before
    /// the message is read.
    var withOwnMessage: DatabaseError {
        let isLater = [nil, "", "not an error"].contains(message)
        guard isLater, resultCode != .SQLITE_OK else { return self }
        return DatabaseError(resultCode: extendedResultCode, sql: sql)
    }
}

/// Runs `body` and converts errors of GRDB to errors of this module.
func translatingDatabaseErrors<Result>(
    path: String, _ body: () throws -> Result
) throws -> Result {
    do {
        return try body()
    } catch {
        throw LibraryError.translating(error, path: path)
    }
}
