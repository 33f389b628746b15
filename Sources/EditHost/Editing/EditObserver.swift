// SPDX-License-Identifier: Apache-2.0

import RunnerHost
import RunnerProtocol
import Synchronization

/// Forwards the reports of a runner to the handler of an edit's progress, to its lazily decoded pixels and to its
/// video.
final class EditObserver: RunnerObserver {
    private struct State {
        var progress: ProgressReports?
        var input: LazyPixelSource?
        var placeholder: LazyPixelSource?
        var video: InputVideoSource?
    }

    private let state = Mutex(State())

    /// Notified of the progress of the edit.
    var progress: ProgressReports? {
        get { state.withLock { $0.progress } }
        set { state.withLock { $0.progress = newValue } }
    }

    /// The input of the edit, if it is decoded lazily.
    var input: LazyPixelSource? {
        get { state.withLock { $0.input } }
        set { state.withLock { $0.input = newValue } }
    }

    /// The placeholder of the edit, if it is decoded lazily.
    var placeholder: LazyPixelSource? {
        get { state.withLock { $0.placeholder } }
        set { state.withLock { $0.placeholder = newValue } }
    }

    /// The video of the input, if it has one.
    var video: InputVideoSource? {
        get { state.withLock { $0.video } }
        set { state.withLock { $0.video = newValue } }
    }

    func runner(_ runner: RunnerProcess, didProgressTo fraction: Double) {
        progress?.report(EditProgress(fraction: fraction))
    }

    func runnerNeedsInput(_ runner: RunnerProcess) { input?.render(for: runner) }

    func runnerNeedsPlaceholder(_ runner: RunnerProcess) { placeholder?.render(for: runner) }

    func runner(_ runner: RunnerProcess, requests video: InputVideoRequest) -> Bool {
        self.video?.reply(to: video) ?? true
    }

    /// Ends the reports, and waits for the handler and for pixels and sound that are being decoded.
    func end() async {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        await ended.progress?.end()
        for pixels in [ended.input, ended.placeholder] { await pixels?.end() }
        await ended.video?.end()
    }
}
