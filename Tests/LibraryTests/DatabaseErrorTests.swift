// SPDX-License-Identifier: Apache-2.0

import GRDB
import Testing

@testable import Library

/// The messages of SQLite errors.
@Suite("SQLite errors")
struct DatabaseErrorTests {
    @Test(
        "an error whose message SQLite has overwritten describes its code",
        arguments: [
            (ResultCode.SQLITE_FULL, LibraryError.Code.cannotWrite, "database or disk is full"),
            (.SQLITE_IOERR_WRITE, .cannotWrite, "disk I/O error"),
            (.SQLITE_READONLY, .cannotWrite, "attempt to write a readonly database"),
            (.SQLITE_NOMEM, .database, "out of memory"),
        ])
    func overwritten(code: ResultCode, expected: LibraryError.Code, words: String) throws {
        for message in ["not an error", ""] {
            let cause = DatabaseError(resultCode: code, message: message, sql: "COMMIT")
            let error = try #require(
                LibraryError.translating(cause, path: "/library") as? LibraryError)
            #expect(error.code == expected)
            #expect(error.description.contains(words), "\(error)")
            #expect(!error.description.contains("not an error"), "\(error)")
        }
    }

    @Test("an error keeps SQLite's message for it")
    func own() {
        let cause = DatabaseError(resultCode: .SQLITE_ERROR, message: "no such table: a")
        #expect("\(LibraryError.translating(cause, path: "/"))".contains("no such table: a"))
    }
}
