// SPDX-License-Identifier: Apache-2.0

import GRDB
import Testing

@testable import Library

/// Statements that would never end.
@Suite("statement limit")
struct StatementLimitTests {
    /// A statement that counts to a number, using about seven instructions for each step.
    private static func counting(to end: String) -> String {
        """
        WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(end))
        SELECT count(*) FROM n
        """
    }

    @Test("a statement that would run forever is interrupted", arguments: [true, false])
    func endless(isReadOnly: Bool) throws {
        let temporary = try TemporaryLibrary()
        var options = PhotoLibrary.Options()
        options.isReadOnly = isReadOnly
        let library = try temporary.reopen(options)
        let error = try libraryError {
            _ = try library.read { try $0.value(Self.counting(to: "9e18"), as: Int.self) }
        }
        #expect(error.code == .damaged)
        // The connection remains usable.
        #expect(try library.read { try $0.value("SELECT count(*) FROM asset") } == 0)
    }

    @Test("each statement has the full limit regardless of earlier ones")
    func many() throws {
        let temporary = try TemporaryLibrary()
        let third = Int(StatementLimit.period) * StatementLimit.freePeriods / 20
        try temporary.library.read { database in
            for _ in 0..<4 {
                let count = try database.value(Self.counting(to: "\(third)"), as: Int.self)
                #expect(count == third)
            }
        }
    }

    @Test("foreign key actions count towards the statement that caused them")
    func nested() throws {
        let temporary = try TemporaryLibrary()
        let pool = try temporary.library.writer().0
        #expect(throws: DatabaseError.self) {
            try pool.writeWithoutTransaction { database in
                try database.execute(
                    sql: """
                        CREATE TEMP TABLE t (x);
                        CREATE TEMP TRIGGER again AFTER INSERT ON t WHEN new.x < 900 BEGIN
                            INSERT INTO t SELECT new.x + 1 FROM change_item LIMIT 1;
                            INSERT INTO t SELECT new.x + 1 WHERE (
                                WITH RECURSIVE n (x) AS (
                                    SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 500000)
                                SELECT count(*) FROM n) > 0;
                        END;
                        PRAGMA recursive_triggers = ON;
                        INSERT INTO t VALUES (0);
                        """)
            }
        }
    }
}
