// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The sort key of a row: the values of the order's terms. The last one is the row ID, so keys are
/// unique.
struct SortKey: Sendable {
    let values: [DatabaseValue]

    /// Whether a row with this key sorts before one with the other key, as in SQLite.
    func isBefore(_ other: SortKey, by terms: [SortTerm]) -> Bool {
        for (index, term) in terms.enumerated() {
            let (mine, others) = (values[index], other.values[index])
            let isLess = Self.isLess(mine, others, term)
            if isLess || Self.isLess(others, mine, term) { return isLess == term.isAscending }
        }
        return false
    }

    private static func isLess(
        _ left: DatabaseValue, _ right: DatabaseValue, _ term: SortTerm
    ) -> Bool {
        switch (left.storage, right.storage) {
        case (.int64(let left), .int64(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.string(let left), .string(let right)):
            left.utf8.lexicographicallyPrecedes(right.utf8) {
                term.ignoresCase ? lowercase($0) < lowercase($1) : $0 < $1
            }
        default: false
        }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }
}

extension Statement {
    /// Returns the sort keys of rows by row ID. The query must select the id first.
    func sortKeys(_ arguments: StatementArguments) throws -> [Int64: SortKey] {
        var keys: [Int64: SortKey] = [:]
        try forEachRow(arguments) { row in
            keys[try row.rowNumber(0)] = SortKey(values: Array(row.databaseValues.dropFirst()))
        }
        return keys
    }
}
