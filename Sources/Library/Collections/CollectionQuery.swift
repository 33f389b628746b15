// SPDX-License-Identifier: Apache-2.0

import GRDB

/// A fetch of albums, folders or both as SQL.
struct CollectionQuery<Element: Sendable>: FetchQuery {
    /// What is asked, after `WHERE`.
    let condition: String
    /// The values of its question marks.
    let values: [DatabaseValue]
    /// Whether they come in the order of their folder, rather than in that in which they were
    /// made.
    let isRanked: Bool
    /// Makes an object of a row that selects the columns of ``PhotoCollection``.
    let object: @Sendable (Row) throws -> Element
    /// Makes what stands for one of which nothing is known but its identifier.
    let removed: @Sendable (String) -> Element

    var objectType: PersistentChange.ObjectType { .collection }

    private var terms: [SortTerm] {
        (isRanked ? ["rank", "id"] : ["id"]).map { SortTerm(column: $0, isAscending: true) }
    }

    func identifiers(_ database: Database) throws -> IdentifierList {
        let order = terms.map(\.sql).joined(separator: ", ")
        let rows = try database.records(
            "SELECT id FROM collection WHERE \(condition) ORDER BY \(order)",
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
    /// Albums, in the order in which they were made.
    init(albums condition: String, _ values: [DatabaseValue] = []) {
        self.init(
            condition: "kind = 'album' AND \(condition)", values: values, isRanked: false,
            object: { try AssetCollection(row: $0) }, removed: { AssetCollection(removed: $0) })
    }
}

extension CollectionQuery where Element == CollectionList {
    /// Folders, in the order in which they were made.
    init(folders condition: String, _ values: [DatabaseValue] = []) {
        self.init(
            condition: "kind = 'folder' AND \(condition)", values: values, isRanked: false,
            object: { try CollectionList(row: $0) }, removed: { CollectionList(removed: $0) })
    }
}

extension CollectionQuery where Element == PhotoCollection {
    /// What lies in a folder, in its order; nil is the top.
    init(in folder: Int64?) {
        self.init(
            condition: "parent_id IS ?", values: [folder.databaseValue], isRanked: true,
            object: { try PhotoCollection(row: $0) },
            removed: { .assetCollection(AssetCollection(removed: $0)) })
    }
}
