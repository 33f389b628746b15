// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import LibraryTestSupport
import TestSupport
import Testing

@testable import Library

/// Databases whose schema differs from that of any library.
@Suite("hostile schemas")
struct HostileSchemaTests {
    private let temporary: TemporaryLibrary
    private var path: String { temporary.path }

    init() throws {
        temporary = try TemporaryLibrary()
        let asset = try temporary.library.importAsset("a")
        try temporary.library.edit(asset.id, recipe: "one", render: "render of one")
        try temporary.library.close()
    }

    /// Statements by which an attacker or a well-meaning user extends the schema.
    private static let statements = [
        "CREATE TRIGGER t AFTER UPDATE ON asset BEGIN DELETE FROM blob; END",
        """
        CREATE TRIGGER t AFTER INSERT ON change BEGIN
            INSERT INTO change (date, session) VALUES (0, 'again'); END
        """,
        "CREATE TRIGGER t AFTER DELETE ON asset BEGIN SELECT 1; END",
        "CREATE VIEW v AS SELECT * FROM asset",
        """
        DROP TABLE keyword; CREATE VIEW keyword AS
            WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
            SELECT 1 AS asset_id, x AS text FROM n
        """,
        "CREATE TABLE more (x)",
        "CREATE INDEX more ON asset (title)", "CREATE INDEX more ON asset (original_filename)",
        "DROP INDEX asset_listed", "ALTER TABLE asset ADD COLUMN more TEXT",
        "DROP TABLE change_member",
        "ALTER TABLE asset RENAME COLUMN lens_model TO other",
        "DROP INDEX asset_burst; CREATE UNIQUE INDEX asset_burst ON asset (burst_identifier)",
        "DELETE FROM grdb_migrations",
        "INSERT INTO grdb_migrations VALUES ('4: later')",
        "UPDATE grdb_migrations SET identifier = 'other' WHERE identifier LIKE '3%'",
        "PRAGMA user_version = 2", "PRAGMA user_version = -1", "PRAGMA user_version = 0",
    ]

    /// Changes of existing declarations.
    private static let replacements = [
        (" STRICT", " "), ("CHECK (rating BETWEEN -1 AND 5)", ""), ("WITHOUT ROWID", ""),
        ("is_hidden = 0 AND", "is_hidden = 1 AND"), ("kind TEXT NOT NULL", "kind TEXT"),
        ("pixel_width INTEGER", "pixel_width ANY"), ("'removed'", "'Removed'"),
        ("ON DELETE CASCADE", "ON DELETE SET NULL"), ("uuid TEXT NOT NULL UNIQUE", "uuid TEXT"),
    ]

    /// Opens and checks the library. Each must only report the damage.
    private func expectRefusal(_ what: String) throws {
        for isReadOnly in [true, false] {
            var options = PhotoLibrary.Options()
            options.isReadOnly = isReadOnly
            let error = try libraryError { try temporary.reopen(options).close() }
            #expect(error.code == .damaged, "\(what): \(error)")
        }
        let report = try PhotoLibrary.check(at: path)
        #expect(report.severity == .damage, "\(what)")
        #expect(report.findings.allSatisfy { $0.kind == .databaseDamaged }, "\(what)")
    }

    @Test(
        "triggers, views and other foreign objects are rejected before they run",
        arguments: statements)
    func foreignObjects(statement: String) throws {
        try RichLibrary.execute(on: path) { try $0.execute(sql: statement) }
        try expectRefusal(statement)
    }

    @Test(
        "a missing or replaced trigger of an older version is rejected",
        arguments: [
            "DROP TRIGGER rendition_updated",
            """
            DROP TRIGGER rendition_updated;
            CREATE TRIGGER rendition_updated AFTER UPDATE ON rendition BEGIN DELETE FROM blob; END
            """,
        ])
    func olderTriggers(statement: String) throws {
        try OldLibrary.downgrade(path, to: 11)
        try RichLibrary.execute(on: path) { try $0.execute(sql: statement) }
        try expectRefusal(statement)
    }

    private static let hasFTS5 =
        (try? DatabaseQueue().read {
            try Bool.fetchOne($0, sql: "SELECT sqlite_compileoption_used('ENABLE_FTS5')")
        }) == true

    @Test("a virtual table is rejected", .enabled(if: hasFTS5, "this SQLite has no FTS5"))
    func virtualTable() throws {
        let statement = "CREATE VIRTUAL TABLE v USING fts5(text)"
        try RichLibrary.execute(on: path) { try $0.execute(sql: statement) }
        try expectRefusal(statement)
    }

