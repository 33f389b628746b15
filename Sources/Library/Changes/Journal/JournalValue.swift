// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite

/// A value of a property in the journal: nothing, a number or a text.
enum JournalValue: Hashable, Sendable {
    case empty
    case number(Int64)
    case text(String)

    /// The value as a number; nil if it is not one.
    var number: Int64? { if case .number(let number) = self { number } else { nil } }
    /// The value as a text; nil if it is not one.
    var text: String? { if case .text(let text) = self { text } else { nil } }

    init(_ number: Int64?) { self = number.map(Self.number) ?? .empty }

    init(_ text: String?) { self = text.map(Self.text) ?? .empty }

    /// 1 for true, empty for false.
    init(_ flag: Bool) { self = flag ? .number(1) : .empty }
}

extension JournalValue: StoredValue {
    /// Returns nil for bytes, for a fraction, and for a text that no property can have.
    static func read(_ statement: SQLiteStatement, _ column: CInt) -> JournalValue? {
        if let number = Int64?.read(statement, column) { return JournalValue(number) }
        return String.read(statement, column).map(JournalValue.text)
    }
}

extension JournalValue: DatabaseValueConvertible {
    var databaseValue: DatabaseValue {
        switch self {
        case .empty: .null
        case .number(let number): number.databaseValue
        case .text(let text): text.databaseValue
        }
    }

    static func fromDatabaseValue(_ value: DatabaseValue) -> JournalValue? {
        switch value.storage {
        case .null: JournalValue.empty
        case .int64(let number): .number(number)
        case .string(let text): .text(text)
        case .double, .blob: nil
        }
    }
}
