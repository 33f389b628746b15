// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// A frame of a video's original that is decoded before it is known that an edit starts from it, which it
/// nearly always does: meanwhile the extension is loaded and asked about the recipe.
final class EarlyFrame: Sendable {
    /// The hash of the original.
    let original: SHA256Digest
    private let task: Task<Renderer.Base, any Error>

    /// Begins to decode; nil where there is no stored original.
    ///
    /// - Parameter time: in seconds, as players count; nil: the first frame.
    init?(of history: AssetHistory, at time: Double?, by renderer: Renderer) {
        guard let plan = try? renderer.planner.plan([], of: history), plan.base == plan.original
        else { return nil }
        original = plan.original
        task = Task {
            let file = try renderer.open(plan.base, .encoded(plan.baseFormat), of: plan)
            return try await renderer.still(of: file, at: time)
        }
    }

    /// The frame.
    ///
    /// - Throws: what decoding throws.
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
