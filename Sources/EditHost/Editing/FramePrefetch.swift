// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// A frame of a video's original, decoded in advance while the extension is loaded and asked about the recipe.
/// The decoding is speculative, but nearly every edit starts from that frame.
final class FramePrefetch: Sendable {
    /// The SHA-256 of the original.
    let original: SHA256Digest
    private let task: Task<Renderer.Base, any Error>

    /// Starts decoding. Returns nil if the original is not stored in the library.
    ///
    /// - Parameter time: The presentation time in seconds, or nil for the first frame.
    init?(of history: AssetHistory, at time: Double?, by renderer: Renderer) {
        guard let plan = try? renderer.planner.plan([], of: history), plan.base == plan.original
        else { return nil }
        original = plan.original
        task = Task {
            let file = try renderer.open(plan.base, .encoded(plan.baseFormat), of: plan)
            return try await renderer.still(of: file, at: time)
        }
    }

    /// The decoded frame. Waits until decoding has finished.
    ///
    /// - Throws: Any error of the decoder.
    var base: Renderer.Base {
        get async throws {
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    deinit { task.cancel() }
}
