// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The SQL of an asset fetch.
struct AssetQuery: FetchQuery {
    typealias Element = Asset

    let album: Int64?
    /// Assets that are already known, in an order of their own.
    private let given: PreselectedAssets?
    /// The SQL after `WHERE`.
    private let condition: String
    private let values: [DatabaseValue]
    private let terms: [SortTerm]
    private let fetchLimit: Int
    /// Whether the query has to read the rows of all assets.
    private let looksAtAll: Bool

    var objectType: PersistentChange.ObjectType { .asset }
    /// The arguments of the statement's placeholders.
    var arguments: StatementArguments { StatementArguments(givenValues + values) }
    private var givenValues: [DatabaseValue] { given.map { [$0.json.databaseValue] } ?? [] }

    /// - Parameters:
    ///   - restriction: The condition of the fetch itself, in addition to its options.
    ///   - album: The row of the album to fetch the members of. The album's order is the default.
    ///   - given: The assets to select from. Their order is the default.
    /// - Throws: `LibraryError` with `invalidRequest` if the predicate is too large.
    init(
        _ options: FetchOptions, restriction: AssetPredicate? = nil, album: Int64? = nil,
        given: PreselectedAssets? = nil
    ) throws {
        self.album = album
        self.given = given
        var compiler = PredicateCompiler([restriction, options.predicate].compactMap(\.self))
        var conditions: [String] = []
        if let album { conditions.append("album_id = \(compiler.argument(album))") }
        if let restriction { conditions.append(try compiler.sql(restriction)) }
        if let predicate = options.predicate { conditions.append(try compiler.sql(predicate)) }
        let visibility = Self.visibility(options, &compiler)
        conditions += visibility
        condition = conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
        values = compiler.arguments
        // Indexes contain only `trashed_date` and the combined column `is_listed`.
        let hasColumn =
            visibility.isEmpty || visibility == ["is_listed = 1"] || visibility == [Self.notTrashed]
        looksAtAll = options.fetchLimit <= 0 && (compiler.readsRows || !hasColumn)
        let ownOrder = album != nil ? "album_member.rank" : given != nil ? "given.key" : nil
        terms = Self.terms(options.sortDescriptors, ownOrder: ownOrder)
        fetchLimit = max(0, options.fetchLimit)
    }

    /// The visibility conditions. The default combination is a single indexed column.
    private static func visibility(
        _ options: FetchOptions, _ compiler: inout PredicateCompiler
    ) -> [String] {
        let sources = options.includeAssetSourceTypes
        if !options.includeHiddenAssets, !options.includeTrashedAssets,
            !options.includeAllBurstAssets, sources == .userLibrary
        {
            // A date index is fast for the first few rows. To read all rows, SQLite would look up
            // each one at a random position in the file. The unary plus prevents SQLite from using
            // the index.
            let looksAtAll = options.fetchLimit <= 0 && compiler.readsRows
            return [looksAtAll ? "+is_listed = 1" : "is_listed = 1"]
        }
        var conditions: [String] = []
        if !options.includeHiddenAssets { conditions.append("is_hidden = 0") }
        if sources.rawValue != -1 {
            conditions.append("source_type & \(compiler.argument(sources.rawValue)) <> 0")
        }
        if !options.includeAllBurstAssets { conditions.append(chosenOfBursts) }
        if !options.includeTrashedAssets {
            // The index by date helps only if no other condition selects fewer rows. The unary plus
            // prevents SQLite from using it.
            let isIndexed =
                conditions.isEmpty && !compiler.isRare
                && (options.fetchLimit > 0 || !compiler.readsRows)
            conditions.append(isIndexed ? notTrashed : "+" + notTrashed)
        }
        return conditions
    }

    private static let notTrashed = "trashed_date IS NULL"
    private static let chosenOfBursts = """
        (burst_identifier IS NULL OR represents_burst = 1 \
        OR burst_selection_types & \(AssetBurstSelectionType.userPick.rawValue) <> 0)
        """

    private static func terms(
        _ descriptors: [AssetSortDescriptor]?, ownOrder: String?
    ) -> [SortTerm] {
        if let ownOrder, descriptors == nil {
            return [SortTerm(column: ownOrder, isAscending: true)]
        }
        let descriptors = descriptors ?? [AssetSortDescriptor(.creationDate)]
        let isAscending = descriptors.first?.isAscending ?? true
        return descriptors.flatMap(\.terms)
            + [SortTerm(column: "asset.id", isAscending: isAscending)]
    }

    /// The `FROM` clause. The cross join forces SQLite to look up members by their album.
    private var source: String {
        if let given { return given.source }
        return album == nil ? "asset" : "album_member CROSS JOIN asset ON asset.id = asset_id"
    }

    /// The `FROM` clause if some rows are known. The cross join starts from these.
    private var sourceOfSome: String {
        if let given { return given.source }
        return album == nil ? "asset" : "asset CROSS JOIN album_member ON asset_id = asset.id"
    }

    private var order: String {
        var terms = terms.map(\.sql)
        if looksAtAll, album == nil, given == nil { terms[0] = "+" + terms[0] }
        return terms.joined(separator: ", ")
    }

    private var limit: String { fetchLimit > 0 ? " LIMIT \(fetchLimit)" : "" }

    /// Selects the row IDs, in order.
    var identifiers: String {
        "SELECT asset.id FROM \(source) WHERE \(condition) ORDER BY \(order)\(limit)"
    }

    /// Counts the matching assets.
    var count: String {
        limit.isEmpty
            ? "SELECT count(*) FROM \(source) WHERE \(condition)"
            : "SELECT count(*) FROM (SELECT 1 FROM \(source) WHERE \(condition)\(limit))"
    }

    // MARK: - Reading

    func identifiers(_ database: Database) throws -> IdentifierList {
        let statement = try database.cachedStatement(sql: identifiers)
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        return try IdentifierList { try rows.next()?.rowNumber(0) }
    }

    func objects(_ identifiers: [Int64], _ database: Database) throws -> [Int64: Asset] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(Asset.columns), id FROM asset
                WHERE id IN (SELECT value FROM json_each(?))
                """)
        var found = [Int64: Asset](minimumCapacity: identifiers.count)
        try statement.forEachRow([identifiers.json]) { row in
            found[try row.rowNumber(Asset.columnCount)] = try Asset(row: row)
        }
        return found
    }

    func remnant(_ identifier: String) -> Asset { Asset(removed: identifier) }

    func keys(of identifiers: [Int64], _ database: Database) throws -> [Int64: SortKey]? {
        // With a limit, a row that leaves the result makes room for another row that has not itself
        // changed.
        if fetchLimit > 0 { return nil }
        let columns = terms.map(\.column).joined(separator: ", ")
        let statement = try database.cachedStatement(
            sql: """
                SELECT asset.id, \(columns) FROM \(sourceOfSome)
                WHERE asset.id IN (SELECT value FROM json_each(?)) AND (\(condition))
                """)
        let arguments = StatementArguments(
            givenValues + [identifiers.json.databaseValue] + values)
        return try statement.sortKeys(arguments)
    }

    /// Whether a row with the left key sorts before one with the right key.
    func isBefore(_ left: SortKey, _ right: SortKey) -> Bool { left.isBefore(right, by: terms) }
}
