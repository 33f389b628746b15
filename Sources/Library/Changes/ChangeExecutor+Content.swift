// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

/// Where an asset's content is to point next.
private struct Target {
    var position: Int?
    var pixelWidth: Int
    var pixelHeight: Int
    var format: String?
}

extension ChangeExecutor {
    /// Commits an edit.
    ///
    /// - Returns: its identifier, and whether it differs from the edit that it replaces; where it does
    ///   not, that one stays, and the identifier is its.
    func commitEdit(
        _ output: ContentEditingOutput
    ) throws -> (identifier: String, isChange: Bool) {
        let (adjustmentData, rendered) = try output.complete()
        let asset = output.input.asset
        let identifier = asset.localIdentifier
        let id = try requireGeneration(of: asset)
        if isSame(output, adjustmentData, rendered), let replaced = output.input.replaced {
            return (replaced.identifier, false)
        }
        let position = output.input.history.position + 1
        try database.execute(
            sql: "DELETE FROM state WHERE asset_id = ? AND position >= ?",
            arguments: [id, position])
        let edit = UUID().uuidString.lowercased()
        let tip = try insertChain(output, adjustmentData, named: edit, asset: id)
        try insertRendition(rendered, kind: .current, edit: tip)
        try database.execute(
            sql: "INSERT INTO state (asset_id, position, tip_id, created) VALUES (?, ?, ?, ?)",
            arguments: [id, position, tip, date.microseconds])
        let tipFormat = output.input.above.last?.adjustmentData ?? adjustmentData
        try point(
            id, identifier,
            to: Target(
                position: position, pixelWidth: rendered.pixelWidth,
                pixelHeight: rendered.pixelHeight, format: tipFormat.formatIdentifier))
        try removeUnreachableEdits(ofAsset: id)
        return (edit, true)
    }

    /// Whether the edit says and shows the same as the one it would replace.
    private func isSame(
        _ output: ContentEditingOutput, _ adjustmentData: AdjustmentData,
        _ rendered: RenderedContent
    ) -> Bool {
        guard let replaced = output.input.replaced else { return false }
        let tip = output.input.history.chain.last
        return replaced.adjustmentData == adjustmentData
            && replaced.editingExtension == output.editingExtension
            && tip?.current?.key == rendered.key && tip?.current?.blob == rendered.blob.hash
    }

    /// Inserts the new edit and, above it, the kept ones again; gives the last one's row.
    private func insertChain(
        _ output: ContentEditingOutput, _ adjustmentData: AdjustmentData, named new: String,
        asset: Int64
    ) throws -> Int64 {
        let input = output.input
        var parent: Int64?
        if let below = input.below.last {
            parent = try rowIdentifier(
                ofEdit: below.identifier, asset: asset, input.asset.localIdentifier)
        }
        let first = (output.editingExtension, adjustmentData)
        let kept = input.above.map { ($0.editingExtension, $0.adjustmentData) }
        var tip: Int64 = 0
        for (index, step) in ([first] + kept).enumerated() {
            let name = index == 0 ? new : UUID().uuidString.lowercased()
            tip = try insertEdit(step.0, step.1, named: name, asset: asset, parent: parent)
            if let base = output.baseRenditions[input.below.count + 1 + index] {
                try insertRendition(base, kind: .base, edit: tip)
            }
            parent = tip
        }
        return tip
    }

