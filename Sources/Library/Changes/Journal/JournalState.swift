// SPDX-License-Identifier: Apache-2.0

import GRDB

/// A state of an asset's content in the journal: its position in the undo list, and the edit that
/// is the last of its stack.
///
/// Both are compared rather than the generation. An asset is in the same state again after a later
/// edit was undone, but not after a state was replaced by another one with the same position.
struct JournalState: Hashable, Sendable {
    /// The position; 0 is the original.
    let position: Int
    /// The identifier of the last edit; nil for the original.
    let edit: String?

    static let original = JournalState(position: 0, edit: nil)

    init(position: Int, edit: String?) {
        self.position = position
        self.edit = edit
    }

    /// Parses a value of the journal; nil if it is not a state.
    init?(_ value: JournalValue) {
        guard let parts = value.text?.split(separator: " ", omittingEmptySubsequences: false),
            parts.count == 2, let position = Int(parts[0]),
            StoredValueLimits.counts.contains(position), (position == 0) == parts[1].isEmpty
        else { return nil }
        self.init(position: position, edit: position == 0 ? nil : String(parts[1]))
    }

    /// The value for the journal.
    var value: JournalValue { .text("\(position) \(edit ?? "")") }

    /// Returns the current state of an asset.
    static func current(ofAsset id: Int64, _ database: Database) throws -> JournalState {
        let statement = try database.cachedStatement(
            sql: """
                SELECT state.position, edit.uuid FROM asset
                JOIN state ON state.asset_id = asset.id AND state.position = asset.position
                JOIN edit ON edit.id = tip_id WHERE asset.id = ?
                """)
        return try statement.record([id]) { row in
            JournalState(
                position: try row.value(0, in: StoredValueLimits.counts), edit: try row.value(1))
        } ?? .original
    }

    /// Whether the undo list of an asset contains this state.
    func exists(inAsset id: Int64, _ database: Database) throws -> Bool {
        guard position > 0 else { return true }
        let statement = try database.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM state JOIN edit ON edit.id = tip_id
                WHERE state.asset_id = ? AND position = ? AND edit.uuid = ?)
                """)
        return try statement.value([id, position, edit]) ?? false
    }
}
