// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

/// The edits of assets, each above its parent.
struct EditTable {
    let context: ChangeContext
    let renditions: RenditionTable

    /// Inserts the new edit and, above it, the kept ones again; gives the last one's row.
    func insertChain(
        _ output: ContentEditingOutput, _ adjustmentData: AdjustmentData, named new: String,
        asset: Int64
    ) throws -> Int64 {
        let input = output.input
        var parent: Int64?
        if let below = input.below.last {
            parent = try row(of: below.identifier, asset: asset, input.asset.localIdentifier)
        }
        let coversMotion = output.renderedContent?.otherParts.isEmpty == false
        let first = (output.editingExtension, adjustmentData, output.isReproducible)
        let kept = input.above.map { ($0.editingExtension, $0.adjustmentData, $0.isReproducible) }
        var tip: Int64 = 0
        for (index, step) in ([first] + kept).enumerated() {
            let name = index == 0 ? new : UUID().uuidString.lowercased()
            tip = try insert(
                step.0, step.1, isReproducible: step.2, coversMotion: coversMotion, named: name,
                asset: asset, parent: parent)
            let files =
                index == 0 ? output.files : input.above[index - 1].files.map({ StagedEditFile($0) })
            for file in files { try insert(file, edit: tip) }
            if let base = output.baseRenditions[input.below.count + 1 + index] {
                try renditions.insert(base, kind: .base, edit: tip)
            }
            parent = tip
        }
        return tip
    }

    private func insert(
        _ editingExtension: EditingExtensionIdentity?, _ adjustmentData: AdjustmentData,
        isReproducible: Bool, coversMotion: Bool, named identifier: String, asset: Int64,
        parent: Int64?
    ) throws -> Int64 {
        try Limits.requireStorable(editingExtension?.identifier, "the extension's identifier")
        try Limits.requireStorable(editingExtension?.version, "the extension's version")
        try context.database.execute(
            sql: """
                INSERT INTO edit (uuid, asset_id, parent_id, extension_identifier,
                    extension_version, binary_hash, hashed_files_hash, format_identifier,
                    format_version, adjustment_data, adjustment_hash, is_reproducible,
                    covers_motion, created)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                identifier, asset, parent, editingExtension?.identifier,
                editingExtension?.version, editingExtension?.binaryHash.hex,
                editingExtension?.hashedFilesHash?.hex, adjustmentData.formatIdentifier,
                adjustmentData.formatVersion, adjustmentData.data, adjustmentData.data.recipeHash,
                isReproducible, coversMotion, context.date.microseconds,
            ])
        return context.database.lastInsertedRowID
    }

    private func insert(_ file: StagedEditFile, edit: Int64) throws {
        try Limits.requireStorable(file.description.parameter, "the name of a parameter")
        try Limits.requireStorable(file.description.filename, "the name of a file")
        if let blob = file.blob { try context.insertBlob(blob) }
        try context.execute(
            "INSERT INTO edit_file (edit_id, parameter, blob_hash, filename) VALUES (?, ?, ?, ?)",
            [
                edit, file.description.parameter, file.description.hash.hex,
                file.description.filename,
            ])
    }

    /// The row's number of an asset's edit, or `noSuchEdit`.
    func row(of edit: String, asset: Int64, _ identifier: String) throws -> Int64 {
        let id = try context.database.value(
            "SELECT id FROM edit WHERE uuid = ? AND asset_id = ?", [edit, asset], as: Int64.self)
        if let id { return id }
        throw LibraryError(
            .noSuchEdit, "the edit \(edit) no longer exists", asset: identifier)
    }

    /// Forgets edits that no state leads to any more: redo that was discarded.
    func removeUnreachable(ofAsset id: Int64) throws {
        try context.database.execute(
            sql: """
                WITH RECURSIVE reachable (id) AS (
                    SELECT tip_id FROM state WHERE asset_id = :asset
                    UNION
                    SELECT parent_id FROM edit JOIN reachable ON edit.id = reachable.id
                    WHERE parent_id IS NOT NULL)
                DELETE FROM edit WHERE asset_id = :asset AND id NOT IN (SELECT id FROM reachable)
                """,
            arguments: ["asset": id])
    }
}
