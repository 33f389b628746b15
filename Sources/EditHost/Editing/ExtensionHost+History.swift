// SPDX-License-Identifier: Apache-2.0

import Library

extension ExtensionHost {
    /// Moves an asset back by one edit or, after a revert, to the state before it. Re-renders the rendition if it is no
    /// longer stored.
    ///
    /// - Throws: `HostError`, `LibraryError`. A no-op if there is nothing to undo.
    public func undo(_ identifier: String, in library: PhotoLibrary) async throws -> EditResult {
        try await undo([identifier], in: library)[0]
    }

    /// Moves an asset forward by one edit. Re-renders the rendition if it is no longer stored.
    ///
    /// - Throws: `HostError`, `LibraryError`. A no-op if there is nothing to redo.
    public func redo(_ identifier: String, in library: PhotoLibrary) async throws -> EditResult {
        try await redo([identifier], in: library)[0]
    }

    /// Moves several assets back by one edit or, after a revert, to the state before it, as one atomic change.
    ///
    /// - Parameters:
    ///   - identifiers: The assets, without duplicates.
    ///   - prepared: Called in order with the identifier of each asset whose earlier version is available.
    ///   - outcome: Returns what is kept of the result for an asset, for large batches. Called in the transaction, so it
    ///     must not use the library.
    /// - Returns: The outcome for each asset, in order. Assets without anything to undo stay as they are.
    /// - Throws: `HostError`, `LibraryError`, `CancellationError`; in that case, nothing has changed.
    public func undo<Outcome: Sendable>(
        _ identifiers: [String], in library: PhotoLibrary,
        prepared: (String) -> Void = { _ in },
        outcome: @escaping @Sendable (EditResult) throws -> Outcome = { $0 }
    ) async throws -> [Outcome] {
        try await move(identifiers, in: library, prepared, outcome, Self.stepsBack)
    }

    /// The number of states to the one that an undo returns to: negative, or positive after a revert.
    private static let stepsBack: @Sendable (AssetHistory) -> Int = { history in
        history.undoPosition.map { $0 - history.position } ?? 0
    }

    /// Undoes the last edits of a library as one atomic change. Assets that were edited or deleted since they were
    /// looked up are skipped.
    ///
    /// - Parameters:
    ///   - edits: The assets, and their generations.
    ///   - prepared: Called in order with the identifier of each asset whose earlier version is available.
    ///   - outcome: Returns what is kept of the result for an asset, for large batches. Called in the transaction, so it
    ///     must not use the library.
    /// - Returns: The outcomes for the assets that are not skipped, in order.
    /// - Throws: `HostError`, `LibraryError`, `CancellationError`; in that case, nothing has changed.
    package func undo<Outcome: Sendable>(
        _ edits: PhotoLibrary.LastEdits, in library: PhotoLibrary,
        prepared: (String) -> Void = { _ in },
        outcome: @escaping @Sendable (EditResult) throws -> Outcome = { $0 }
    ) async throws -> [Outcome] {
        try await changeEdits(
            of: edits.identifiers, in: library, after: [.conflict, .noSuchAsset],
            prepared: prepared, outcome: outcome
        ) { identifier in
            let history: AssetHistory
            do {
                history = try library.history(ofAsset: identifier)
            } catch let error as LibraryError where error.code == .noSuchAsset {
                return nil
            }
            let asset = history.asset
            guard !asset.isTrashed, asset.generation == edits.generations[identifier] else {
                return nil
            }
            return try await self.moved(history, by: Self.stepsBack(history), in: library)
        }
    }

    /// Moves several assets forward by one edit, as one atomic change.
    ///
    /// - Parameters:
    ///   - identifiers: The assets, without duplicates.
    ///   - prepared: Called in order with the identifier of each asset whose later version is available.
    ///   - outcome: Returns what is kept of the result for an asset, for large batches. Called in the transaction, so it
    ///     must not use the library.
    /// - Returns: The outcome for each asset, in order. Assets without anything to redo stay as they are.
    /// - Throws: `HostError`, `LibraryError`, `CancellationError`; in that case, nothing has changed.
    public func redo<Outcome: Sendable>(
        _ identifiers: [String], in library: PhotoLibrary,
        prepared: (String) -> Void = { _ in },
        outcome: @escaping @Sendable (EditResult) throws -> Outcome = { $0 }
    ) async throws -> [Outcome] {
        try await move(identifiers, in: library, prepared, outcome) { $0.canRedo ? 1 : 0 }
    }

