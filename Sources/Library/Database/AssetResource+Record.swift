// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

extension AssetResource {
    /// Selects the columns that `init(row:)` reads, for originals and companions.
    static let query = select("facts")
    /// The same query without facts, for large numbers of resources.
    static let queryWithoutFacts = select("NULL")

    private static func select(_ facts: String) -> String {
        """
        SELECT asset.uuid, type, resource.filename, resource.format, blob_hash, url, content_hash,
            ifnull(blob.size, content_size), content_date, \(facts), is_primary, resource.id
        FROM resource JOIN asset ON asset.id = asset_id LEFT JOIN blob ON hash = blob_hash
        """
    }

    /// A condition on rows of originals with the hash `:hash`, stored or referenced. Each half has
    /// an index.
    static let isOriginalOfHash = """
        ((blob_hash = :hash AND is_primary = 1) OR (content_hash = :hash AND is_primary = 1))
        """

    /// Creates a resource from a row of `query`. Throws `damaged`.
    init(row: Row) throws {
        let asset: String = try row.value(0)
        assetLocalIdentifier = asset
        type = try row.value(1)
        originalFilename = try row.value(2)
        format = try row.value(3)
        blob = try row.value(4)
        url = try row.value(5)
        contentHash = try blob ?? row.value(6)
        size = try row.value(7)
        if let size, !StoredValueLimits.bytes.contains(size) { throw row.damage(at: 7) }
        contentDate = try row.value(8)
        facts = try row.value(9, as: FactsText?.self).map { try Self.facts($0.text, of: asset) }
        isPrimary = try row.value(10)
    }

    private static func facts(_ text: String, of asset: String) throws -> PhotoFacts {
        do {
            return try JSONDecoder().decode(PhotoFacts.self, from: Data(text.utf8))
        } catch {
            throw LibraryError(
                .damaged,
                "the stored metadata of one of its files cannot be read; run edithost check",
                asset: asset, underlying: error)
        }
    }
}
