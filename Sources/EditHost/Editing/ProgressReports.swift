// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Is told how far the edit of a photograph is, as its extension says: 0...1, ever more. Called on a
/// thread of its own, one call at a time, and not any more once the edit has ended.
public typealias EditProgressHandler =
    @Sendable (_ assetIdentifier: String, _ fraction: Double) -> Void

/// What the extension of one edit says of its progress, on its way to whoever wants to know.
///
/// A runner may say anything at any rate: what is no progress is passed over, and while the handler is at
/// work only the latest is kept.
final class ProgressReports: Sendable {
    private struct State {
        var last = -1.0
        var isUnderWay = false
        var hasEnded = false
    }

    private let assetIdentifier: String
    private let handler: EditProgressHandler
    private let queue = DispatchQueue(label: "progress of an edit")
    private let state = Mutex(State())

    init(of assetIdentifier: String, to handler: @escaping EditProgressHandler) {
        self.assetIdentifier = assetIdentifier
        self.handler = handler
    }

    /// Passes on what the extension says. Never waits for the handler.
    func report(_ fraction: Double) {
        guard !fraction.isNaN else { return }
        let isFirst = state.withLock { state in
            let progress = min(max(fraction, 0), 1)
            guard progress > state.last, !state.hasEnded else { return false }
            state.last = progress
            defer { state.isUnderWay = true }
            return !state.isUnderWay
        }
        if isFirst { queue.async { [self] in tell() } }
    }

    private func tell() {
        let latest = state.withLock { state in
            state.isUnderWay = false
            return state.last
        }
        handler(assetIdentifier, latest)
    }

    /// Waits until the handler was told of the last, and tells it nothing any more.
    func end() async {
        state.withLock { $0.hasEnded = true }
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
    }
}
