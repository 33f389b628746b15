// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB
import GRDBSQLite

/// A type that a database column can store.
///
/// Libraries are untrusted, so values are decoded strictly: a value must have the requested type,
/// otherwise reading it throws `damaged`. SQLite would convert a text to a number, and GRDB would
/// trap on NULL.
protocol StoredValue {
    /// Returns the value of a column in the statement's current row, or nil if it has another type.
    static func read(_ statement: SQLiteStatement, _ column: CInt) -> Self?
}

extension StoredValue {
    /// Whether a column has a value of one of SQLite's types.
    fileprivate static func has(
        _ type: CInt, _ statement: SQLiteStatement, _ column: CInt
    ) -> Bool {
        sqlite3_column_type(statement, column) == type
    }
}

extension Int64: StoredValue {
    static func read(_ statement: SQLiteStatement, _ column: CInt) -> Int64? {
        guard has(SQLITE_INTEGER, statement, column) else { return nil }
        return sqlite3_column_int64(statement, column)
    }
}

extension Int: StoredValue {
    static func read(_ statement: SQLiteStatement, _ column: CInt) -> Int? {
        Int64.read(statement, column).flatMap { Int(exactly: $0) }
    }
}

extension Bool: StoredValue {
    static func read(_ statement: SQLiteStatement, _ column: CInt) -> Bool? {
        switch Int64.read(statement, column) {
        case 0: false
        case 1: true
        default: nil
        }
    }
}

extension Double: StoredValue {
    /// Returns a finite number.
    static func read(_ statement: SQLiteStatement, _ column: CInt) -> Double? {
        guard has(SQLITE_FLOAT, statement, column) else { return nil }
        let number = sqlite3_column_double(statement, column)
        return number.isFinite ? number : nil
    }
}

extension String: StoredValue {
    /// Returns well-formed UTF-8 without NUL, of at most `StoredValueLimits.text` bytes.
    static func read(_ statement: SQLiteStatement, _ column: CInt) -> String? {
        read(statement, column, limit: StoredValueLimits.text)
    }

    static func read(
        _ statement: SQLiteStatement, _ column: CInt, limit: Int
    ) -> String? {
        guard has(SQLITE_TEXT, statement, column),
            let bytes = sqlite3_column_text(statement, column)
        else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        guard count <= limit else { return nil }
        let text = UnsafeBufferPointer(start: bytes, count: count)
        guard !text.contains(0) else { return nil }
        return String(validating: text, as: UTF8.self)
    }
}

extension Data: StoredValue {
    /// Returns at most `StoredValueLimits.data` bytes.
    static func read(_ statement: SQLiteStatement, _ column: CInt) -> Data? {
        guard has(SQLITE_BLOB, statement, column) else { return nil }
        guard let bytes = sqlite3_column_blob(statement, column) else { return Data() }
        let count = Int(sqlite3_column_bytes(statement, column))
        return count <= StoredValueLimits.data ? Data(bytes: bytes, count: count) : nil
    }
}

extension SHA256Digest: StoredValue {
    /// Returns a hash from 64 hexadecimal digits.
    static func read(_ statement: SQLiteStatement, _ column: CInt) -> SHA256Digest? {
        String.read(statement, column).flatMap(SHA256Digest.init(hex:))
    }
}

extension Date: StoredValue {
    /// Returns a date from microseconds since 1970, in the range of dates that can be formatted.
    static func read(_ statement: SQLiteStatement, _ column: CInt) -> Date? {
        guard let value = Int64.read(statement, column), storable.contains(value) else {
            return nil
        }
        return Date(microseconds: value)
    }

    /// The years 0 to 10,000: slightly more than can be formatted, for clocks ahead of UTC or
    /// behind.
    static let storable: ClosedRange<Int64> = -62_167_219_200_000_000...253_433_836_800_000_000
}

extension Optional: StoredValue where Wrapped: StoredValue {
    /// Returns `.some(nil)` for NULL, or a value.
    static func read(_ statement: SQLiteStatement, _ column: CInt) -> Wrapped?? {
        guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return .some(nil) }
        // An unreadable value must not become NULL, as an implicit conversion would make it.
        guard let value = Wrapped.read(statement, column) else { return nil }
        return .some(.some(value))
    }
}

extension MediaType: StoredRawValue {}

extension MediaSubtype: StoredRawValue {}

extension MediaFormat: StoredRawValue {}

extension AssetSourceType: StoredRawValue {}

extension AssetResourceType: StoredRawValue {}

extension AssetBurstSelectionType: StoredRawValue {}

extension Rendition.Kind: StoredRawValue {}

extension Rendition.Part: StoredRawValue {}
