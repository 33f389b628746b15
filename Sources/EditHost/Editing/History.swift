// SPDX-License-Identifier: Apache-2.0

import Library
import Synchronization

extension ExtensionHost {
    /// Goes back one edit. A rendition that is no longer stored is rendered again.
    ///
    /// - Throws: `HostError`, `LibraryError`. Nothing to undo is no error.
    public func undo(_ identifier: String, in library: PhotoLibrary) async throws -> HistoryMove {
        try await move(identifier, in: library, by: -1)
    }

    /// Goes forward one edit again. A rendition that is no longer stored is rendered again.
    ///
    /// - Throws: `HostError`, `LibraryError`. Nothing to redo is no error.
    public func redo(_ identifier: String, in library: PhotoLibrary) async throws -> HistoryMove {
        try await move(identifier, in: library, by: 1)
    }

    private func move(
        _ identifier: String, in library: PhotoLibrary, by step: Int
    ) async throws -> HistoryMove {
        let history = try library.history(ofAsset: identifier)
        guard step < 0 ? history.canUndo : history.canRedo else {
            return HistoryMove(history: history, hasMoved: false)
        }
        let rendered = try await content(
            ofPosition: history.position + step, of: history, in: library)
        let made = Mutex<AssetChangeRequest?>(nil)
        try await library.performChanges {
            let request = try AssetChangeRequest(for: history.asset)
            request.reportHistory()
            made.withLock { $0 = request }
            if step < 0 {
                try request.undo(rendered: rendered)
            } else {
                try request.redo(rendered: rendered)
            }
        }
        let committed = made.withLock { $0?.committedHistory }
        return HistoryMove(history: committed ?? history, hasMoved: true)
    }

    /// The rendition of a state, where the library does not have it.
    private func content(
        ofPosition position: Int, of history: AssetHistory, in library: PhotoLibrary
    ) async throws -> RenderedContent? {
        guard position > 0 else { return nil }
        let chain = history.states[position - 1].chain
        var rendered = try await missing(chain, of: history, in: library)
        guard chain.last?.coversMotion == true, let motion = history.motion,
            let video = try await missing(
                motion.states[position - 1].chain, of: motion, in: library)
        else { return rendered }
        rendered?.otherParts = [video]
        return rendered ?? video
    }

    private func missing(
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
