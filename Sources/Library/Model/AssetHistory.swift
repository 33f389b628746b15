// SPDX-License-Identifier: Apache-2.0

/// Everything that the library keeps about an asset's content, read in one transaction.
public struct AssetHistory: Hashable, Sendable {
    /// The asset at that moment.
    public let asset: Asset
    /// The original and its companions.
    public let originals: [AssetResource]
    /// The undo list, oldest first. The original is not in it.
    public let states: [AssetState]
    /// Which state the asset is in: 0 for the original, n for `states[n - 1]`.
    public let position: Int

    /// The asset's own original.
    public var original: AssetResource? { originals.first(where: \.isPrimary) }
    /// The state the asset is in; nil for the original.
    public var currentState: AssetState? { states.first { $0.position == position } }
    /// The edits of the state the asset is in; empty for the original.
    public var chain: [Edit] { currentState?.chain ?? [] }
    /// Whether there is an edit to undo.
    public var canUndo: Bool { position > 0 }
    /// Whether there is an undone edit to redo.
    public var canRedo: Bool { position < states.count }
}
