// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// Moves between the states of an asset's content: revert, undo and redo.
extension ContentWriter {
    /// Makes the original current. An undo returns to the state before.
    func revert(_ identifier: String) throws {
        let id = try assets.row(of: identifier)
        let position = try position(ofAsset: id)
        try ability(of: identifier).requireOriginal()
        if position == 0 { return }
        try pointToOriginal(id, identifier, revertedPosition: position)
    }

    /// Moves by undo or redo steps.
    func move(
        by step: Int, _ identifier: String, from generation: Int?, rendered: RenderedContent?
    ) throws {
        let id = try assets.row(of: identifier)
        try requireOwnGeneration(generation, id, identifier)
        var target = try position(ofAsset: id) + step
        // The undo of a revert.
        if target == -1 { target = try revertedPosition(ofAsset: id) ?? target }
        // Unlike a revert, this reads no pixels, so the original need not be available.
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
            try row.value(0, as: Int?.self).map { _ in
                try row.value(0, in: StoredValueLimits.counts)
            }
        }
        return (position ?? nil) ?? 0
    }

    private func revertedPosition(ofAsset id: Int64) throws -> Int? {
        try database.record("SELECT reverted_position FROM asset WHERE id = ?", [id]) { row in
            try row.value(0, as: Int?.self)
        } ?? nil
    }

    private func pointToOriginal(
        _ id: Int64, _ identifier: String, revertedPosition: Int? = nil
    ) throws {
        let target = try database.record(
            "SELECT original_pixel_width, original_pixel_height FROM asset WHERE id = ?", [id]
        ) { row in
            Target(
                position: nil, revertedPosition: revertedPosition,
                pixelWidth: try row.value(0, in: StoredValueLimits.pixels),
                pixelHeight: try row.value(1, in: StoredValueLimits.pixels), format: nil)
        }
        guard let target else { throw LibraryError.noSuchAsset(identifier) }
        try point(id, identifier, to: target)
    }

    /// Updates the asset's row. Every content change goes through this method.
    func point(_ id: Int64, _ identifier: String, to target: Target) throws {
        let before = try JournalState.current(ofAsset: id, database)
        try database.execute(
            sql: """
                UPDATE asset SET position = ?, reverted_position = ?, reverted_date = ?,
                    pixel_width = ?, pixel_height = ?,
                    duration = coalesce(?, original_duration), adjustment_format = ?, generation = generation + 1,
                    modification_date = max(?, modification_date + 1)
                WHERE id = ?
                """,
            arguments: [
                target.position, target.revertedPosition,
                target.revertedPosition.map { _ in context.date.microseconds }, target.pixelWidth,
                target.pixelHeight, target.duration,
                target.format, context.date.microseconds, id,
            ])
        assets.ownGenerations.insert(identifier)
        assets.record(.updated, id, identifier, isContent: true)
        assets.recordValue(
            .state, of: id, from: before.value,
            to: try JournalState.current(ofAsset: id, database).value)
    }
}
