// SPDX-License-Identifier: Apache-2.0

import Library
import Synchronization

extension ExtensionHost {
    /// Goes back one edit. A rendition that is no longer stored is rendered again.
    ///
    /// - Throws: `HostError`, `LibraryError`. Nothing to undo is no error.
    public func undo(_ identifier: String, in library: PhotoLibrary) async throws -> HistoryMove {
        try await move([identifier], in: library, by: -1)[0]
    }

    /// Goes forward one edit again. A rendition that is no longer stored is rendered again.
    ///
    /// - Throws: `HostError`, `LibraryError`. Nothing to redo is no error.
    public func redo(_ identifier: String, in library: PhotoLibrary) async throws -> HistoryMove {
        try await move([identifier], in: library, by: 1)[0]
    }

    /// Goes back one edit with each of several assets, as one change: all of them, or none.
    ///
    /// - Parameters:
    ///   - identifiers: the assets, each once.
    ///   - prepared: told of each asset in order whose version to go to is there.
    /// - Returns: where each is, in their order. Nothing to undo is no error.
    /// - Throws: `HostError`, `LibraryError`, `CancellationError`; nothing has changed then.
    public func undo(
        _ identifiers: [String], in library: PhotoLibrary,
        prepared: (String) -> Void = { _ in }
    ) async throws -> [HistoryMove] {
        try await move(identifiers, in: library, by: -1, prepared)
    }

    /// Goes forward one edit again with each of several assets, as one change: all of them, or none.
    ///
    /// - Parameters:
    ///   - identifiers: the assets, each once.
    ///   - prepared: told of each asset in order whose version to go to is there.
    /// - Returns: where each is, in their order. Nothing to redo is no error.
    /// - Throws: `HostError`, `LibraryError`, `CancellationError`; nothing has changed then.
    public func redo(
        _ identifiers: [String], in library: PhotoLibrary,
        prepared: (String) -> Void = { _ in }
    ) async throws -> [HistoryMove] {
        try await move(identifiers, in: library, by: 1, prepared)
    }

    /// A state to go to.
    private struct Step {
        let history: AssetHistory
        /// Nil where nothing had to be rendered.
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

    /// The rendition of a state, where the library does not have it.
    private func content(
        ofPosition position: Int, of history: AssetHistory, in library: PhotoLibrary
    ) async throws -> RenderedContent? {
        guard position > 0 else { return nil }
        return try await missing(history.states[position - 1].chain, of: history, in: library)
    }

    /// What of the renditions of a chain of edits the library does not have; nil: it has all.
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
        if let stored = chain.last?.current, library.containsBlob(stored.blob) { return nil }
        return try await renderer(of: library).rendition(of: chain, in: history)
    }

    /// Goes back to the originals, as one change. The edits can be redone until the next edit.
    ///
    /// - Throws: `LibraryError`; nothing has changed then.
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

/// Where an asset is after an undo, redo or revert.
public struct HistoryMove: Sendable {
    /// The asset's history after the move.
    public let history: AssetHistory
    /// Whether there was anything to move to.
    public let hasMoved: Bool
}
