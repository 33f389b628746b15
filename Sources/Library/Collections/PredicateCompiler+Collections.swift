// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

extension PredicateCompiler {
    /// Returns the SQL of a condition on rows of the table of collections, in parentheses.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` if it is too large for SQLite.
    mutating func sql(_ predicate: CollectionPredicate, depth: Int = 0) throws -> String {
        try admit(depth: depth)
        switch predicate {
        case .and(let parts):
            return Self.joined(try parts.map { try sql($0, depth: depth + 1) }[...], "AND", "1")
        case .or(let parts):
            return Self.joined(try parts.map { try sql($0, depth: depth + 1) }[...], "OR", "0")
        case .not(let part): return "(NOT \(try sql(part, depth: depth + 1)))"
        case .text(.localIdentifier, let test): return "(\(text("uuid", test)))"
        case .text(.localizedTitle, let test): return "(\(text("title", test)))"
        case .date(_, let test): return test == .missing ? "(1)" : "(0)"
        case .estimatedAssetCount(let test):
            return "(\(value(CollectionSortDescriptor.countColumn, test) { $0 }))"
        }
    }
}
