// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB
import GRDBSQLite

/// A type that is stored as its raw value.
protocol StoredRawValue: StoredValue, RawRepresentable where RawValue: StoredValue {}

extension StoredRawValue {
    static func read(_ statement: SQLiteStatement, _ column: CInt) -> Self? {
        RawValue.read(statement, column).flatMap { Self(rawValue: $0) }
    }
}
