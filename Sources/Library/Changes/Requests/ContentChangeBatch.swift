// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Changes of the content of many assets, executed in order as one atomic change.
///
/// It takes much less memory than an ``AssetChangeRequest`` for each asset. An item is released when
/// its change has been executed.
package final class ContentChangeBatch<Item: BatchedContentChange, Outcome: Sendable>:
    ChangeRequest
{
    private struct State {
        /// Nil for items that were executed.
        var items: [Item?] = []
        var outcomes: [Outcome] = []
    }

    private let state = Mutex(State())
    private let outcome: @Sendable (Item, AssetHistory) throws -> Outcome

    /// Creates an empty batch.
    ///
    /// - Parameter outcome: Returns what is kept of an item, given the asset's history after the
    ///   change. Called before the transaction commits, so it must not use the library; an error
    ///   that it throws rolls the transaction back.
    package init(outcome: @escaping @Sendable (Item, AssetHistory) throws -> Outcome) {
        self.outcome = outcome
    }

    /// Adds an item.
    package func append(_ item: Item) { state.withLock { $0.items.append(item) } }

    /// Executes the changes. A batch can be committed once, even if that fails.
    ///
    /// - Returns: The outcomes of the items that have a change, in order.
    /// - Throws: `LibraryError`, with `conflict` if an asset was edited since its change was
    ///   prepared, except by a revert; the other errors of ``PhotoLibrary/performChanges(_:)``.
    package func commit(in library: PhotoLibrary) async throws -> [Outcome] {
        if state.withLock(\.items.isEmpty) { return [] }
        try await library.performChanges { try ChangeBlock.current().add(self) }
        return state.withLock(\.outcomes)
    }

    func describe(in summary: inout ChangeSummary) {
        for change in changes { summary.addUpdated(change.assetIdentifier) }
    }

    var stagedBlobs: [StagedBlob] { changes.flatMap(\.change.stagedBlobs) }

    func check(with executor: ChangeExecutor) throws {
        for change in changes { try change.change.check(with: executor) }
    }

    func apply(with executor: ChangeExecutor) throws {
        for index in 0..<state.withLock(\.items.count) {
            guard let item = state.withLock({ $0.items[index].take() }),
                let change = item.contentChange
            else { continue }
            let identifier = change.assetIdentifier
            try change.change.apply(to: identifier, from: change.generation, with: executor)
            let reader = HistoryReader(
                database: executor.context.database, assetIdentifier: identifier)
            let outcome = try outcome(item, try reader.history())
            state.withLock { $0.outcomes.append(outcome) }
        }
    }

    /// The changes that were not executed yet.
    private var changes: some Sequence<AssetContentChange> {
        state.withLock(\.items).lazy.compactMap { $0?.contentChange }
    }
}