    private func insertEdit(
        _ editingExtension: EditingExtensionIdentity?, _ adjustmentData: AdjustmentData,
        named identifier: String, asset: Int64, parent: Int64?
    ) throws -> Int64 {
        try database.execute(
            sql: """
                INSERT INTO edit (uuid, asset_id, parent_id, extension_identifier,
                    extension_version, binary_hash, hashed_files_hash, format_identifier,
                    format_version, adjustment_data, adjustment_hash, created)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                identifier, asset, parent, editingExtension?.identifier,
                editingExtension?.version, editingExtension?.binaryHash.hex,
                editingExtension?.hashedFilesHash?.hex, adjustmentData.formatIdentifier,
                adjustmentData.formatVersion, adjustmentData.data, adjustmentData.data.recipeHash,
                date.microseconds,
            ])
        return database.lastInsertedRowID
    }

    private func insertRendition(
        _ rendered: RenderedContent, kind: Rendition.Kind, edit: Int64
    ) throws {
        try insertBlob(rendered.blob)
        try database.execute(
            sql: """
                INSERT INTO rendition (edit_id, kind, key, ingredients, blob_hash,
                    pixel_width, pixel_height, format, created)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (edit_id, kind) DO UPDATE SET key = excluded.key,
                    ingredients = excluded.ingredients,
                    blob_hash = excluded.blob_hash, pixel_width = excluded.pixel_width,
                    pixel_height = excluded.pixel_height, format = excluded.format,
                    created = excluded.created
                """,
            arguments: [
                edit, kind.rawValue, rendered.key.hex, rendered.ingredients,
                rendered.blob.hash.hex, rendered.pixelWidth, rendered.pixelHeight,
                rendered.format.rawValue,
                date.microseconds,
            ])
    }

    /// Goes to the original; edits stay, to be redone until the next edit.
    func revert(_ identifier: String) throws {
        let id = try rowIdentifier(ofAsset: identifier)
        let position = try position(ofAsset: id)
        try ability(of: identifier).requireOriginal()
        if position == 0 { return }
        try pointToOriginal(id, identifier)
    }

    /// Undoes or redoes one step.
    func move(
        by step: Int, _ identifier: String, from generation: Int?, rendered: RenderedContent?
    ) throws {
        let id = try rowIdentifier(ofAsset: identifier)
        // A second step in the same block starts from what the first one left.
        if let generation, !ownGenerations.contains(identifier) {
            try requireGeneration(generation, ofAsset: id, identifier)
        }
        let target = try position(ofAsset: id) + step
        if target == 0 {
            try ability(of: identifier).requireOriginal()
            return try pointToOriginal(id, identifier)
        }
        let tip = try database.record(
            """
            SELECT tip_id, format_identifier FROM state JOIN edit ON edit.id = tip_id
            WHERE state.asset_id = ? AND position = ?
            """,
            [id, target]
        ) { (edit: try $0.rowNumber(0), format: try $0.value(1, as: String.self)) }
        guard let tip else { throw Self.nothingToDo(step, identifier) }
        if let rendered { try insertRendition(rendered, kind: .current, edit: tip.edit) }
        let (width, height) = try storedSize(ofEdit: tip.edit, identifier)
        try point(
            id, identifier,
            to: Target(
                position: target, pixelWidth: width, pixelHeight: height, format: tip.format))
    }

    private static func nothingToDo(_ step: Int, _ identifier: String) -> LibraryError {
        step < 0
            ? LibraryError(
                .nothingToUndo, "there is no edit to undo", assetIdentifier: identifier)
            : LibraryError(
                .nothingToRedo, "there is no undone edit to redo", assetIdentifier: identifier)
    }

    /// The size of an edit's current rendition, or `renditionMissing`.
    private func storedSize(ofEdit edit: Int64, _ identifier: String) throws -> (Int, Int) {
        let stored = try database.record(
            """
            SELECT pixel_width, pixel_height, blob_hash FROM rendition
            WHERE edit_id = ? AND kind = 'current'
            """,
            [edit]
        ) { row in
            (
                size: (
                    try row.value(0, in: Limits.pixels), try row.value(1, in: Limits.pixels)
                ),
                blob: try row.value(2, as: SHA256Digest.self)
            )
        }
        if let stored, store.exists(stored.blob) { return stored.size }
        throw LibraryError(
            .renditionMissing, "the state's rendition is not stored; it must be rendered again",
            assetIdentifier: identifier)
    }

    /// Replaces an edit's stored pixels, or keeps some where there were none.
    func replaceRendition(
        _ rendered: RenderedContent, kind: Rendition.Kind, ofEdit edit: String,
        in identifier: String
    ) throws {
        let id = try rowIdentifier(ofAsset: identifier)
        let row = try rowIdentifier(ofEdit: edit, asset: id, identifier)
        let before = try database.value(
            "SELECT blob_hash FROM rendition WHERE edit_id = ? AND kind = ?",
            [row, kind.rawValue], as: String.self)
        try insertRendition(rendered, kind: kind, edit: row)
        guard kind == .current, before != rendered.blob.hash.hex else { return }
        let isCurrent = try changesOneRow(
            """
            UPDATE asset SET pixel_width = ?, pixel_height = ?,
                modification_date = max(?, modification_date + 1)
            WHERE id = ? AND EXISTS (SELECT 1 FROM state WHERE asset_id = asset.id
                AND position = asset.position AND tip_id = ?)
            """,
            [rendered.pixelWidth, rendered.pixelHeight, date.microseconds, id, row])
        if isCurrent { record(.updated, asset: id, identifier, isContent: true) }
    }

    private func rowIdentifier(
        ofEdit edit: String, asset: Int64, _ identifier: String
    ) throws -> Int64 {
        let id = try database.value(
            "SELECT id FROM edit WHERE uuid = ? AND asset_id = ?", [edit, asset], as: Int64.self)
        if let id { return id }
        throw LibraryError(
            .noSuchEdit, "the edit \(edit) is not there any more", assetIdentifier: identifier)
    }

    private func position(ofAsset id: Int64) throws -> Int {
        let position = try database.record("SELECT position FROM asset WHERE id = ?", [id]) { row in
            try row.value(0, as: Int?.self).map { _ in try row.value(0, in: Limits.counts) }
        }
        return (position ?? nil) ?? 0
    }

    /// Fails with `conflict` unless an asset's content is as it was when it was read; gives the
    /// row's number.
    @discardableResult
    func requireGeneration(of asset: Asset) throws -> Int64 {
        let id = try rowIdentifier(ofAsset: asset.localIdentifier)
        try requireGeneration(asset.generation, ofAsset: id, asset.localIdentifier)
        return id
    }

    /// Fails with `conflict` unless the content is of the generation that the caller saw.
    private func requireGeneration(
        _ expected: Int, ofAsset id: Int64, _ identifier: String
    ) throws {
        let actual = try database.value(
            "SELECT generation FROM asset WHERE id = ?", [id], as: Int.self)
        guard actual == expected else {
            throw LibraryError(
                .conflict, "the asset was edited by somebody else meanwhile; try again",
                assetIdentifier: identifier)
        }
    }

    private func pointToOriginal(_ id: Int64, _ identifier: String) throws {
        let target = try database.record(
            "SELECT original_pixel_width, original_pixel_height FROM asset WHERE id = ?", [id]
        ) { row in
            Target(
                position: nil, pixelWidth: try row.value(0, in: Limits.pixels),
                pixelHeight: try row.value(1, in: Limits.pixels), format: nil)
        }
        guard let target else { throw LibraryError.noSuchAsset(identifier) }
        try point(id, identifier, to: target)
    }

    /// Moves the pointer; every change of content ends here.
    private func point(_ id: Int64, _ identifier: String, to target: Target) throws {
        try database.execute(
            sql: """
                UPDATE asset SET position = ?, pixel_width = ?, pixel_height = ?,
                    adjustment_format = ?, generation = generation + 1,
                    modification_date = max(?, modification_date + 1)
                WHERE id = ?
                """,
            arguments: [
                target.position, target.pixelWidth, target.pixelHeight, target.format,
                date.microseconds, id,
            ])
        ownGenerations.insert(identifier)
        record(.updated, asset: id, identifier, isContent: true)
    }

    /// Forgets edits that no state leads to any more: redo that was discarded.
    private func removeUnreachableEdits(ofAsset id: Int64) throws {
        try database.execute(
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
