// SPDX-License-Identifier: Apache-2.0

import GRDB

/// A fetch of assets as SQL.
struct AssetQuery: Sendable {
    /// What is asked, after `WHERE`.
    private let condition: String
    private let order: String
    private let limit: String
    private let values: [DatabaseValue]

    /// The values of the question marks.
    var arguments: StatementArguments { StatementArguments(values) }

    /// - Parameter restriction: what the fetch itself asks for, beside its options.
    /// - Throws: `LibraryError` with `invalidRequest` where the predicate is too large.
    init(_ options: FetchOptions, restriction: AssetPredicate? = nil) throws {
        var compiler = PredicateCompiler()
        var conditions: [String] = []
        if let restriction { conditions.append(try compiler.sql(restriction)) }
        if let predicate = options.predicate { conditions.append(try compiler.sql(predicate)) }
        if !options.includeHiddenAssets { conditions.append("is_hidden = 0") }
        if options.includeAssetSourceTypes.rawValue != -1 {
            let types = compiler.argument(options.includeAssetSourceTypes.rawValue)
            conditions.append("source_type & \(types) <> 0")
        }
        if !options.includeAllBurstAssets { conditions.append(Self.chosenOfBursts) }
        condition = conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
        let isAscending = options.sortDescriptors.first?.isAscending ?? true
        var terms = options.sortDescriptors.flatMap(\.terms)
        // An index gives the first few in order at once. For all, it would look up every row in
        // the order of the dates, all over the file; the plus keeps SQLite from using it.
        if options.fetchLimit <= 0, let first = terms.first { terms[0] = "+" + first }
        order = (terms + [isAscending ? "id ASC" : "id DESC"]).joined(separator: ", ")
        limit = options.fetchLimit > 0 ? " LIMIT \(options.fetchLimit)" : ""
        values = compiler.arguments
    }

    private static let chosenOfBursts = """
        (burst_identifier IS NULL OR represents_burst = 1 \
        OR burst_selection_types & \(AssetBurstSelectionType.userPick.rawValue) <> 0 \
        OR NOT EXISTS (SELECT 1 FROM asset AS other \
        WHERE other.burst_identifier = asset.burst_identifier AND other.represents_burst = 1))
        """

    /// Selects the identifiers, in order.
    var identifiers: String {
        "SELECT uuid FROM asset WHERE \(condition) ORDER BY \(order)\(limit)"
    }

    /// Counts the assets.
    var count: String {
        limit.isEmpty
            ? "SELECT count(*) FROM asset WHERE \(condition)"
            : "SELECT count(*) FROM (SELECT 1 FROM asset WHERE \(condition)\(limit))"
    }
}
