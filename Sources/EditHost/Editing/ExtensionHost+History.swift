// SPDX-License-Identifier: Apache-2.0

import Library
import Synchronization

extension ExtensionHost {
    /// Moves an asset back by one edit. Re-renders the rendition if it is no longer stored.
    ///
    /// - Throws: `HostError`, `LibraryError`. A no-op if there is nothing to undo.
    public func undo(_ identifier: String, in library: PhotoLibrary) async throws -> HistoryMove {
        try await move([identifier], in: library, by: -1)[0]
    }

    /// Moves an asset forward by one edit. Re-renders the rendition if it is no longer stored.
    ///
    /// - Throws: `HostError`, `LibraryError`. A no-op if there is nothing to redo.
    public func redo(_ identifier: String, in library: PhotoLibrary) async throws -> HistoryMove {
        try await move([identifier], in: library, by: 1)[0]
    }

    /// Moves several assets back by one edit, as one atomic change.
    ///
    /// - Parameters:
    ///   - identifiers: the assets, without duplicates.
    ///   - prepared: called in order with the identifier of each asset whose earlier version is available.
    /// - Returns: the result for each asset, in order. Assets without anything to undo stay as they are.
    /// - Throws: `HostError`, `LibraryError`, `CancellationError`; in that case, nothing has changed.
    public func undo(
        _ identifiers: [String], in library: PhotoLibrary,
        prepared: (String) -> Void = { _ in }
    ) async throws -> [HistoryMove] {
        try await move(identifiers, in: library, by: -1, prepared)
    }

    /// Moves several assets forward by one edit, as one atomic change.
    ///
    /// - Parameters:
    ///   - identifiers: the assets, without duplicates.
    ///   - prepared: called in order with the identifier of each asset whose later version is available.
    /// - Returns: the result for each asset, in order. Assets without anything to redo stay as they are.
    /// - Throws: `HostError`, `LibraryError`, `CancellationError`; in that case, nothing has changed.
    public func redo(
        _ identifiers: [String], in library: PhotoLibrary,
        prepared: (String) -> Void = { _ in }
    ) async throws -> [HistoryMove] {
        try await move(identifiers, in: library, by: 1, prepared)
    }

    /// A move of one asset to another state.
    private struct Step {
        let history: AssetHistory
        /// The rendition of the new state, or nil if the library has it.
        let rendered: RenderedContent?
        let canMove: Bool
    }

    private func move(
        _ identifiers: [String], in library: PhotoLibrary, by step: Int,
        _ prepared: (String) -> Void = { _ in }
    ) async throws -> [HistoryMove] {
        var steps: [Step] = []
        try await forEachOrdered(identifiers, limit: configuration.runnerLimit) {
            identifier -> Result<Step, any Error> in
            do {
                return .success(try await self.step(identifier, in: library, by: step))
            } catch {
                return .failure(error)
            }
        } deliver: { result in
            let step = try result.get()
            steps.append(step)
            prepared(step.history.asset.localIdentifier)
        }
        let requests = Mutex<[String: AssetChangeRequest]>([:])
        let moving = steps.filter(\.canMove)
        if !moving.isEmpty {
            try await library.performChanges {
                for next in moving {
                    let request = try AssetChangeRequest(for: next.history.asset)
                    request.reportHistory()
                    requests.withLock { $0[request.assetIdentifier] = request }
                    if step < 0 {
                        try request.undo(rendered: next.rendered)
                    } else {
                        try request.redo(rendered: next.rendered)
                    }
                }
            }
        }
        return steps.map { step in
            let request = requests.withLock { $0[step.history.asset.localIdentifier] }
            return HistoryMove(
                history: request?.committedHistory ?? step.history, hasMoved: step.canMove)
        }
    }

    private func step(
        _ identifier: String, in library: PhotoLibrary, by step: Int
    ) async throws -> Step {
        let history = try library.history(ofAsset: identifier)
        guard step < 0 ? history.canUndo : history.canRedo else {
            return Step(history: history, rendered: nil, canMove: false)
        }
        let rendered = try await content(
            ofPosition: history.position + step, of: history, in: library)
        return Step(history: history, rendered: rendered, canMove: true)
    }

    /// Returns the rendition of a state, or nil if the library has it.
    private func content(
        ofPosition position: Int, of history: AssetHistory, in library: PhotoLibrary
    ) async throws -> RenderedContent? {
        guard position > 0 else { return nil }
        return try await missing(history.states[position - 1].chain, of: history, in: library)
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

    /// Reverts assets to their originals, as one atomic change. The edits can be redone until the next edit.
    ///
    /// - Throws: `LibraryError`; in that case, nothing has changed.
    public func revert(
        _ identifiers: [String], in library: PhotoLibrary
    ) async throws -> [HistoryMove] {
        let before = try identifiers.map { try library.history(ofAsset: $0) }
        let requests = Mutex<[String: AssetChangeRequest]>([:])
        if before.contains(where: { $0.position > 0 }) {
            try await library.performChanges {
                for history in before where history.position > 0 {
                    let request = try AssetChangeRequest(for: history.asset)
                    request.reportHistory()
                    requests.withLock { $0[request.assetIdentifier] = request }
                    try request.revertAssetContentToOriginal()
                }
            }
        }
        return before.map { history in
            let request = requests.withLock { $0[history.asset.localIdentifier] }
            return HistoryMove(
                history: request?.committedHistory ?? history, hasMoved: history.position > 0)
        }
    }
}
