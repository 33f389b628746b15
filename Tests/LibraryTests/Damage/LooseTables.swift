// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// Writes values into columns whose declarations forbid them.
enum LooseTables {
    /// A column of a table.
    struct Column: Sendable, Hashable, CustomStringConvertible {
        let table: String
        let name: String
        var description: String { "\(table).\(name)" }
    }

    /// SQL literals. Hardly any column accepts more than two of them.
    static let values = [
        "NULL", "'text'", "''", "x'00ff'", "1.5", "9e999", "-1", "9223372036854775807",
        "-9223372036854775808", "CAST(x'61ff62' AS TEXT)", "CAST(x'610062' AS TEXT)", "1e308", "0",
        "4611686018427387904",
    ]

    /// All columns, except those of SQLite's statistics.
    static func columns(of path: String) throws -> [Column] {
        try DatabaseQueue(path: RichLibrary.database(path)).read { database in
            let tables = try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM sqlite_schema WHERE type = 'table'
                    AND name NOT LIKE 'sqlite_stat%' ORDER BY name
                    """)
            return try tables.flatMap { table in
                try database.columns(in: table).map { Column(table: table, name: $0.name) }
            }
        }
    }

    /// Sets a column to a value in every row that accepts it, and restores the schema.
    static func put(_ value: String, into column: Column, of path: String) throws {
        let strict = try read(path)
        guard let declaration = strict[column.table] else { return }
        try RichLibrary.execute(on: path) { database in
            try declare(column.table, loosened(declaration), database)
        }
        // A new connection reads the changed declaration.
        try RichLibrary.execute(on: path) { database in
            try? database.execute(
                sql: "UPDATE OR IGNORE \(column.table) SET \(column.name) = \(value)")
        }
        try RichLibrary.execute(on: path) { try declare(column.table, declaration, $0) }
    }

    /// Removes the column types of a table, and declares one column with the given type.
    static func loosen(_ table: String, of path: String, type: String, column: String) throws {
        guard let declaration = try read(path)[table] else { return }
        try RichLibrary.execute(on: path) { database in
            let words = try Regex("\\b\(column)\\b")
            let loose = loosened(declaration)
                .replacing(words, with: "\(column) \(type)", maxReplacements: 1)
            try declare(table, loose, database)
        }
    }

    private static func read(_ path: String) throws -> [String: String] {
        try DatabaseQueue(path: RichLibrary.database(path)).read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
            return Dictionary(rows.map { ($0[0], $0[1]) }) { $1 }
        }
    }

    private static func declare(
        _ table: String, _ declaration: String, _ database: Database
    ) throws {
        try database.execute(
            sql: "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
            arguments: [declaration, table])
    }

    /// The declaration without types and NOT NULL constraints. Keys are unchanged.
    private static func loosened(_ declaration: String) -> String {
        declaration
            .replacing(" STRICT, WITHOUT ROWID", with: " WITHOUT ROWID")
            .replacing(" STRICT", with: "")
            .replacing("INTEGER PRIMARY KEY", with: "#")
            .replacing(" INTEGER", with: "").replacing(" TEXT", with: "")
            .replacing(" REAL", with: "").replacing(" BLOB", with: "")
            .replacing("IS NOT NULL", with: "IS_NOT_NULL")
            .replacing(" NOT NULL", with: "")
            .replacing("IS_NOT_NULL", with: "IS NOT NULL")
            .replacing("#", with: "INTEGER PRIMARY KEY")
    }
}
