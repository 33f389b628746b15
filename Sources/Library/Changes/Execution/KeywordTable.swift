// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// The `keyword` table: the keywords of assets.
struct KeywordTable {
    let assets: AssetTable

    private var database: Database { assets.context.database }

    /// Inserts keywords of an asset. Existing ones are skipped.
    func insert(_ keywords: [String], asset id: Int64) throws {
        if keywords.isEmpty { return }
        let statement = try database.cachedStatement(
            sql: "INSERT INTO keyword (asset_id, text) VALUES (?, ?) ON CONFLICT DO NOTHING")
        for keyword in keywords { try statement.execute(arguments: [id, keyword]) }
    }

    /// Applies the additions and removals of a request, in order.
    func apply(
        _ changes: [AssetChangeRequest.KeywordChange], to id: Int64, _ identifier: String
    ) throws {
        if changes.isEmpty { return }
        var present = Set(try Keywords.fetch(ofRow: id, database))
        let before = present
        for change in changes { Self.apply(change, to: &present) }
        try Self.requireValid(Array(present), asset: identifier)
        if present == before { return }
        for keyword in before.subtracting(present) {
            try database.execute(
                sql: "DELETE FROM keyword WHERE asset_id = ? AND text = ?",
                arguments: [id, keyword])
            assets.recordValue(
                .keyword, item: .text(keyword), of: id, from: .number(1), to: .empty)
        }
        let added = present.subtracting(before).sorted()
        try insert(added, asset: id)
        for keyword in added {
            assets.recordValue(
                .keyword, item: .text(keyword), of: id, from: .empty, to: .number(1))
        }
        try assets.touch(id, identifier)
    }

    /// Applies a change. Keywords that differ only in Unicode composition are equal.
    private static func apply(
        _ change: AssetChangeRequest.KeywordChange, to present: inout Set<String>
    ) {
        switch change {
        case .add(let keyword):
            let hasName = present.contains { KeywordPath($0).name == keyword }
            if !hasName { present.insert(keyword) }
        case .remove(let keyword):
            // A name can contain the slash that otherwise separates levels.
            if present.remove(keyword) != nil { return }
            present = present.filter { !KeywordPath($0).isNamed(keyword) }
        case .replace(let removed, let added):
            present.subtract(removed)
            present.formUnion(added)
        case .rename(let names):
            present = Set(present.map { names[$0] ?? $0 })
        }
    }

    /// Throws `invalidRequest` if there are too many keywords or one cannot be stored unchanged.
    static func requireValid(_ keywords: [String], asset identifier: String) throws {
        guard keywords.count <= PhotoMetadata.maximumKeywords else {
            throw LibraryError(
                .invalidRequest,
                "too many keywords: \(keywords.count); at most "
                    + "\(PhotoMetadata.maximumKeywords) are allowed",
                asset: identifier)
        }
        for keyword in keywords where PhotoMetadata.text(keyword) != keyword {
            throw LibraryError(
                .invalidRequest,
                "a keyword must have 1 to \(PhotoMetadata.maximumTextLength) bytes without "
                    + "control characters or white space around it",
                asset: identifier)
        }
    }
}
