// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite

/// The configuration of every connection to a library's database, which is an untrusted file.
enum UntrustedDatabaseSettings {
    /// The maximum length of a value in bytes. The longest are identifier lists passed to a fetch.
    private static let maximumLength: CInt = 512 << 20

    /// Configures a connection, before the database's schema is read.
    static func apply(to database: Database) throws {
        // The schema may call only functions without side effects. The cells of a page are checked
        // before use. Memory mapping is off, because a file that is truncated while it is mapped
        // would crash the process. The cache fits the pages that searches in large libraries read
        // repeatedly.
        try database.execute(
            sql: """
                PRAGMA trusted_schema = OFF;
                PRAGMA cell_size_check = ON;
                PRAGMA mmap_size = 0;
                PRAGMA cache_size = -16384;
                """)
        sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, maximumLength)
        try StatementLimit.install(in: database)
        try SearchFunctions.add(to: database)
    }
}
