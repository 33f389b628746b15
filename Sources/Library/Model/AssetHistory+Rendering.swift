// SPDX-License-Identifier: Apache-2.0

extension AssetHistory {
    /// Whether what was rendered for an edit can be rendered again from what is stored below it.
    ///
    /// - Parameters:
    ///   - kind: Which of the edit's renditions.
    ///   - edit: The edit's identifier.
    ///   - hasOriginal: Whether the original is here; where a lossless base lies above it, it is
    ///     not needed.
    ///   - canRender: Whether these edits can be run again in their order.
    public func canRender(
        _ kind: Rendition.Kind, ofEdit edit: String, hasOriginal: Bool = true,
        asking canRender: ([Edit]) -> Bool
    ) -> Bool {
        guard let chain = chain(upToEdit: edit) else { return false }
        // The lossless result of a step is made from what lies below it.
        let lower = kind == .base ? chain.dropLast() : chain[...]
        let base = lower.lastIndex { $0.base != nil }
        guard base != nil || hasOriginal else { return false }
        let steps = Array(chain[(base.map { $0 + 1 } ?? 0)...])
        return steps.allSatisfy { $0.editingExtension != nil } && canRender(steps)
    }

    /// The edits from the original up to one of them, which is the last; nil where no state
    /// leads to it.
    public func chain(upToEdit edit: String) -> [Edit]? {
        for chain in states.map(\.chain) {
            guard let end = chain.firstIndex(where: { $0.identifier == edit }) else { continue }
            return Array(chain[...end])
        }
        return nil
    }
}
