// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

/// What a fetch result asks the library for. Rows are known by their numbers, of which none is
/// ever given twice.
protocol FetchQuery<Element>: Sendable {
    associatedtype Element: Sendable

    /// What the rows are, for the history of changes.
    var objectType: PersistentChange.ObjectType { get }
    /// The album whose members are asked for: a row that came into it, left it or was moved in it
    /// counts as changed. Nil where it is not about an album.
    var album: Int64? { get }

    /// The rows that the fetch finds, in order.
    func identifiers(_ database: Database) throws -> IdentifierList
    /// Reads rows; those that are not there any more are left out.
    func objects(_ identifiers: [Int64], _ database: Database) throws -> [Int64: Element]
    /// What stands for a row of which nothing is known but its identifier.
    func remnant(_ identifier: String) -> Element
    /// Which of these rows the fetch finds now, with what they are sorted by; nil where places
    /// cannot be told from that, so that everything has to be fetched again.
    func keys(of identifiers: [Int64], _ database: Database) throws -> [Int64: SortKey]?
    /// Whether a row of one key comes before one of another.
    func isBefore(_ left: SortKey, _ right: SortKey) -> Bool
}

extension FetchQuery {
    var album: Int64? { nil }

    func keys(of identifiers: [Int64], _ database: Database) throws -> [Int64: SortKey]? { nil }

    func isBefore(_ left: SortKey, _ right: SortKey) -> Bool { false }
}

/// Assets that are known before they are fetched, each once, in an order of their own.
struct GivenAssets: Sendable {
    /// A JSON array of what is known of them.
    let json: String
    private let column: String

    /// Takes the numbers of rows.
    init(rows: [Int64]) {
        json = rows.json
        column = "id"
    }

    /// Takes identifiers.
    init(identifiers: [String]) {
        let texts = (try? JSONEncoder().encode(identifiers)) ?? Data("[]".utf8)
        json = String(decoding: texts, as: UTF8.self)
        column = "uuid"
    }

    /// As `FROM` wants it, with the array for its question mark.
    var source: String { "json_each(?) AS given CROSS JOIN asset ON asset.\(column) = given.value" }
}
