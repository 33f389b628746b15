// SPDX-License-Identifier: Apache-2.0

import Library
import Logging
import RunnerHost
import RunnerProtocol
import Synchronization

/// Supplies the extension of a session with frames and sound of its video.
final class InputVideoSource: Sendable {
    /// Opens or renders a video, and returns it with the history of the Live Photo that it belongs to, if any.
    typealias Opening = @Sendable () async throws -> (video: AssetVideo, livePhoto: AssetHistory?)

    private struct State {
        var decoding: Task<InputVideoDecoder.Answer, Never>?
        var supplying: Task<Void, Never>?
        var isBusy = false
        var isOpen = false
        var isOver = false
    }

    private let runner: Runner
    private let decoder: InputVideoDecoder
    private let state = Mutex(State())

    /// - Parameter runner: The runner of the session.
    init(for runner: Runner, _ decoder: InputVideoDecoder) {
        self.runner = runner
        self.decoder = decoder
    }

    /// Meets a demand.
    func supply(_ demand: VideoDemand) {
        state.withLock { state in
            // A runner is untrusted and may demand anything at any time.
            guard !state.isBusy, !state.isOver else { return }
            state.isBusy = true
            // Opening may include rendering. It suspends the deadlines only once, so that they cannot be evaded.
            let isOpening = !state.isOpen
            state.isOpen = true
            if isOpening { runner.process.beginWaiting(isNow: true) }
            let previous = state.supplying
            // Not on Swift's cooperative threads: all of them may be blocked waiting for the extension.
            let decoding = Task(executorPreference: WaitingThread.executor) { [decoder] in
                await decoder.answer(demand)
            }
            state.decoding = decoding
            // Not cancelled, because that would kill the runner.
            state.supplying = Task(executorPreference: WaitingThread.executor) { [self] in
                await previous?.value
                let answer = await decoding.value
                if isOpening { runner.process.endWaiting() }
                self.state.withLock { $0.isBusy = false }
                _ = try? await runner.ask(
                    .supplyVideo(answer.supply), answer.descriptors,
                    deadline: runner.deadlines.canHandle)
            }
        }
    }

    /// Stops opening or decoding. The demand fails.
    func cancel() { state.withLock { $0.decoding }?.cancel() }

    /// Stops supplying and returns the memory and the runner that decodes to their pools.
    func end() async {
        state.withLock { $0.isOver = true }
        cancel()
        await state.withLock { $0.supplying }?.value
        await decoder.close()
    }
}