    /// Moves an asset to a state of its undo list, as one change. State 0 is the original. Re-renders the rendition if
    /// it is no longer stored.
    ///
    /// - Throws: `HostError`, with `badRequest` if there is no such state; `LibraryError`. A no-op if the state is the
    ///   current one.
    public func move(
        _ identifier: String, toState position: Int, in library: PhotoLibrary
    ) async throws -> EditResult {
        try await move([identifier], in: library, { _ in }, { $0 }) { history in
            let count = history.states.count
            guard (0...count).contains(position) else {
                throw HostError(
                    .badRequest,
                    "there is no state \(position); the photo has states 0 to \(count)",
                    asset: identifier)
            }
            return position - history.position
        }[0]
    }

    /// - Parameter steps: Returns the number of states by which an asset is moved.
    private func move<Outcome: Sendable>(
        _ identifiers: [String], in library: PhotoLibrary, _ prepared: (String) -> Void,
        _ outcome: @escaping @Sendable (EditResult) throws -> Outcome,
        _ steps: @escaping @Sendable (AssetHistory) throws -> Int
    ) async throws -> [Outcome] {
        try await changeEdits(
            of: identifiers, in: library, attempts: 1, prepared: prepared, outcome: outcome
        ) {
            let history = try library.history(ofAsset: $0)
            return try await self.moved(history, by: steps(history), in: library)
        }
    }

    /// Prepares the move of an asset by a number of states.
    private func moved(
        _ history: AssetHistory, by steps: Int, in library: PhotoLibrary
    ) async throws -> PreparedEdit {
        guard steps != 0 else { return PreparedEdit(unchanged: history) }
        let position = history.position + steps
        let rendered =
            position == 0
            ? nil
            : try await missing(history.states[position - 1].chain, of: history, in: library)
        return PreparedEdit(of: history, .move(history.asset, by: steps, rendered: rendered))
    }

    /// Renders the renditions of an edit stack that the library does not have. Returns nil if it has all of them.
    func missing(
        _ chain: [Edit], of history: AssetHistory, in library: PhotoLibrary
    ) async throws -> RenderedContent? {
        var rendered = try await missingPart(chain, of: history, in: library)
        guard chain.last?.coversMotion == true, let motion = history.motion,
            let video = try await missingPart(chain.map(\.ofMotion), of: motion, in: library)
        else { return rendered }
        rendered?.otherParts = [video]
        return rendered ?? video
    }

    private func missingPart(
        _ chain: [Edit], of history: AssetHistory, in library: PhotoLibrary
    ) async throws -> RenderedContent? {
        guard library.storedPicture(of: chain) == nil else { return nil }
        return try await renderer(of: library).rendition(of: chain, in: history)
    }

    /// Reverts assets to their originals, as one atomic change. An undo returns to the state before, and the edits can
    /// be redone until the next edit.
    ///
    /// - Parameters:
    ///   - identifiers: The assets, without duplicates.
    ///   - outcome: Returns what is kept of the result for an asset, for large batches. Called in the transaction, so it
    ///     must not use the library.
    /// - Throws: `LibraryError`, `CancellationError`; in that case, nothing has changed.
    public func revert<Outcome: Sendable>(
        _ identifiers: [String], in library: PhotoLibrary,
        outcome: @escaping @Sendable (EditResult) throws -> Outcome = { $0 }
    ) async throws -> [Outcome] {
        try await changeEdits(of: identifiers, in: library, attempts: 1, outcome: outcome) {
            let history = try library.history(ofAsset: $0)
            guard history.position > 0 else { return PreparedEdit(unchanged: history) }
            return PreparedEdit(of: history, .revert(history.asset))
        }
    }
}
