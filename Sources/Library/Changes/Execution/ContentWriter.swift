// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

/// Changes the content of assets: commits edits, and goes from state to state.
struct ContentWriter {
    let assets: AssetTable
    let edits: EditTable
    private let renditions: RenditionTable

    init(assets: AssetTable) {
        self.assets = assets
        renditions = RenditionTable(context: assets.context)
        edits = EditTable(context: assets.context, renditions: renditions)
    }

    var context: ChangeContext { assets.context }
    var database: Database { context.database }

    /// Where an asset's content is to point next.
    private struct Target {
        var position: Int?
        var pixelWidth: Int
        var pixelHeight: Int
        /// In seconds; nil: that of the original.
        var duration: Double?
        var format: String?
    }

    // MARK: - Edits

    /// Commits an edit.
    ///
    /// - Returns: its identifier, and whether it differs from the edit that it replaces; where it does
    ///   not, that one stays, and the identifier is its.
    func commit(
        _ output: ContentEditingOutput
    ) throws -> (identifier: String, isChange: Bool) {
        let (adjustmentData, rendered) = try output.complete()
        let asset = output.input.asset
        let identifier = asset.localIdentifier
        let id = try requireGeneration(of: asset)
        if isSame(output, adjustmentData, rendered), let replaced = output.input.replaced {
            return (replaced.identifier, false)
        }
        let edit = UUID().uuidString.lowercased()
        let tipFormat = output.input.above.last?.adjustmentData ?? adjustmentData
        try addState(
            behind: output.input.history, rendered, tipFormat.formatIdentifier, id, identifier
        ) { try edits.insertChain(output, adjustmentData, named: edit, asset: id) }
        return (edit, true)
    }

    /// Gives an asset another chain of edits, as one state more.
    func commit(_ chain: NewEditChain) throws {
        let asset = chain.history.asset
        let identifier = asset.localIdentifier
        let id = try requireGeneration(of: asset)
        try ability(of: identifier).require(.content)
        let format = (chain.steps.last?.adjustmentData ?? chain.lastKept?.adjustmentData)
        try addState(
            behind: chain.history, chain.renderedContent, format?.formatIdentifier, id, identifier
        ) {
            try edits.insert(
                chain.steps, named: UUID().uuidString.lowercased(), above: chain.lastKept,
                at: chain.keptCount, bases: chain.baseRenditions,
                coversMotion: chain.renderedContent?.otherParts.isEmpty == false, asset: id,
                identifier)
        }
    }

