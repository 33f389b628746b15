// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

extension AssetResource {
    /// Selects what `init(row:)` reads, of the originals and companions.
    static let query = select("facts")
    /// The same for many, when it is not asked what they show.
    static let queryWithoutFacts = select("NULL")

    private static func select(_ facts: String) -> String {
        """
        SELECT asset.uuid, type, resource.filename, resource.format, blob_hash, url, content_hash,
            ifnull(blob.size, content_size), content_date, \(facts), is_primary, resource.id
        FROM resource JOIN asset ON asset.id = asset_id LEFT JOIN blob ON hash = blob_hash
        """
    }

    /// Which rows are originals with the bytes of the hash `:hash`, stored or referenced. Each half
    /// has an index.
    static let isOriginalOfHash = """
        ((blob_hash = :hash AND is_primary = 1) OR (content_hash = :hash AND is_primary = 1))
        """

    /// Reads a row of `query`; throws `damaged`.
    init(row: Row) throws {
        assetLocalIdentifier = row[0]
        type = AssetResourceType(rawValue: row[1]) ?? .photo
        originalFilename = row[2]
        format = MediaFormat(rawValue: row[3]) ?? .unknown
        blob = (row[4] as String?).flatMap(SHA256Digest.init(hex:))
        url = row[5]
        contentHash = blob ?? (row[6] as String?).flatMap(SHA256Digest.init(hex:))
        size = row[7]
        contentDate = row[8]
        facts = try (row[9] as String?).map { try Self.facts($0, of: row[0]) }
        isPrimary = row[10]
    }

    private static func facts(_ text: String, of asset: String) throws -> PhotoFacts {
        do {
            return try JSONDecoder().decode(PhotoFacts.self, from: Data(text.utf8))
        } catch {
            throw LibraryError(
                .damaged, "the facts of a resource cannot be read; run check",
                assetIdentifier: asset, underlying: error)
        }
    }
}
