// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

/// Changes the content of assets: commits edits, moves between states, and saves versions.
struct ContentWriter {
    let assets: AssetTable
    let edits: EditTable
    let renditions: RenditionTable

    init(assets: AssetTable) {
        self.assets = assets
        renditions = RenditionTable(context: assets.context)
        edits = EditTable(context: assets.context, renditions: renditions)
    }

    var context: ChangeContext { assets.context }
    var database: Database { context.database }

    /// The state that an asset's row will point to.
    struct Target {
        var position: Int?
        /// The state that a revert leaves; nil for any other change.
        var revertedPosition: Int?
        var pixelWidth: Int
        var pixelHeight: Int
        /// In seconds; nil for the duration of the original.
        var duration: Double?
        var format: String?
    }

    // MARK: - Edits

    /// Commits an edit.
    ///
    /// - Returns: The identifier of the edit, and whether it differs from the edit that it
    ///   replaces. An equal edit is not stored: the existing one stays, and its identifier is
    ///   returned.
    func commit(
        _ output: ContentEditingOutput
    ) throws -> (identifier: String, isChange: Bool) {
        let (adjustmentData, rendered) = try output.complete()
        if isSame(output, adjustmentData, rendered), let replaced = output.input.replaced {
            let asset = output.input.asset
            try requireGeneration(asset.generation, of: asset.localIdentifier)
            return (replaced.identifier, false)
        }
        return (try commit(NewEditChain(output, adjustmentData, rendered)), true)
    }

    /// Replaces the edit stack of an asset, as one new state.
    ///
    /// - Returns: The identifier of the first new edit.
    @discardableResult
    func commit(_ chain: NewEditChain) throws -> String {
        let identifier = chain.assetIdentifier
        let id = try requireGeneration(chain.generation, of: identifier)
        let edit = UUID().uuidString.lowercased()
        let format = chain.steps.last?.adjustmentData.formatIdentifier ?? chain.lastKept?.format
        try addState(
            behind: chain.position, chain.renderedContent, format, id, identifier
        ) { try edits.insert(chain, named: edit, asset: id) }
        return edit
    }

    /// Adds a state after the current one and makes it current. States that could be redone are
    /// discarded.
    ///
    /// - Parameters:
    ///   - current: The position of the current state.
    ///   - format: The format identifier of the last edit's recipe.
    ///   - insertEdits: Inserts the edits, and returns the row ID of the last one.
    func addState(
        behind current: Int, _ rendered: RenderedContent?, _ format: String?, _ id: Int64,
        _ identifier: String, insertEdits: () throws -> Int64
    ) throws {
        let position = current + 1
        try database.execute(
            sql: "DELETE FROM state WHERE asset_id = ? AND position >= ?",
            arguments: [id, position])
        let tip = try insertEdits()
        let extent: RenditionTable.Extent
        if let rendered { try renditions.insert(rendered, kind: .current, edit: tip) }
        // For a Live Photo whose still is already stored, this may be the motion alone.
        if let rendered, try !isMotion(rendered, of: id) {
            extent = RenditionTable.Extent(rendered)
        } else {
            extent = try renditions.currentExtent(ofEdit: tip, identifier)
        }
        try database.execute(
            sql: "INSERT INTO state (asset_id, position, tip_id, created) VALUES (?, ?, ?, ?)",
            arguments: [id, position, tip, context.date.microseconds])
        try point(
            id, identifier,
            to: Target(
                position: position, pixelWidth: extent.width, pixelHeight: extent.height,
                duration: extent.duration, format: format))
        try edits.removeUnreachable(ofAsset: id)
    }

    /// Commits the first edit of an asset created by this block, or of the existing asset with the
    /// same original.
    func commitFirst(
        _ output: ContentEditingOutput
    ) throws -> (identifier: String, isChange: Bool) {
        let identifier = assets.resolvePlaceholder(output.input.asset.localIdentifier)
        let history = try HistoryReader(database: database, assetIdentifier: identifier).history()
        guard history.position == 0 else {
            throw LibraryError(
                .conflict,
                "the library already has this photo with edits; edit that one",
                asset: identifier)
        }
        var output = output
        output.input = try ContentEditingInput(history: history, placement: .appending)
        return try commit(output)
    }

