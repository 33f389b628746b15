// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite
import Glibc

/// Interrupts statements that run for too long.
///
/// The limit grows with the database: half a million of SQLite's virtual machine instructions for
/// each allocated page. The most expensive query, thousands of conditions on every asset, stays
/// below it, and queries of an undamaged library stay far below it. See
/// docs/design/decisions/0016-untrusted-databases.md.
final class StatementLimit {
    /// The number of instructions between SQLite's callbacks, some hundredths of a second apart.
    static let period: CInt = 1_000_000
    /// The number of periods granted regardless of size: a second or two.
    static let freePeriods = 50
    /// The number of pages that grant one more period.
    static let pagesForPeriod = 2

    private let path: String
    private var periods = 0
    /// The number of periods granted. It is updated when they are used up, as the database may have
    /// grown.
    private var granted = freePeriods

    private init(path: String) { self.path = path }

    /// Installs the limit in a connection, whose statements run on one thread at a time.
    static func install(in database: Database) throws {
        let connection = database.sqliteConnection
        let path = sqlite3_db_filename(connection, "main").map { String(cString: $0) }
        let context = Unmanaged.passRetained(StatementLimit(path: path ?? "")).toOpaque()
        // A connection owns the context of its functions. This function is never called; its
        // destructor releases the limit when the connection is closed.
        let code = sqlite3_create_function_v2(
            connection, "statement_limit", 0, SQLITE_UTF8 | SQLITE_DIRECTONLY, context, setNull,
            nil, nil, release)
        guard code == SQLITE_OK else {
            throw LibraryError(.database, "SQLite rejected a limit for statements (\(code))")
        }
        sqlite3_progress_handler(connection, period, mayContinue, context)
        sqlite3_trace_v2(connection, UInt32(SQLITE_TRACE_STMT), begin, context)
    }

    private func begin() { periods = 0 }

    /// Whether the statement may continue.
    private func mayContinue() -> Bool {
        periods += 1
        if periods <= granted { return true }
        granted = Self.freePeriods + pages / Self.pagesForPeriod
        return periods <= granted
    }

    /// The number of pages that the database and its log occupy on the disk, without holes.
    private var pages: Int {
        [path, path + "-wal"].reduce(0) { sum, path in
            var status = stat()
            return stat(path, &status) == 0 ? sum + Int(status.st_blocks) * 512 / 4096 : sum
        }
    }

    // MARK: - Called by SQLite

    private static func of(_ context: UnsafeMutableRawPointer?) -> StatementLimit? {
        context.map { Unmanaged<StatementLimit>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let mayContinue: @convention(c) (UnsafeMutableRawPointer?) -> CInt = { context in
        of(context)?.mayContinue() == false ? 1 : 0
    }

    /// Called when a statement begins. A nested statement, such as a foreign key action, has a
    /// comment as its text and counts toward the outer one.
    private static let begin:
        @convention(c) (
            UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
        ) -> CInt = { _, context, _, text in
            let text = text?.assumingMemoryBound(to: UInt8.self)
            if let text, text[0] == UInt8(ascii: "-"), text[1] == UInt8(ascii: "-") { return 0 }
            of(context)?.begin()
            return 0
        }

    private static let setNull:
        @convention(c) (
            OpaquePointer?, CInt, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Void = { context, _, _ in sqlite3_result_null(context) }

    private static let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        context.map { Unmanaged<StatementLimit>.fromOpaque($0).release() }
    }
}
