// SPDX-License-Identifier: Apache-2.0

/// A term of an order, for SQL and for comparisons in memory.
struct SortTerm: Hashable, Sendable {
    /// The column, or an expression of columns, which is never NULL.
    let column: String
    let isAscending: Bool
    /// Whether the case of ASCII letters is ignored.
    var ignoresCase = false

    /// The term for `ORDER BY`.
    var sql: String {
        column + (ignoresCase ? " COLLATE NOCASE" : "") + (isAscending ? " ASC" : " DESC")
    }
}