    /// Whether an edit has the same recipe and result as the one it would replace.
    private func isSame(
        _ output: ContentEditingOutput, _ adjustmentData: AdjustmentData,
        _ rendered: RenderedContent
    ) -> Bool {
        guard let replaced = output.input.replaced else { return false }
        let tip = output.input.history.chain.last
        return replaced.adjustmentData == adjustmentData
            && replaced.editingExtension == output.editingExtension
            && tip?.current?.key == rendered.key && tip?.current?.blob == rendered.blob.hash
            && tip?.coversMotion == !rendered.otherParts.isEmpty
    }

    /// Stores a rendition of an edit, replacing any existing one.
    func replaceRendition(
        _ rendered: RenderedContent, kind: Rendition.Kind, ofEdit edit: String,
        in identifier: String
    ) throws {
        let id = try assets.row(of: identifier, mayBeTrashed: true)
        let row = try edits.row(of: edit, asset: id, identifier)
        let before = try renditions.hash(kind, rendered.part, ofEdit: row)
        try renditions.insert(rendered, kind: kind, edit: row)
        guard kind == .current, before != rendered.blob.hash.hex else { return }
        // The size of a Live Photo is that of its still.
        guard try !isMotion(rendered, of: id) else {
            return assets.record(.updated, id, identifier, isContent: true)
        }
        let isCurrent = try context.changesOneRow(
            """
            UPDATE asset SET pixel_width = ?, pixel_height = ?,
                duration = coalesce(?, original_duration),
                modification_date = max(?, modification_date + 1)
            WHERE id = ? AND EXISTS (SELECT 1 FROM state WHERE asset_id = asset.id
                AND position = asset.position AND tip_id = ?)
            """,
            [
                rendered.pixelWidth, rendered.pixelHeight, rendered.duration,
                context.date.microseconds, id, row,
            ])
        if isCurrent { assets.record(.updated, id, identifier, isContent: true) }
    }

    private func isMotion(_ rendered: RenderedContent, of id: Int64) throws -> Bool {
        guard rendered.part == .video else { return false }
        let type = try database.value(
            "SELECT media_type FROM asset WHERE id = ?", [id], as: Int.self)
        return type == MediaType.image.rawValue
    }

    // MARK: - Preconditions

    /// Throws an error unless the content of an asset can be changed and is still as it was read.
    func requireChangeable(_ identifier: String, _ generation: Int) throws {
        try requireGeneration(generation, of: identifier)
        try ability(of: identifier).require(.content)
    }

    /// Returns the operations currently possible for an asset.
    func ability(of identifier: String) -> EditAbility {
        EditAbility(database: database, store: context.store, assetIdentifier: identifier)
    }

    /// Throws `conflict` if an asset's content has changed since it was read. Returns its row ID.
    @discardableResult
    func requireGeneration(_ generation: Int, of identifier: String) throws -> Int64 {
        let id = try assets.row(of: identifier)
        try requireGeneration(generation, ofAsset: id, identifier)
        return id
    }

    /// Checks a generation seen by the caller. Skipped after the block's own changes to the same
    /// asset, which later steps build on.
    func requireOwnGeneration(_ generation: Int?, _ id: Int64, _ identifier: String) throws {
        guard let generation, !assets.ownGenerations.contains(identifier) else { return }
        try requireGeneration(generation, ofAsset: id, identifier)
    }

    /// Throws `conflict` if the content generation differs from the expected one.
    private func requireGeneration(
        _ expected: Int, ofAsset id: Int64, _ identifier: String
    ) throws {
        let actual = try database.value(
            "SELECT generation FROM asset WHERE id = ?", [id], as: Int.self)
        guard actual == expected else {
            throw LibraryError(
                .conflict, "the asset was edited in the meantime; try again",
                asset: identifier)
        }
    }
}