    @Test(
        "a changed declaration is rejected", arguments: replacements.map(\.0))
    func otherDeclarations(old: String) throws {
        let new = try #require(Self.replacements.first { $0.0 == old }).1
        try RichLibrary.execute(on: path) { database in
            try database.execute(
                sql: """
                    UPDATE sqlite_schema SET sql = replace(sql, :old, :new)
                    WHERE name = (SELECT min(name) FROM sqlite_schema WHERE instr(sql, :old) > 0)
                    """,
                arguments: ["old": old, "new": new])
            #expect(database.changesCount == 1)
        }
        try expectRefusal(old)
    }

    @Test("the error names the difference")
    func words() throws {
        try RichLibrary.execute(on: path) { database in
            try database.execute(sql: "CREATE VIEW spare AS SELECT 1; DROP INDEX asset_listed")
        }
        let error = try libraryError { try temporary.reopen().close() }
        #expect(error.message.contains("there is no index asset_listed"), "\(error)")
        try RichLibrary.execute(on: path) { database in
            try database.execute(sql: "DROP VIEW spare; CREATE VIEW \"a\u{202E}b\" AS SELECT 1")
        }
        #expect(try !libraryError { try temporary.reopen().close() }.message.contains("\u{202E}"))
    }

    @Test("equal declarations in the wording of another SQLite version are accepted")
    func otherWords() throws {
        try RichLibrary.execute(on: path) { database in
            try database.execute(
                sql: """
                    UPDATE sqlite_schema SET sql = replace(replace(sql, 'NOT NULL', 'not
                        /* nothing */ Null'), 'CREATE TABLE', 'create  -- a table
                        table') WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
                    """)
        }
        try temporary.reopen().close()
        // Simulates an SQLite that was built with more statistics.
        try RichLibrary.execute(on: path) { database in
            try database.execute(
                sql: """
                    INSERT INTO sqlite_schema SELECT type, 'sqlite_stat4', 'sqlite_stat4', rootpage,
                        'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)'
                    FROM sqlite_schema WHERE name = 'sqlite_stat1'
                    """)
        }
        try RichLibrary.execute(on: path) { database in
            let names = try SchemaSnapshot(database).objects.map(\.name)
            #expect(names.contains("sqlite_stat4"))
            try Schema.current.verify(database)
        }
    }

    @Test("a library whose creation was interrupted opens", arguments: 0...3)
    func interrupted(version: Int) throws {
        let folder = try TemporaryFolder()
        let layout = LibraryLayout(root: folder.file("Cut.editlibrary"))
        for name in ["", "/blobs", "/staging", "/cache"] {
            try FileManager.default.createDirectory(
                atPath: layout.root + name, withIntermediateDirectories: true)
        }
        let queue = try DatabaseQueue(path: layout.database)
        let steps = Array(Schema.current.steps.prefix(version))
        try Schema(steps: steps).migrator.migrate(queue)
        try queue.close()
        let library = try PhotoLibrary.open(at: layout.root)
        try library.importAsset("a")
        #expect(try library.check(readingDataOf: 100).severity == .clean)
    }

    @Test(
        "a library with only the migration table opens"
    )
    func interruptedBeforeFirstStep() throws {
        let folder = try TemporaryFolder()
        let layout = LibraryLayout(root: folder.file("Cut.editlibrary"))
        for name in ["", "/blobs", "/staging", "/cache"] {
            try FileManager.default.createDirectory(
                atPath: layout.root + name, withIntermediateDirectories: true)
        }
        let queue = try DatabaseQueue(path: layout.database)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { _ in throw CancellationError() }
        #expect(throws: CancellationError.self) { try migrator.migrate(queue) }
        #expect(try queue.read { try $0.tableExists("grdb_migrations") })
        try queue.close()
        let library = try PhotoLibrary.open(at: layout.root)
        try library.importAsset("a")
        #expect(try library.check(readingDataOf: 100).severity == .clean)
    }

    @Test("connections do not trust the schema")
    func settings() throws {
        let library = try temporary.reopen()
        let pool = try library.writer().0
        let settings = ["trusted_schema", "cell_size_check", "mmap_size"]
        func read(_ database: Database) throws -> [Int] {
            try settings.map { try database.value("PRAGMA \($0)") ?? -1 }
        }
        #expect(try pool.writeWithoutTransaction(read) == [0, 1, 0])
        #expect(try pool.read(read) == [0, 1, 0])
        // The library's own functions are available only to its own statements.
        try pool.writeWithoutTransaction { database in
            #expect(try database.value("SELECT text_contains('ab', 'a')") == 1)
            try database.execute(
                sql: "BEGIN; CREATE VIEW v AS SELECT text_contains('ab', 'a') AS x")
            #expect(throws: DatabaseError.self) {
                _ = try database.value("SELECT x FROM v", as: Int.self)
            }
            try database.execute(sql: "ROLLBACK")
        }
        try library.close()
    }
}