    /// Adds a state behind the one that an asset is in, and goes there; what was undone is discarded.
    ///
    /// - Parameters:
    ///   - format: the format of the last edit's recipe.
    ///   - insertEdits: gives the row of the last edit.
    func addState(
        behind history: AssetHistory, _ rendered: RenderedContent?, _ format: String?, _ id: Int64,
        _ identifier: String, insertEdits: () throws -> Int64
    ) throws {
        let position = history.position + 1
        try database.execute(
            sql: "DELETE FROM state WHERE asset_id = ? AND position >= ?",
            arguments: [id, position])
        let tip = try insertEdits()
        let extent: RenditionTable.Extent
        if let rendered { try renditions.insert(rendered, kind: .current, edit: tip) }
        // Of a Live Photo whose still is stored it may be the motion alone.
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

    /// Commits the first edit of an asset that this block has made, or of the one that stands in for
    /// it.
    func commitFirst(
        _ output: ContentEditingOutput
    ) throws -> (identifier: String, isChange: Bool) {
        let identifier = assets.resolved(output.input.asset.localIdentifier)
        let history = try HistoryReader(database: database, assetIdentifier: identifier).history()
        guard history.position == 0 else {
            throw LibraryError(
                .conflict,
                "the library already has this photograph with edits; edit that one",
                asset: identifier)
        }
        var output = output
        output.input = try ContentEditingInput(history: history, placement: .appending)
        return try commit(output)
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
            && replaced.files == output.files.map(\.description)
            && tip?.current?.key == rendered.key && tip?.current?.blob == rendered.blob.hash
            && tip?.coversMotion == !rendered.otherParts.isEmpty
    }

    /// Replaces an edit's stored pixels, or keeps some where there were none.
    func replaceRendition(
        _ rendered: RenderedContent, kind: Rendition.Kind, ofEdit edit: String,
        in identifier: String
    ) throws {
        let id = try assets.row(of: identifier)
        let row = try edits.row(of: edit, asset: id, identifier)
        let before = try renditions.hash(kind, rendered.part, ofEdit: row)
        try renditions.insert(rendered, kind: kind, edit: row)
        guard kind == .current, before != rendered.blob.hash.hex else { return }
        // A Live Photo has the size of its still.
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

    // MARK: - States

    /// Goes to the original; edits stay, to be redone until the next edit.
    func revert(_ identifier: String) throws {
        let id = try assets.row(of: identifier)
        let position = try position(ofAsset: id)
        try ability(of: identifier).requireOriginal()
        if position == 0 { return }
        try pointToOriginal(id, identifier)
    }

    /// Undoes or redoes one step.
    func move(
        by step: Int, _ identifier: String, from generation: Int?, rendered: RenderedContent?
    ) throws {
        let id = try assets.row(of: identifier)
        try requireOwnGeneration(generation, id, identifier)
        let target = try position(ofAsset: id) + step
        // Unlike a revert, this needs no pixels: the original may be away.
        if target == 0 { return try pointToOriginal(id, identifier) }
        let tip = try database.record(
            """
            SELECT tip_id, format_identifier FROM state JOIN edit ON edit.id = tip_id
            WHERE state.asset_id = ? AND position = ?
            """,
            [id, target]
        ) { (edit: try $0.rowNumber(0), format: try $0.value(1, as: String.self)) }
        guard let tip else { throw Self.nothingToDo(step, identifier) }
        if let rendered { try renditions.insert(rendered, kind: .current, edit: tip.edit) }
        let extent = try renditions.currentExtent(ofEdit: tip.edit, identifier)
        try point(
            id, identifier,
            to: Target(
                position: target, pixelWidth: extent.width, pixelHeight: extent.height,
                duration: extent.duration, format: tip.format))
    }

    private static func nothingToDo(_ step: Int, _ identifier: String) -> LibraryError {
        step < 0
            ? LibraryError(
                .nothingToUndo, "there is no edit to undo", asset: identifier)
            : LibraryError(
                .nothingToRedo, "there is no undone edit to redo", asset: identifier)
    }

    private func position(ofAsset id: Int64) throws -> Int {
        let position = try database.record("SELECT position FROM asset WHERE id = ?", [id]) { row in
            try row.value(0, as: Int?.self).map { _ in try row.value(0, in: Limits.counts) }
        }
        return (position ?? nil) ?? 0
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
                    duration = coalesce(?, original_duration), adjustment_format = ?, generation = generation + 1,
                    modification_date = max(?, modification_date + 1)
                WHERE id = ?
                """,
            arguments: [
                target.position, target.pixelWidth, target.pixelHeight, target.duration,
                target.format, context.date.microseconds, id,
            ])
        assets.ownGenerations.insert(identifier)
        assets.record(.updated, id, identifier, isContent: true)
    }

    // MARK: - What must hold

    /// What can be done to an asset.
    func ability(of identifier: String) -> EditAbility {
        EditAbility(database: database, store: context.store, assetIdentifier: identifier)
    }

    /// Fails with `conflict` unless an asset's content is as it was when it was read; gives the
    /// row's number.
    @discardableResult
    func requireGeneration(of asset: Asset) throws -> Int64 {
        let id = try assets.row(of: asset.localIdentifier)
        try requireGeneration(asset.generation, ofAsset: id, asset.localIdentifier)
        return id
    }

    /// The same for a generation that the caller saw; a second step in the same block starts from what the first one left.
    func requireOwnGeneration(_ generation: Int?, _ id: Int64, _ identifier: String) throws {
        guard let generation, !assets.ownGenerations.contains(identifier) else { return }
        try requireGeneration(generation, ofAsset: id, identifier)
    }

    /// Fails with `conflict` unless the content is of the generation that the caller saw.
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
