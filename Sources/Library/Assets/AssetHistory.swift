// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// The originals, edits and versions of an asset, read in one transaction.
public struct AssetHistory: Hashable, Sendable {
    /// The asset as read in the same transaction.
    public let asset: Asset
    /// The original and its companions.
    public let originals: [AssetResource]
    /// The undo list, oldest state first, without the original.
    public let states: [AssetState]
    /// The named versions, sorted by name.
    public let versions: [AssetVersion]
    /// The current state: 0 for the original, n for `states[n - 1]`.
    public let position: Int
    /// The state that a revert left, n for `states[n - 1]`; nil if the last change of the content
    /// was not a revert.
    public internal(set) var revertedPosition: Int?

    /// The primary original, without companions.
    public var original: AssetResource? { originals.first(where: \.isPrimary) }
    /// The current state; nil for the original.
    public var currentState: AssetState? { states.first { $0.position == position } }
    /// The current edit stack, in order of application; empty for the original.
    public var chain: [Edit] { currentState?.chain ?? [] }
    /// The state that an undo returns to: the one before, or the one that a revert left; nil if
    /// there is nothing to undo.
    public var undoPosition: Int? { position > 0 ? position - 1 : revertedPosition }
    /// True if there is an edit or a revert to undo.
    public var canUndo: Bool { undoPosition != nil }
    /// True if there is an undone edit to redo.
    public var canRedo: Bool { position < states.count }
}

extension AssetHistory {
    /// Returns the history as if the edits of a version were the current ones.
    package func showing(_ version: AssetVersion) -> AssetHistory {
        let position = states.count + 1
        let state = AssetState(
            position: position, chain: version.chain, createdDate: version.createdDate)
        return AssetHistory(
            asset: asset, originals: originals, states: states + [state], versions: versions,
            position: position)
    }

    /// Returns the version with a name; nil if there is none or the name is ambiguous. Names that
    /// differ only in Unicode composition are equal. Case is ignored unless two versions differ
    /// only in case.
    public func version(named name: String) -> AssetVersion? {
        guard case .one(let stored) = NameMatch(name, among: versions.map(\.name)) else {
            return nil
        }
        return versions.first { $0.name.utf8.elementsEqual(stored.utf8) }
    }

    /// Returns whether a rendition of an edit can be re-rendered from the data stored below it.
    ///
    /// - Parameters:
    ///   - kind: The kind of rendition.
    ///   - edit: The identifier of the edit.
    ///   - hasOriginal: Whether the original is available. It is not needed if a stored lossless
    ///     base lies above it.
    ///   - canRender: Returns whether the given edits can be rendered again, in their order.
    package func canRender(
        _ kind: Rendition.Kind, ofEdit edit: String, hasOriginal: Bool = true,
        asking canRender: ([Edit]) -> Bool
    ) -> Bool {
        guard let chain = chain(upToEdit: edit) else { return false }
        // The lossless base of an edit is rendered from the edits below it.
        let lower = kind == .base ? chain.dropLast() : chain[...]
        let base = lower.lastIndex { $0.isEnabled && $0.base != nil }
        guard base != nil || hasOriginal else { return false }
        let steps = chain[(base.map { $0 + 1 } ?? 0)...].filter(\.isEnabled)
        return steps.allSatisfy { $0.editingExtension != nil } && canRender(steps)
    }

    /// Returns the edits from the original up to and including `edit`; nil if no state or version
    /// contains it.
    package func chain(upToEdit edit: String) -> [Edit]? {
        for chain in states.map(\.chain) + versions.map(\.chain) {
            guard let end = chain.firstIndex(where: { $0.identifier == edit }) else { continue }
            return Array(chain[...end])
        }
        return nil
    }
}
