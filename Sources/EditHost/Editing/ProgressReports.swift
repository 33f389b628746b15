// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// How far the work on one asset is.
public struct EditProgress: Hashable, Sendable {
    /// How much is done, 0...1, as the extension says, or of a video as its frames tell.
    public var fraction: Double
    /// Of a video: how many frames have been encoded; nil: it is not one, or they are not counted.
    public var frameCount: Int?

    /// Makes one; both arguments are the properties of their names.
    public init(fraction: Double, frameCount: Int? = nil) {
        self.fraction = fraction
        self.frameCount = frameCount
    }
}

/// Is told how far the work on an asset is, ever more. Called on a thread that is not the caller's, of one asset one
/// call at a time, and not any more once its work has ended.
public typealias EditProgressHandler =
    @Sendable (_ assetIdentifier: String, _ progress: EditProgress) -> Void

/// What the extension of one edit says of its progress, on its way to whoever wants to know.
///
/// A runner may say anything at any rate: what is no progress is passed over, and while the handler is at
/// work only the latest is kept.
final class ProgressReports: Sendable {
    private struct State {
        var last = EditProgress(fraction: -1)
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
    func report(_ progress: EditProgress) {
        guard !progress.fraction.isNaN else { return }
        let isFirst = state.withLock { state in
            var progress = progress
            progress.fraction = min(max(progress.fraction, 0), 1)
            guard progress.fraction > state.last.fraction, !state.hasEnded else { return false }
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
