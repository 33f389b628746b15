// SPDX-License-Identifier: Apache-2.0

import GRDB
import Testing

@testable import Library

/// The digest that identifies a library's structure when it is opened.
@Suite("schema digest")
struct SchemaDigestTests {
    private func made() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try Schema.current.migrator.migrate(queue)
        return queue
    }

    @Test("the digest matches what the migrations create")
    func current() throws {
        let digest = try made().read(SchemaSnapshot.digest)
        #expect(Schema.current.digest == digest, "the steps have changed: this is their digest now")
    }

    @Test("planner statistics tables do not change the digest")
    func statistics() throws {
        let queue = try made()
        try queue.write { try $0.execute(sql: "ANALYZE") }
        #expect(try queue.read(SchemaSnapshot.digest) == Schema.current.digest)
        try queue.read { try Schema.current.verify($0) }
    }

    @Test(
        "any other object changes the digest and is named",
        arguments: [
            "CREATE TABLE other (id)", "CREATE VIEW sqlite AS SELECT 1",
            "CREATE TRIGGER late AFTER INSERT ON asset BEGIN SELECT 1; END",
            "DROP INDEX", "ALTER TABLE asset ADD COLUMN other TEXT",
        ])
    func others(statement: String) throws {
        let queue = try made()
        if statement.hasPrefix("DROP") {
            let index = try queue.read {
                try String.fetchOne(
                    $0,
                    sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
            }
            try queue.write { try $0.execute(sql: "DROP INDEX \(try #require(index))") }
        } else {
            try queue.write { try $0.execute(sql: statement) }
        }
        #expect(try queue.read(SchemaSnapshot.digest) != Schema.current.digest)
        #expect(throws: LibraryError.self) { try queue.read { try Schema.current.verify($0) } }
    }

    @Test("a different list of versions is detected despite an equal digest")
    func steps() throws {
        let queue = try made()
        try queue.write {
            try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('10: not ours')")
        }
        #expect(throws: LibraryError.self) { try queue.read { try Schema.current.verify($0) } }
    }
}
