// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The SQL of a fetch of albums, folders or both.
struct CollectionQuery<Element: Sendable>: FetchQuery {
    /// The SQL after `WHERE`.
    private let condition: String
    /// The arguments of the condition's placeholders.
    private let values: [DatabaseValue]
    private let terms: [SortTerm]
    private let fetchLimit: Int
    /// Creates an object from a row with the columns of ``PhotoCollection``.
    private let object: @Sendable (Row) throws -> Element
    /// Creates a placeholder for a deleted row of which only the identifier is known.
    private let removed: @Sendable (String) -> Element

    var objectType: PersistentChange.ObjectType { .collection }

    /// - Parameters:
    ///   - restriction: The condition of the fetch itself, in addition to its options.
    ///   - order: The columns of the default order.
    /// - Throws: `LibraryError` with `invalidRequest` if the predicate is too large.
    fileprivate init(
        _ restriction: String, _ values: [DatabaseValue], order: [String],
        _ options: CollectionFetchOptions, object: @escaping @Sendable (Row) throws -> Element,
        removed: @escaping @Sendable (String) -> Element
    ) throws {
        var compiler = PredicateCompiler()
        let asked = try options.predicate.map { " AND \(try compiler.sql($0))" } ?? ""
        condition = "(\(restriction))\(asked)"
        self.values = values + compiler.arguments
        terms = options.terms(own: order)
        fetchLimit = max(0, options.fetchLimit)
        self.object = object
        self.removed = removed
    }

    func identifiers(_ database: Database) throws -> IdentifierList {
        let order = terms.map(\.sql).joined(separator: ", ")
        let limit = fetchLimit > 0 ? " LIMIT \(fetchLimit)" : ""
        let rows = try database.records(
            "SELECT id FROM collection WHERE \(condition) ORDER BY \(order)\(limit)",
            StatementArguments(values)
        ) { try $0.rowNumber(0) }
        return IdentifierList(rows)
    }

    func objects(_ identifiers: [Int64], _ database: Database) throws -> [Int64: Element] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(PhotoCollection.columns) FROM collection
                WHERE id IN (SELECT value FROM json_each(?))
                """)
        var found: [Int64: Element] = [:]
        try statement.forEachRow([identifiers.json]) { row in
            found[try row.rowNumber(0)] = try object(row)
        }
        return found
    }

    func remnant(_ identifier: String) -> Element { removed(identifier) }

    func keys(of identifiers: [Int64], _ database: Database) throws -> [Int64: SortKey]? {
        // With a limit, a row that leaves the result makes room for another row that has not itself
        // changed.
        if fetchLimit > 0 { return nil }
        let statement = try database.cachedStatement(
            sql: """
                SELECT id, \(terms.map(\.column).joined(separator: ", ")) FROM collection
                WHERE id IN (SELECT value FROM json_each(?)) AND (\(condition))
                """)
        let arguments = StatementArguments([identifiers.json.databaseValue] + values)
        return try statement.sortKeys(arguments)
    }

    func isBefore(_ left: SortKey, _ right: SortKey) -> Bool { left.isBefore(right, by: terms) }
}

extension CollectionQuery where Element == AssetCollection {
    /// Creates a query for albums, by default in creation order.
    init(
        albums condition: String, _ values: [DatabaseValue], _ options: CollectionFetchOptions
    ) throws {
        try self.init(
            "kind = 'album' AND \(condition)", values, order: ["id"], options,
            object: { try AssetCollection(row: $0) }, removed: { AssetCollection(removed: $0) })
    }
}

extension CollectionQuery where Element == CollectionList {
    /// Creates a query for folders, by default in creation order.
    init(
        folders condition: String, _ values: [DatabaseValue], _ options: CollectionFetchOptions
    ) throws {
        try self.init(
            "kind = 'folder' AND \(condition)", values, order: ["id"], options,
            object: { try CollectionList(row: $0) }, removed: { CollectionList(removed: $0) })
    }
}

extension CollectionQuery where Element == PhotoCollection {
    /// Creates a query for the contents of a folder, by default in its own order; nil is the top
    /// level.
    init(in folder: Int64?, _ options: CollectionFetchOptions) throws {
        try self.init(
            "parent_id IS ?", [folder.databaseValue], order: ["rank", "id"], options,
            object: { try PhotoCollection(row: $0) },
            removed: { .assetCollection(AssetCollection(removed: $0)) })
    }
}
