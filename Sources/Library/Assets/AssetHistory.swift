// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// Everything that the library keeps about an asset's content, read in one transaction.
public struct AssetHistory: Hashable, Sendable {
    /// The asset at that moment.
    public let asset: Asset
    /// The original and its companions.
    public let originals: [AssetResource]
    /// The undo list, oldest first. The original is not in it.
    public let states: [AssetState]
    /// The versions that have a name, in the order of these.
    public let versions: [AssetVersion]
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

/// One entry of an asset's undo list: the edits that lead from the original to it.
public struct AssetState: Hashable, Sendable {
    /// Its place in the list, from 1.
    public let position: Int
    /// The edits in the order in which they are applied; never empty.
    public let chain: [Edit]
    /// When it was committed.
    public let createdDate: Date

    /// The last edit, whose rendition is the state's.
    public var tip: Edit? { chain.last }
}

/// A look of an asset that was given a name: it stays, with its picture, whatever is edited or undone.
public struct AssetVersion: Hashable, Sendable {
    /// The name, unique for the asset.
    public let name: String
    /// The edits in the order in which they are applied; never empty.
    public let chain: [Edit]
    /// When it was given its name.
    public let createdDate: Date

    /// The last edit, whose rendition is the version's.
    public var tip: Edit? { chain.last }
}

extension AssetHistory {
    /// The version of a name; nil: there is none, or several are meant. How its characters are composed makes no difference,
    /// and case only if another version is called so in another case.
    public func version(named name: String) -> AssetVersion? {
        guard case .one(let stored) = MeantName(name, among: versions.map(\.name)) else {
            return nil
        }
        return versions.first { $0.name.utf8.elementsEqual(stored.utf8) }
    }

    /// Whether what was rendered for an edit can be rendered again from what is stored below it.
    ///
    /// - Parameters:
    ///   - kind: Which of the edit's renditions.
    ///   - edit: The edit's identifier.
    ///   - hasOriginal: Whether the original is here; where a lossless base lies above it, it is
    ///     not needed.
    ///   - canRender: Whether these edits can be run again in their order.
    package func canRender(
        _ kind: Rendition.Kind, ofEdit edit: String, hasOriginal: Bool = true,
        asking canRender: ([Edit]) -> Bool
    ) -> Bool {
        guard let chain = chain(upToEdit: edit) else { return false }
        // The lossless result of a step is made from what lies below it.
        let lower = kind == .base ? chain.dropLast() : chain[...]
        let base = lower.lastIndex { $0.isEnabled && $0.base != nil }
        guard base != nil || hasOriginal else { return false }
        let steps = chain[(base.map { $0 + 1 } ?? 0)...].filter(\.isEnabled)
        return steps.allSatisfy { $0.editingExtension != nil } && canRender(steps)
    }

    /// The edits from the original up to one of them, which is the last; nil where neither a state nor a
    /// version leads to it.
    package func chain(upToEdit edit: String) -> [Edit]? {
        for chain in states.map(\.chain) + versions.map(\.chain) {
            guard let end = chain.firstIndex(where: { $0.identifier == edit }) else { continue }
            return Array(chain[...end])
        }
        return nil
    }
}
