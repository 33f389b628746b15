// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Library

/// Libraries as written by older versions.
package enum OldLibrary {
    /// A database's version and its oldest version, or nil if there is no database.
    package static func versionAndOldest(_ path: String) throws -> (now: Int, oldest: Int)? {
        guard path.contains("migrate-"), let database = try? open(path + "/library.sqlite")
        else { return nil }
        let now = try database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } ?? 0
        return (now, 1)
    }

    /// The result of SQLite's integrity check.
    package static func integrity(of path: String) throws -> [String] {
        try open(path).read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
    }

    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Replaces a library's database with one of an older version with the same rows.
    package static func downgrade(_ path: String, to version: Int = 1) throws {
        let old = path + "/library.sqlite"
        let current = path + "/../current-\(UUID()).sqlite"
        // A backup's database has no write-ahead log.
        let isBackup = FileManager.default.fileExists(atPath: path + "/backup.json")
        try FileManager.default.moveItem(atPath: old, toPath: current)
        defer { try? FileManager.default.removeItem(atPath: current) }
        let queue = try DatabaseQueue(path: old)
        try Schema(steps: Array(Schema.current.steps.prefix(version))).migrator.migrate(queue)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "ATTACH ? AS current", arguments: [current])
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            // History entries of the first two versions do not identify rows.
            let tables = try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM main.sqlite_schema AS old WHERE type = 'table'
                        AND name NOT LIKE 'sqlite_%' AND name <> 'grdb_migrations'
                        AND EXISTS (SELECT 1 FROM current.sqlite_schema WHERE name = old.name)
                        AND (name <> 'change_item' OR \(version) > 2)
                    """)
            for table in tables {
                // Generated columns cannot be written. Version 12 removes a column.
                let columns = try String.fetchAll(
                    database,
                    sql: """
                        SELECT name FROM pragma_table_xinfo(?)
                        WHERE hidden = 0 AND name <> 'survey_stamp'
                        """, arguments: [table])
                let sources = columns.map { $0 == "remote_url" ? "url" : $0 }
                try database.execute(
                    sql: """
                        DELETE FROM main.\(table);
                        INSERT INTO main.\(table) (\(columns.joined(separator: ", ")))
                            SELECT \(sources.joined(separator: ", ")) FROM current.\(table);
                        """)
            }
            try database.execute(sql: "DETACH current")
            if !isBackup { try database.execute(sql: "PRAGMA journal_mode = WAL") }
        }
        try queue.close()
    }
}
