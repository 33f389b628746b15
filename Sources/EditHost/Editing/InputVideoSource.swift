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
        /// The time spent on all demands.
        var spent = Duration.zero
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
            let previous = state.supplying
            // Not cancelled, because that would kill the runner.
            state.supplying = Task(executorPreference: WaitingThread.executor) { [self] in
                // A runner that does not reply to a supply misses the deadline of it. It must not be able to suspend the
                // deadlines of its other requests meanwhile.
                await previous?.value
                let answer = await answer(demand)
                self.state.withLock { $0.isBusy = false }
                _ = try? await runner.ask(
                    .supplyVideo(answer.supply), answer.descriptors,
                    deadline: runner.deadlines.canHandle)
            }
        }
    }

    /// Decodes. The extension is not to blame for a video that takes long to render or to decode, so its deadlines are
    /// suspended meanwhile. The total is limited, so that it cannot evade its deadlines.
    private func answer(_ demand: VideoDemand) async -> InputVideoDecoder.Answer {
        let (decoding, suspends) = state.withLock { state in
            // Not on Swift's cooperative threads: all of them may be blocked waiting for the extension.
            let decoding = Task(executorPreference: WaitingThread.executor) { [decoder] in
                await decoder.answer(demand)
            }
            state.decoding = decoding
            defer { state.isOpen = true }
            return (decoding, !state.isOpen || state.spent < runner.deadlines.render)
        }
        if suspends { runner.process.beginWaiting(isNow: true, keepsRest: true) }
        let start = ContinuousClock.now
        let answer = await decoding.value
        if suspends { runner.process.endWaiting() }
        state.withLock { $0.spent += .now - start }
        return answer
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
