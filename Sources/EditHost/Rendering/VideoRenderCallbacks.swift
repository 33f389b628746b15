// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerProtocol

/// Reports the progress of a video render in flight, and checks whether it is cancelled.
struct VideoRenderCallbacks: Sendable {
    /// Throws an error if the video is no longer needed.
    var check: @Sendable () throws -> Void = { try Task.checkCancellation() }
    /// Notified of the progress.
    var progress: EditProgressHandler?

    func report(
        _ frameCount: Int, _ seconds: Double, _ timing: FrameTiming, of asset: String
    ) {
        guard let progress, timing.duration > 0 else { return }
        let whole = timing.seconds(timing.start &+ timing.duration)
        let fraction = min(1, max(0, seconds / whole))
        progress(asset, EditProgress(fraction: fraction, frameCount: frameCount))
    }
}
