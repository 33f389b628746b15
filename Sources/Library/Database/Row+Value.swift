// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Row {
    /// Returns the value at an index, which must exist in the statement.
    ///
    /// - Throws: `LibraryError` with `damaged` if the value is of another type or invalid.
    func value<Value: StoredValue>(_ index: Int, as type: Value.Type = Value.self) throws -> Value {
        if let value = try decode(ColumnValue<Value>.self, atIndex: index).value { return value }
        throw damage(at: index)
    }

    /// Returns the number at an index, which must be in a range.
    ///
    /// - Throws: `LibraryError` with `damaged`.
    func value<Number: StoredValue & Comparable>(
        _ index: Int, in range: ClosedRange<Number>
    ) throws -> Number {
        let number: Number = try value(index)
        guard range.contains(number) else { throw damage(at: index) }
        return number
    }

    /// Returns the duration of a video in seconds, or nil if it is unknown.
    ///
    /// - Throws: `LibraryError` with `damaged`.
    func optionalSeconds(_ index: Int) throws -> Double? {
        guard let seconds = try value(index, as: Double?.self) else { return nil }
        guard StoredValueLimits.seconds.contains(seconds) else { throw damage(at: index) }
        return seconds
    }

    /// Returns the row ID at an index.
    func rowNumber(_ index: Int) throws -> Int64 { try value(index, in: 1...Int64.max) }

    /// Returns the error for an invalid value, with the name of its column.
    func damage(at index: Int) -> LibraryError {
        let name = columnNames.dropFirst(index).first ?? "?"
        return LibraryError(
            .damaged,
            "the library's database has an invalid value, in column \(name); run edithost check")
    }
}

extension Database {
    /// Returns all rows of a query, converted by `read`.
    func records<Record>(
        _ sql: String, _ arguments: StatementArguments = StatementArguments(),
        _ read: (Row) throws -> Record
    ) throws -> [Record] {
        try makeStatement(sql: sql).records(arguments, read)
    }

    /// Returns the first row of a query, converted by `read`, or nil if there is none.
    func record<Record>(
        _ sql: String, _ arguments: StatementArguments = StatementArguments(),
        _ read: (Row) throws -> Record
    ) throws -> Record? {
        try makeStatement(sql: sql).record(arguments, read)
    }

    /// Returns the first column of all rows of a query.
    func values<Value: StoredValue>(
        _ sql: String, _ arguments: StatementArguments = StatementArguments(),
        as type: Value.Type = Value.self
    ) throws -> [Value] {
        try records(sql, arguments) { try $0.value(0) }
    }

    /// Returns the first column of the first row of a query, or nil if there is none.
    func value<Value: StoredValue>(
        _ sql: String, _ arguments: StatementArguments = StatementArguments(),
        as type: Value.Type = Value.self
    ) throws -> Value? {
        try record(sql, arguments) { try $0.value(0) }
    }
}

extension Statement {
    /// Calls `body` with each row of the query. The row is invalid afterwards.
    func forEachRow(
        _ arguments: StatementArguments = StatementArguments(), _ body: (Row) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(self, arguments: arguments)
        while let row = try rows.next() { try body(row) }
    }

    /// Returns all rows of the query, converted by `read`.
    func records<Record>(
        _ arguments: StatementArguments = StatementArguments(), _ read: (Row) throws -> Record
    ) throws -> [Record] {
        var records: [Record] = []
        try forEachRow(arguments) { records.append(try read($0)) }
        return records
    }

    /// Returns the first row of the query, converted by `read`, or nil if there is none.
    func record<Record>(
        _ arguments: StatementArguments = StatementArguments(), _ read: (Row) throws -> Record
    ) throws -> Record? {
        let rows = try Row.fetchCursor(self, arguments: arguments)
        // The deinitialized cursor would reset the statement, and with it the row.
        return try withExtendedLifetime(rows) { try rows.next().map(read) }
    }

    /// Returns the first column of all rows of the query.
    func values<Value: StoredValue>(
        _ arguments: StatementArguments = StatementArguments(), as type: Value.Type = Value.self
    ) throws -> [Value] {
        try records(arguments) { try $0.value(0) }
    }

    /// Returns the first column of the first row of the query, or nil if there is none.
    func value<Value: StoredValue>(
        _ arguments: StatementArguments = StatementArguments(), as type: Value.Type = Value.self
    ) throws -> Value? {
        try record(arguments) { try $0.value(0) }
    }
}
