// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

/// The `edit` table. Each edit references its parent, the edit below it.
struct EditTable {
    let context: ChangeContext
    let renditions: RenditionTable

    /// Inserts the new edits of a stack, each on top of the one before. Returns the row ID of the
    /// last one, or that of the last kept edit if there are no steps.
    ///
    /// - Parameter new: The identifier of the first new edit.
    func insert(_ chain: NewEditChain, named new: String, asset: Int64) throws -> Int64 {
        let coversMotion = chain.renderedContent?.otherParts.isEmpty == false
        var parent = try chain.lastKept.map {
            try row(of: $0.edit, asset: asset, chain.assetIdentifier)
        }
        for (index, step) in chain.steps.enumerated() {
            let tip = try insert(
                step, coversMotion: coversMotion,
                named: index == 0 ? new : UUID().uuidString.lowercased(), asset: asset,
                parent: parent)
            for file in step.files { try insert(file, edit: tip) }
            if let base = chain.baseRenditions[chain.keptCount + 1 + index] {
                try renditions.insert(base, kind: .base, edit: tip)
            }
            parent = tip
        }
        guard let parent else {
            throw LibraryError(
                .invalidRequest, "no edits would be left; use revert to return to the original",
                asset: chain.assetIdentifier)
        }
        return parent
    }

    private func insert(
        _ step: NewEditChain.Step, coversMotion: Bool, named identifier: String, asset: Int64,
        parent: Int64?
    ) throws -> Int64 {
        let (editingExtension, adjustmentData) = (step.editingExtension, step.adjustmentData)
        try StoredValueLimits.requireStorable(
            editingExtension?.identifier, "the extension's identifier")
        try StoredValueLimits.requireStorable(editingExtension?.version, "the extension's version")
        try context.database.execute(
            sql: """
                INSERT INTO edit (uuid, asset_id, parent_id, extension_identifier,
                    extension_version, binary_hash, hashed_files_hash, format_identifier,
                    format_version, adjustment_data, adjustment_hash, is_reproducible,
                    covers_motion, is_enabled, created)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                identifier, asset, parent, editingExtension?.identifier,
                editingExtension?.version, editingExtension?.binaryHash.hex,
                editingExtension?.hashedFilesHash?.hex, adjustmentData.formatIdentifier,
                adjustmentData.formatVersion, adjustmentData.data, adjustmentData.data.recipeHash,
                step.isReproducible, coversMotion, step.isEnabled, context.date.microseconds,
            ])
        return context.database.lastInsertedRowID
    }

    private func insert(_ file: StagedEditFile, edit: Int64) throws {
        try StoredValueLimits.requireStorable(file.description.parameter, "the name of a parameter")
        try StoredValueLimits.requireStorable(file.description.filename, "the name of a file")
        if let blob = file.blob { try context.insertBlob(blob) }
        try context.execute(
            "INSERT INTO edit_file (edit_id, parameter, blob_hash, filename) VALUES (?, ?, ?, ?)",
            [
                edit, file.description.parameter, file.description.hash.hex,
                file.description.filename,
            ])
    }

    /// Returns the row ID of an asset's edit.
    ///
    /// - Throws: `LibraryError` with `noSuchEdit`.
    func row(of edit: String, asset: Int64, _ identifier: String) throws -> Int64 {
        let id = try context.database.value(
            "SELECT id FROM edit WHERE uuid = ? AND asset_id = ?", [edit, asset], as: Int64.self)
        if let id { return id }
        throw LibraryError(
            .noSuchEdit, "the edit \(edit) no longer exists", asset: identifier)
    }

    /// Deletes edits not reachable from any state or version, such as discarded redo steps.
    func removeUnreachable(ofAsset id: Int64) throws {
        try context.database.execute(
            sql: """
                WITH RECURSIVE reachable (id) AS (
                    SELECT tip_id FROM state WHERE asset_id = :asset
                    UNION
                    SELECT tip_id FROM version WHERE asset_id = :asset
                    UNION
                    SELECT parent_id FROM edit JOIN reachable ON edit.id = reachable.id
                    WHERE parent_id IS NOT NULL)
                DELETE FROM edit WHERE asset_id = :asset AND id NOT IN (SELECT id FROM reachable)
                """,
            arguments: ["asset": id])
    }
}
