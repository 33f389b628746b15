// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import GRDB

/// The data that decides whether the stored rendition of an edited photo is up to date, without the
/// recipes themselves. It is compact enough to be read for a very large number of assets.
package struct RenditionRecord: Sendable {
    /// An applied edit.
    package struct Step: Sendable {
        /// The quoted extension identifier and recipe format; see ``Edit/stepKind``.
        package let kind: String
        /// The hash of the stored recipe.
        package let recipe: String
    }

    /// The row ID of the asset that the rendition belongs to.
    package let row: Int64
    /// The local identifier of the asset.
    package let assetIdentifier: String
    /// The hash of the original, the input of the edit stack.
    package let original: SHA256Digest
    /// The facts about the original that decide how its renditions are encoded, as JSON.
    package let originalKind: String
    /// The applied edits, lowest first.
    package let steps: [Step]
    /// The key of the stored rendition.
    package let key: SHA256Digest
    /// The hash of the stored rendition's content.
    package let blob: SHA256Digest
}

extension RenditionRecord {
    /// Returns the records of the assets whose renditions depend on recipes alone.
    ///
    /// - Parameter assets: The local identifiers by row ID.
    static func all(
        of assets: [Int64: String], _ database: Database
    ) throws -> [RenditionRecord] {
        if assets.isEmpty { return [] }
        let wanted = assets.keys.sorted().json
        let edits = try EditRow.all(of: wanted, database)
        var records: [RenditionRecord] = []
        try database.cachedStatement(sql: query).forEachRow([wanted]) { row in
            let id = try row.rowNumber(0)
            guard let identifier = assets[id],
                let steps = EditRow.steps(to: try row.rowNumber(1), of: id, in: edits)
            else { return }
            records.append(
                RenditionRecord(
                    row: id, assetIdentifier: identifier, original: try row.value(2),
                    originalKind: try row.value(3), steps: steps, key: try row.value(4),
                    blob: try row.value(5)))
        }
        return records
    }
}

extension RenditionRecord {
    fileprivate static let query = """
        SELECT asset.id, tip_id, resource.blob_hash,
            json_extract(facts, '$.format', '$.bitsPerSample', '$.isLossy', '$.hasAlpha',
                '$.hasFullChroma', '$.video'),
            rendition.key, rendition.blob_hash
        FROM json_each(?) AS wanted
        CROSS JOIN asset ON asset.id = wanted.value
        CROSS JOIN state ON state.asset_id = asset.id AND state.position = asset.position
        CROSS JOIN resource ON resource.asset_id = asset.id AND is_primary = 1
        CROSS JOIN rendition ON edit_id = tip_id AND kind = 'current' AND part = 'photo'
        WHERE media_type = \(MediaType.image.rawValue) AND resource.blob_hash IS NOT NULL
            AND json_valid(facts)
        """
}

/// The part of an edit that a scan for stale renditions needs.
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
