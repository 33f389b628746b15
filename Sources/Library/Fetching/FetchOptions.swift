// SPDX-License-Identifier: Apache-2.0

/// Which assets a fetch gives, and in which order.
public struct FetchOptions: Hashable, Sendable {
    /// What assets can be sorted by.
    public enum SortKey: Hashable, Sendable {
        /// When they were taken; assets without a date come last, or first when descending.
        /// The file's time, the time of import and the identifier break ties, in this order.
        case creationDate
        /// When they came into the library.
        case addedDate
    }

    /// At most so many; 0 for no limit.
    public var fetchLimit = 0
    /// Whether hidden assets are given too.
    public var includeHiddenAssets = false
    /// What to sort by.
    public var sortKey = SortKey.creationDate
    /// Whether the earliest comes first.
    public var isAscending = true

    /// All visible assets, the earliest first.
    public init() {}

    /// The SQL after `FROM asset WHERE`, with `condition`.
    func sql(where condition: String) -> String {
        var conditions = [condition]
        if !includeHiddenAssets { conditions.append("is_hidden = 0") }
        let direction = isAscending ? "" : " DESC"
        let nulls = isAscending ? " NULLS LAST" : " NULLS FIRST"
        var columns = ["added_date", "uuid"]
        if sortKey == .creationDate { columns = ["creation_date", "file_date"] + columns }
        let order = columns.map { name in
            name + direction + (name.hasPrefix("creation") || name.hasPrefix("file") ? nulls : "")
        }
        var sql = conditions.joined(separator: " AND ")
        sql += " ORDER BY " + order.joined(separator: ", ")
        if fetchLimit > 0 { sql += " LIMIT \(fetchLimit)" }
        return sql
    }
}
