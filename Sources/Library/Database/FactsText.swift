// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB
import GRDBSQLite

/// The facts about a file, as JSON. It may be longer than any other text.
struct FactsText: StoredValue {
    let text: String

    static func read(_ statement: SQLiteStatement, _ column: CInt) -> FactsText? {
        String.read(statement, column, limit: StoredValueLimits.facts).map { FactsText(text: $0) }
    }
}
