// SPDX-License-Identifier: Apache-2.0

import GRDB

/// What GRDB reads of a row for us: a value, or that there is none of this type.
///
/// It is read while the statement stands on the row. A copied row has been converted already and
/// has nothing to read: go through rows with `Database.records`.
private struct Cell<Value: StoredValue>: DatabaseValueConvertible, StatementColumnConvertible {
    let value: Value?

    init(sqliteStatement: SQLiteStatement, index: CInt) {
        value = Value.read(sqliteStatement, index)
    }

    private init() { value = nil }

    static func fromStatement(_ statement: SQLiteStatement, atUncheckedIndex index: CInt) -> Cell? {
        Cell(sqliteStatement: statement, index: index)
    }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Cell? { Cell() }

    var databaseValue: DatabaseValue { .null }
}

extension Row {
    /// The value at a place, which must exist in the statement.
    ///
    /// - Throws: `LibraryError` with `damaged` where it is of another type, or cannot be.
    func value<Value: StoredValue>(_ index: Int, as type: Value.Type = Value.self) throws -> Value {
        if let value = try decode(Cell<Value>.self, atIndex: index).value { return value }
        throw damage(at: index)
    }

    /// The number at a place, which is one of these.
    ///
    /// - Throws: `LibraryError` with `damaged`.
    func value<Number: StoredValue & Comparable>(
        _ index: Int, in range: ClosedRange<Number>
    ) throws -> Number {
        let number: Number = try value(index)
        guard range.contains(number) else { throw damage(at: index) }
        return number
    }

    /// The length of a video in seconds; nil: none is said.
    ///
    /// - Throws: `LibraryError` with `damaged`.
    func optionalSeconds(_ index: Int) throws -> Double? {
        guard let seconds = try value(index, as: Double?.self) else { return nil }
        guard Limits.seconds.contains(seconds) else { throw damage(at: index) }
        return seconds
    }

    /// The number of a row.
    func rowNumber(_ index: Int) throws -> Int64 { try value(index, in: 1...Int64.max) }

    /// Says which value cannot be.
    func damage(at index: Int) -> LibraryError {
        let name = columnNames.dropFirst(index).first ?? "?"
        return LibraryError(
            .damaged,
            "the library's database has an invalid value, in column \(name); run edithost check")
    }
}

extension Database {
    /// Reads all rows that a query gives.
    func records<Record>(
        _ sql: String, _ arguments: StatementArguments = StatementArguments(),
        _ read: (Row) throws -> Record
    ) throws -> [Record] {
        try makeStatement(sql: sql).records(arguments, read)
    }

    /// Reads the first row that a query gives; nil where there is none.
    func record<Record>(
        _ sql: String, _ arguments: StatementArguments = StatementArguments(),
        _ read: (Row) throws -> Record
    ) throws -> Record? {
        try makeStatement(sql: sql).record(arguments, read)
    }

    /// The first column of all rows that a query gives.
    func values<Value: StoredValue>(
        _ sql: String, _ arguments: StatementArguments = StatementArguments(),
        as type: Value.Type = Value.self
    ) throws -> [Value] {
        try records(sql, arguments) { try $0.value(0) }
    }

    /// The first column of the first row that a query gives; nil where there is none.
    func value<Value: StoredValue>(
        _ sql: String, _ arguments: StatementArguments = StatementArguments(),
        as type: Value.Type = Value.self
    ) throws -> Value? {
        try record(sql, arguments) { try $0.value(0) }
    }
}

extension Statement {
    /// Runs `body` with each row that the query gives. The row is good for nothing afterwards.
    func forEachRow(
        _ arguments: StatementArguments = StatementArguments(), _ body: (Row) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(self, arguments: arguments)
        while let row = try rows.next() { try body(row) }
    }

    /// Reads all rows that the query gives.
    func records<Record>(
        _ arguments: StatementArguments = StatementArguments(), _ read: (Row) throws -> Record
    ) throws -> [Record] {
        var records: [Record] = []
        try forEachRow(arguments) { records.append(try read($0)) }
        return records
    }

    /// Reads the first row that the query gives; nil where there is none.
    func record<Record>(
        _ arguments: StatementArguments = StatementArguments(), _ read: (Row) throws -> Record
    ) throws -> Record? {
        let rows = try Row.fetchCursor(self, arguments: arguments)
        // The end of the cursor takes the statement off its row.
        return try withExtendedLifetime(rows) { try rows.next().map(read) }
    }

    /// The first column of all rows that the query gives.
    func values<Value: StoredValue>(
        _ arguments: StatementArguments = StatementArguments(), as type: Value.Type = Value.self
    ) throws -> [Value] {
        try records(arguments) { try $0.value(0) }
    }

    /// The first column of the first row that the query gives; nil where there is none.
    func value<Value: StoredValue>(
        _ arguments: StatementArguments = StatementArguments(), as type: Value.Type = Value.self
    ) throws -> Value? {
        try record(arguments) { try $0.value(0) }
    }
}
