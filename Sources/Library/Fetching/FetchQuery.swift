// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The database query behind a fetch result. Rows are identified by their ids, which are never
/// reused.
protocol FetchQuery<Element>: Sendable {
    associatedtype Element: Sendable

    /// The type of the rows in the change history.
    var objectType: PersistentChange.ObjectType { get }
    /// The album whose members are fetched, or nil. A row that was added to it, removed from it or
    /// moved in it counts as changed.
    var album: Int64? { get }

    /// Returns the ids of the matching rows, in order.
    func identifiers(_ database: Database) throws -> IdentifierList
    /// Reads rows. Deleted ones are omitted.
    func objects(_ identifiers: [Int64], _ database: Database) throws -> [Int64: Element]
    /// Returns a placeholder for a deleted row of which only the identifier is known.
    func remnant(_ identifier: String) -> Element
    /// Returns those of the given rows that currently match, with their sort keys. Returns nil if
    /// positions cannot be derived from the keys, so the whole fetch has to be repeated.
    func keys(of identifiers: [Int64], _ database: Database) throws -> [Int64: SortKey]?
    /// Whether a row with the left key sorts before one with the right key.
    func isBefore(_ left: SortKey, _ right: SortKey) -> Bool
}

extension FetchQuery {
    var album: Int64? { nil }

    func keys(of identifiers: [Int64], _ database: Database) throws -> [Int64: SortKey]? { nil }

    func isBefore(_ left: SortKey, _ right: SortKey) -> Bool { false }
}
