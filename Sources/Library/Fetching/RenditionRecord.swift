// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import GRDB
import Synchronization

/// The data that decides whether the stored rendition of an edited photo is up to date, without the
/// recipes themselves. It is compact enough to be read for a very large number of assets.
package struct RenditionRecord: Sendable {
    /// An applied edit.
    package struct Step: Sendable {
        /// The quoted extension identifier and recipe format; see ``Edit/surveyedKind``.
        package let kind: String
        /// The hash of the stored recipe.
        package let recipe: String
    }

    /// The asset that the rendition belongs to.
    package let asset: SurveyedAsset
    /// The hash of the original, the input of the edit stack.
    package let original: SHA256Digest
    /// The facts about the original that decide how its renditions are encoded, as JSON.
    package let originalKind: String
    /// The applied edits, lowest first.
    package let steps: [Step]
    /// The key of the stored rendition.
    package let key: SHA256Digest
    /// The inputs that the stored rendition was made from.
    package let ingredients: Data
    /// The hash of the stored rendition's content.
    package let blob: SHA256Digest

    /// The identifier of the asset.
    package var assetIdentifier: String { asset.identifier }
}

extension PhotoLibrary {
    /// The assets to be read, by identifier or by row id.
    package enum WantedAssets: Sendable {
        case identifiers([String])
        case rows([Int64])

        /// The number of assets.
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

    /// Returns the identifiers in database order, so that no page is read twice.
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

    /// Reads the data that decides whether renditions are up to date. This reads at least three
    /// rows for each asset that was not surveyed, but no recipe.
    ///
    /// - Parameters:
    ///   - wanted: The assets, a few thousand at a time.
    ///   - suspects: The rows to be read even if an earlier survey found them up to date; nil for
    ///     all rows.
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
    /// Returns the records of the assets whose renditions depend on recipes alone.
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
    /// The quoted extension identifier and recipe format, as in ``RenditionRecord/Step/kind``, or
    /// nil if the edit has no extension.
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

/// The part of an edit that a survey needs.
private struct EditRow {
    let asset: Int64
    let parent: Int64?
    let kind: String?
    let recipe: String?
    let flags: Int

    private var isEnabled: Bool { flags & 1 != 0 }

    /// Whether the edit's result depends on its recipe alone.
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

    /// Returns the applied edits up to `tip`, or nil if the result depends on more than their
    /// recipes.
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
