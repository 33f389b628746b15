// SPDX-License-Identifier: Apache-2.0

import Library

/// Where an asset is after an undo, redo or revert.
public struct HistoryMove: Sendable {
    /// The asset's history after the move.
    public let history: AssetHistory
    /// Whether there was anything to move to.
    public let hasMoved: Bool
}
