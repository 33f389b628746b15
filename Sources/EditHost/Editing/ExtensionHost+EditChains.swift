// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension ExtensionHost {
    /// Applies edits to assets, in their order, as one atomic change. Each asset gets one new state, which can be
    /// undone.
    ///
    /// - Parameters:
    ///   - source: The source of the edits. If it is an asset, that asset is skipped.
    ///   - targets: The assets, without duplicates.
    ///   - options: Which edits are copied, and their position.
    ///   - cancellation: Cancels the work from another task.
    ///   - prepared: Called in order with the identifier of each asset whose new version is rendered.
    ///   - outcome: Returns what is kept of the result for an asset, for large batches. Called in the transaction, so it
    ///     must not use the library.
    /// - Returns: The outcome for each asset, in order.
    /// - Throws: `HostError` with the extension that is missing or failed; `LibraryError`, `CancellationError`;
    ///   in that case, nothing has changed.
    public func applyEdits<Outcome: Sendable>(
        of source: EditSource, to targets: [String], _ options: EditCopyOptions = EditCopyOptions(),
        in library: PhotoLibrary, cancellation: EditCancellation = EditCancellation(),
        prepared: (String) -> Void = { _ in },
        outcome: @escaping @Sendable (EditResult) throws -> Outcome = { $0 }
    ) async throws -> [Outcome] {
        let work = try work(source, options, library, cancellation)
        await pool.warmUp()
        return try await changeEdits(
            of: targets.filter { $0 != source.asset }, in: library, prepared: prepared,
            outcome: outcome, work)
    }

    /// Applies edits to assets, each as a separate change. Assets are processed concurrently.
    ///
    /// - Parameters:
    ///   - source, targets, options, cancellation: See ``applyEdits(of:to:_:in:cancellation:prepared:outcome:)``. Committed
    ///     changes stay after a cancellation.
    ///   - report: Called in order with the identifier and the result of each asset.
    /// - Throws: Errors of the source; any error of `report`; `CancellationError` if some assets were not started.
    public func applyEditsToEach(
        of source: EditSource, to targets: [String], _ options: EditCopyOptions = EditCopyOptions(),
        in library: PhotoLibrary, cancellation: EditCancellation = EditCancellation(),
        report: (String, Result<EditResult, any Error>) async throws -> Void
    ) async throws {
        let work = try work(source, options, library, cancellation)
        await pool.warmUp()
        try await reportEach(targets.filter { $0 != source.asset }, report) {
            try await self.changeEdits(of: [$0], in: library, outcome: { $0 }, work)
        }
    }

    /// Removes edits from an asset's edit stack and re-applies those above, as one new state.
    ///
    /// - Parameters:
    ///   - places: The positions of the edits in the stack, counted from 1.
    ///   - tip: The identifier of the last edit that the positions correspond to; nil if the stack may have changed.
    /// - Throws: `HostError`; `LibraryError`, with `conflict` if the last edit is another one; in that case, nothing
    ///   has changed.
    public func removeEdits(
        at places: Set<Int>, of identifier: String, in library: PhotoLibrary, tip: String? = nil
    ) async throws -> EditResult {
        try await rearrange(identifier, in: library, tip) { history in
            for place in places { try Self.require(place, of: history) }
            let kept = (places.min() ?? 1) - 1
            let rest = (kept..<history.chain.count).filter { !places.contains($0 + 1) }
            guard kept > 0 || !rest.isEmpty else {
                throw HostError(
                    .badRequest, "that would remove all edits; use \"edithost revert\"",
                    asset: identifier)
            }
            return (kept, rest.map { history.chain[$0] })
        }
    }

    /// Moves an edit within an asset's edit stack and re-applies it and those above, as one new state.
    ///
    /// - Parameters:
    ///   - place: The position of the edit in the stack, counted from 1.
    ///   - target: Its new position.
    ///   - tip: See ``removeEdits(at:of:in:tip:)``.
    /// - Throws: `HostError`, `LibraryError`; in that case, nothing has changed.
    public func moveEdit(
        at place: Int, to target: Int, of identifier: String, in library: PhotoLibrary,
        tip: String? = nil
    ) async throws -> EditResult {
        try await rearrange(identifier, in: library, tip) { history in
            try Self.require(place, of: history)
            try Self.require(target, of: history)
            var chain = history.chain
            chain.insert(chain.remove(at: place - 1), at: target - 1)
            let kept = min(place, target) - 1
            return (kept, Array(chain[kept...]))
        }
    }

    /// Enables or disables edits of an asset's edit stack and re-applies those above, as one new state. Disabled edits
    /// keep their positions and recipes.
    ///
    /// - Parameters:
    ///   - places: The positions of the edits in the stack, counted from 1.
    ///   - enabled: Whether the edits are enabled.
    ///   - tip: See ``removeEdits(at:of:in:tip:)``.
    /// - Throws: `HostError`, `LibraryError`; in that case, nothing has changed.
    public func setEdits(
        at places: Set<Int>, of identifier: String, enabled: Bool, in library: PhotoLibrary,
        tip: String? = nil
    ) async throws -> EditResult {
        try await rearrange(identifier, in: library, tip) { history in
            for place in places { try Self.require(place, of: history) }
            let kept = (places.min() ?? 1) - 1
            let edits = try history.chain.enumerated().dropFirst(kept).map { index, edit in
                guard places.contains(index + 1), edit.isEnabled != enabled else { return edit }
                // Its rendition is deleted with the enabled edit, so only the recipe can restore it.
                guard edit.editingExtension != nil, edit.isReproducible else {
                    throw HostError(
                        .cannotRender,
                        "edit \(index + 1) cannot be rendered again from its recipe, so it "
                            + "could not be enabled later; use undo instead", asset: identifier)
                }
                return edit.with(isEnabled: enabled)
            }
            return (kept, edits)
        }
    }

    private static func require(_ place: Int, of history: AssetHistory) throws {
        guard (1...max(1, history.chain.count)).contains(place), !history.chain.isEmpty else {
            throw HostError(
                .badRequest,
                "there is no edit \(place); the photo has "
                    + "\(history.chain.count == 1 ? "1 edit" : "\(history.chain.count) edits")",
                asset: history.asset.localIdentifier)
        }
    }

    private func rearrange(
        _ identifier: String, in library: PhotoLibrary, _ tip: String?,
        _ order: @escaping @Sendable (AssetHistory) throws -> (kept: Int, edits: [Edit])
    ) async throws -> EditResult {
        await pool.warmUp()
        return try await changeEdits(of: [identifier], in: library, outcome: { $0 }) {
            let history = try library.history(ofAsset: $0)
            guard tip == nil || tip == history.chain.last?.identifier else {
                throw LibraryError(
                    .conflict, "the photo was edited in the meantime; look at its edits again",
                    asset: identifier)
            }
            let (kept, edits) = try order(history)
            let present = history.chain[kept...]
            if edits.map(\.identifier) == present.map(\.identifier),
                edits.map(\.isEnabled) == present.map(\.isEnabled)
            {
                return PreparedEdit(unchanged: history)
            }
            let rendering = EditChainRendering(
                self, library, stillOnly: history.chain.last?.coversMotion == false)
            let steps = try rendering.steps(edits)
            return PreparedEdit(
                try await rendering.chain(kept, steps, of: history), of: history,
                warnings: FramingWarnings(history, self.extensions).warnings(kept, steps))
        }[0]
    }
}
