// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import GRDB
import Synchronization

/// What decides whether the stored picture of an edited photograph is what its recipes give, without the recipes
/// themselves: to be read for very many at once.
package struct RenditionRecord: Sendable {
    /// One edit that is applied.
    package struct Step: Sendable {
        /// Its extension and its recipe's format, the same for the same ones.
        package let kind: String
        /// The hash of its recipe, as it was stored.
        package let recipe: String
    }

    /// The asset.
    package let assetIdentifier: String
    /// The hash of the original, which the chain starts from.
    package let original: SHA256Digest
    /// What of the original's facts decides how its renditions are encoded, the same for the same.
    package let originalKind: String
    /// The edits that are applied, lowest first.
    package let steps: [Step]
    /// The key of the stored picture.
    package let key: SHA256Digest
    /// What it was made of.
    package let ingredients: Data
    /// The hash of its bytes.
    package let blob: SHA256Digest
}

/// Which of some assets have no edits, and what is known of others.
package struct RenditionRecords: Sendable {
    /// Those in the state of their original.
    package let unedited: [String]
    /// Photographs whose picture comes from a stored original by recipes alone. Others, such as videos, Live Photos, edits with
    /// files or lossless results, are not among them: their histories say more.
    package let edited: [RenditionRecord]
}

extension PhotoLibrary {
    /// Assets in the order in which they lie in the database, so that many are read without coming back to a page.
    ///
    /// - Throws: `LibraryError`.
    package func inStorageOrder(_ identifiers: [String]) throws -> [String] {
        let wanted = String(decoding: try JSONEncoder().encode(identifiers), as: UTF8.self)
        return try read { database in
            try database.values(
                """
                SELECT asset.uuid FROM json_each(?) AS wanted
                CROSS JOIN asset ON asset.uuid = wanted.value ORDER BY asset.id
                """, [wanted], as: String.self)
        }
    }

    /// Reads what decides whether the pictures of assets are up to date; of each asset three rows at least, and no recipe.
    ///
    /// - Parameter identifiers: the assets, some thousand at a time.
    /// - Throws: `LibraryError`.
    package func renditionRecords(of identifiers: [String]) throws -> RenditionRecords {
        let wanted = String(decoding: try JSONEncoder().encode(identifiers), as: UTF8.self)
        return try read { database in
            var unedited: [String] = []
            var rows: [Int64] = []
            try database.cachedStatement(
                sql: """
                    SELECT asset.id, asset.uuid, position IS NULL FROM json_each(?) AS wanted
                    CROSS JOIN asset ON asset.uuid = wanted.value
                    """
            ).forEachRow([wanted]) { row in
                if try row.value(2) {
                    unedited.append(try row.value(1))
                } else {
                    rows.append(try row.rowNumber(0))
                }
            }
            let wanted = String(decoding: try JSONEncoder().encode(rows), as: UTF8.self)
            let edits = try EditRow.all(of: wanted, database)
            var edited: [RenditionRecord] = []
            try database.cachedStatement(sql: RenditionRecord.query).forEachRow([wanted]) { row in
                let tip = try row.rowNumber(2)
                guard let steps = EditRow.steps(to: tip, of: try row.rowNumber(0), in: edits)
                else { return }
                edited.append(
                    RenditionRecord(
                        assetIdentifier: try row.value(1), original: try row.value(3),
                        originalKind: try row.value(4), steps: steps, key: try row.value(5),
                        ingredients: try row.value(6), blob: try row.value(7)))
            }
            return RenditionRecords(unedited: unedited, edited: edited)
        }
    }
}

extension RenditionRecord {
    fileprivate static let query = """
        SELECT asset.id, asset.uuid, tip_id, resource.blob_hash,
            json_extract(facts, '$.format', '$.bitsPerSample', '$.isLossy', '$.hasAlpha',
                '$.hasFullChroma', '$.video'),
            rendition.key, ingredients, rendition.blob_hash
        FROM json_each(?) AS wanted
        CROSS JOIN asset ON asset.id = wanted.value
        CROSS JOIN state ON state.asset_id = asset.id AND state.position = asset.position
        CROSS JOIN resource ON resource.asset_id = asset.id AND is_primary = 1
        CROSS JOIN rendition ON edit_id = tip_id AND kind = 'current' AND part = 'photo'
        WHERE media_type = \(MediaType.image.rawValue) AND resource.blob_hash IS NOT NULL
            AND json_valid(facts)
        """
}

/// An edit, as far as it matters here.
private struct EditRow {
    let asset: Int64
    let parent: Int64?
    let kind: String?
    let recipe: String?
    let flags: Int

    private var isEnabled: Bool { flags & 1 != 0 }

    /// Whether nothing of it counts but its recipe.
    private var isPlain: Bool {
        flags & ~1 == 2 && (!isEnabled || kind != nil && recipe != nil)
    }

    static func all(of wanted: String, _ database: Database) throws -> [Int64: EditRow] {
        var edits: [Int64: EditRow] = [:]
        let statement = try database.cachedStatement(
            sql: """
                SELECT edit.id, edit.asset_id, parent_id,
                    CASE WHEN extension_identifier IS NOT NULL THEN quote(extension_identifier)
                        || quote(format_identifier) || quote(format_version) END,
                    adjustment_hash,
                    is_enabled + 2 * is_reproducible + 4 * covers_motion
                        + 8 * EXISTS (SELECT 1 FROM rendition
                            WHERE edit_id = edit.id AND kind = 'base')
                        + 16 * EXISTS (SELECT 1 FROM edit_file WHERE edit_id = edit.id)
                FROM json_each(?) AS wanted
                CROSS JOIN edit ON edit.asset_id = wanted.value
                """)
        try statement.forEachRow([wanted]) { row in
            edits[try row.rowNumber(0)] = EditRow(
                asset: try row.value(1), parent: try row.value(2), kind: try row.value(3),
                recipe: try row.value(4), flags: try row.value(5))
        }
        return edits
    }

    /// The edits that are applied, up to one of them; nil: there is more to them than their recipes.
    static func steps(
        to tip: Int64, of asset: Int64, in edits: [Int64: EditRow]
    ) -> [RenditionRecord.Step]? {
        var steps: [RenditionRecord.Step] = []
        var next: Int64? = tip
        while let id = next {
            guard let edit = edits[id], edit.asset == asset, edit.isPlain, edit.parent ?? 0 < id
            else { return nil }
            if edit.isEnabled, let kind = edit.kind, let recipe = edit.recipe {
                steps.append(RenditionRecord.Step(kind: kind, recipe: recipe))
            }
            next = edit.parent
        }
        return steps.reversed()
    }
}

/// Looks for many stored files, without opening any.
package final class BlobLookup: Sendable {
    private let store: BlobStore
    private let shards = Mutex<[Substring: Folder?]>([:])

    /// Looks in a library.
    package init(_ library: PhotoLibrary) { store = library.store }

    /// Whether there is a file of this name.
    package func contains(_ hash: SHA256Digest) -> Bool {
        let shard = shards.withLock { shards in
            let name = hash.hex.prefix(2)
            if let known = shards[name] { return known }
            let found = try? store.shard(of: hash)
            shards[name] = .some(found)
            return found
        }
        return ((try? shard?.status(hash.hex)) ?? nil)?.isPlainFile ?? false
    }
}
