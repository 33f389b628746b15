// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Receives the progress of the work on an asset, in increasing order. Called on a background thread, serially for each
/// asset, and never after its work has ended.
public typealias EditProgressHandler =
    @Sendable (_ assetIdentifier: String, _ progress: EditProgress) -> Void

/// Forwards the progress of one edit from its extension to a handler.
///
/// A runner is untrusted: invalid or decreasing values are ignored, and while the handler runs only the latest
/// value is kept.
final class ProgressReports: Sendable {
    private struct State {
        var last = EditProgress(fraction: -1)
        var isScheduled = false
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

    /// Forwards a value. Never waits for the handler.
    func report(_ progress: EditProgress) {
        guard !progress.fraction.isNaN else { return }
        let isFirst = state.withLock { state in
            var progress = progress
            progress.fraction = min(max(progress.fraction, 0), 1)
            guard progress.fraction > state.last.fraction, !state.hasEnded else { return false }
            state.last = progress
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { queue.async { [self] in callHandler() } }
    }

    private func callHandler() {
        let latest = state.withLock { state in
            state.isScheduled = false
            return state.last
        }
        handler(assetIdentifier, latest)
    }

    /// Waits until the handler has received the last value. It is not called afterwards.
    func end() async {
        state.withLock { $0.hasEnded = true }
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
    }
}
