// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite

/// How every connection to a library's database is set up. The file comes from anybody.
enum ConnectionSettings {
    /// No value of ours is longer. The greatest are lists of identifiers that a fetch is given.
    private static let maximumLength: CInt = 512 << 20

    /// Sets a connection up, before the schema of the database is read.
    static func apply(to database: Database) throws {
        // Nothing in the schema may call functions that do more than calculate; a page is looked
        // at before its cells are believed; and no page is read from mapped memory, where a file
        // that somebody cuts off ends the program. Searches in large libraries need some MiB of
        // pages again and again.
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
