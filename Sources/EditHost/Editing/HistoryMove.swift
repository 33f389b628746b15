// SPDX-License-Identifier: Apache-2.0

import Library

/// The result of an undo, redo or revert of one asset.
public struct HistoryMove: Sendable {
    /// The asset's history after the move.
    public let history: AssetHistory
    /// Whether the asset has moved. `false` if there was no state to move to.
    public let hasMoved: Bool
}
