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
        /// Its extension and its recipe's format, the same for the same ones: ``Edit/surveyedKind``.
        package let kind: String
        /// The hash of its recipe, as it was stored.
        package let recipe: String
    }

    /// The asset.
    package let asset: SurveyedAsset
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

    /// The asset's identifier.
    package var assetIdentifier: String { asset.identifier }
}

/// An asset, as a survey meets it.
package struct SurveyedAsset: Hashable, Sendable {
    /// Its row.
    package let row: Int64
    /// Its identifier.
    package let identifier: String
    /// The number of its last change; nil: a survey has found it up to date since.
    package let change: Int64?
}

/// Which of some assets have no edits, and what is known of others.
package struct RenditionRecords: Sendable {
    /// The stamp of the stored survey when all of this was read.
    package let stamp: Int64?
    /// Those that an earlier survey has found up to date, and whether they have edits. They are in neither of the others.
    package let upToDate: [(asset: SurveyedAsset, isEdited: Bool)]
    /// Those in the state of their original.
    package let unedited: [SurveyedAsset]
    /// Photographs whose picture comes from a stored original by recipes alone. Others, such as videos, Live Photos, edits with
    /// files or lossless results, are not among them: their histories say more.
    package let edited: [RenditionRecord]
}

extension PhotoLibrary {
    /// Assets that are asked for.
    package enum WantedAssets: Sendable {
        case identifiers([String])
        case rows([Int64])

        /// How many they are.
        package var count: Int {
            switch self {
            case .identifiers(let identifiers): identifiers.count
            case .rows(let rows): rows.count
            }
        }

        fileprivate var column: String {
            switch self {
            case .identifiers: "uuid"
            case .rows: "id"
            }
        }

        fileprivate var json: String {
            get throws {
                switch self {
                case .identifiers(let identifiers):
                    String(decoding: try JSONEncoder().encode(identifiers), as: UTF8.self)
                case .rows(let rows): rows.json
                }
            }
        }
    }

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

    /// Reads what decides whether the pictures of assets are up to date; of each asset that was not surveyed three rows at
    /// least, and no recipe.
    ///
    /// - Parameters:
    ///   - wanted: the assets, some thousand at a time.
    ///   - suspects: the rows of assets that have to be looked at although an earlier survey has found them up to date; nil: all
    ///     have.
    /// - Throws: `LibraryError`.
    package func renditionRecords(
        of wanted: WantedAssets, suspects: Set<Int64>? = nil
    ) throws -> RenditionRecords {
        let json = try wanted.json
        return try read { database in
            var upToDate: [(SurveyedAsset, Bool)] = []
            var unedited: [SurveyedAsset] = []
            var edited: [Int64: SurveyedAsset] = [:]
            try database.cachedStatement(
                sql: """
                    SELECT asset.id, asset.uuid, change, position IS NULL FROM json_each(?) AS wanted
                    CROSS JOIN asset ON asset.\(wanted.column) = wanted.value
                    LEFT JOIN unsurveyed ON unsurveyed.asset = asset.id
                    """
            ).forEachRow([json]) { row in
                let asset = SurveyedAsset(
                    row: try row.rowNumber(0), identifier: try row.value(1),
                    change: try row.value(2))
                let isUnedited: Bool = try row.value(3)
                if asset.change == nil, let suspects, !suspects.contains(asset.row) {
                    upToDate.append((asset, !isUnedited))
                } else if isUnedited {
                    unedited.append(asset)
                } else {
                    edited[asset.row] = asset
                }
            }
            return RenditionRecords(
                stamp: try StoredSurvey.stamp(database), upToDate: upToDate, unedited: unedited,
                edited: try RenditionRecord.all(of: edited, database))
        }
    }
}

extension RenditionRecord {
    /// Those of assets, by their rows, of which nothing but recipes counts.
    fileprivate static func all(
        of assets: [Int64: SurveyedAsset], _ database: Database
    ) throws -> [RenditionRecord] {
        if assets.isEmpty { return [] }
        let wanted = assets.keys.sorted().json
        let edits = try EditRow.all(of: wanted, database)
        var records: [RenditionRecord] = []
        try database.cachedStatement(sql: query).forEachRow([wanted]) { row in
            let id = try row.rowNumber(0)
            guard let asset = assets[id],
                let steps = EditRow.steps(to: try row.rowNumber(1), of: id, in: edits)
            else { return }
            records.append(
                RenditionRecord(
                    asset: asset, original: try row.value(2), originalKind: try row.value(3),
                    steps: steps, key: try row.value(4), ingredients: try row.value(5),
                    blob: try row.value(6)))
        }
        return records
    }
}

extension Edit {
    /// Its extension and its recipe's format, as ``RenditionRecord/Step/kind`` has them; nil: it has no extension.
    package var surveyedKind: String? {
        guard let identifier = editingExtension?.identifier else { return nil }
        return [identifier, adjustmentData.formatIdentifier, adjustmentData.formatVersion]
            .map { "'" + $0.replacing("'", with: "''") + "'" }.joined()
    }
}

extension RenditionRecord {
    fileprivate static let query = """
        SELECT asset.id, tip_id, resource.blob_hash,
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
