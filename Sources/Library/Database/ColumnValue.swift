// SPDX-License-Identifier: Apache-2.0

import GRDB

/// A column value as GRDB decodes it: a value, or nil if the column is not of this type.
///
/// Decode it while the statement is positioned on the row. A copied row holds converted values and
/// cannot be decoded; use `Database.records` to iterate over rows.
struct ColumnValue<Value: StoredValue>: DatabaseValueConvertible, StatementColumnConvertible {
    let value: Value?

    init(sqliteStatement: SQLiteStatement, index: CInt) {
        value = Value.read(sqliteStatement, index)
    }

    private init() { value = nil }

    static func fromStatement(_ statement: SQLiteStatement, atUncheckedIndex index: CInt)
        -> ColumnValue?
    {
        ColumnValue(sqliteStatement: statement, index: index)
    }

    static func fromDatabaseValue(_ value: DatabaseValue) -> ColumnValue? { ColumnValue() }

    var databaseValue: DatabaseValue { .null }
}
