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
        var replying: Task<Void, Never>?
        var isBusy = false
        var isOpen = false
        /// The time spent on all requests after the first, which may render the video.
        var spent = Duration.zero
        var failure: (any Error)?
        var isCancelled = false
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

    /// Starts to answer a request, unless the session has ended.
    ///
    /// - Returns: False if another request has not been answered yet.
    func reply(to request: InputVideoRequest) -> Bool {
        state.withLock { state in
            // Threads of an extension may outlive the session.
            guard !state.isOver else { return true }
            guard !state.isBusy else { return false }
            state.isBusy = true
            let previous = state.replying
            // The earlier task is not cancelled, because that would kill the runner.
            state.replying = Task(executorPreference: WaitingThread.executor) { [self] in
                // A runner that does not reply to `supplyVideo` misses that request's deadline. It must not be able to
                // suspend the deadlines of its other requests in the meantime.
                await previous?.value
                let answer = await answer(request)
                self.state.withLock { state in
                    state.isBusy = false
                    state.failure = answer.failure
                }
                _ = try? await runner.send(
                    .supplyVideo(answer.reply), answer.descriptors,
                    timeout: runner.timeouts.shortCall)
            }
            return true
        }
    }

    /// Decodes what a request asks for. The extension is not to blame for a video that takes long to render or to
    /// decode, so its deadlines are suspended during that time. The total is limited, so that an extension cannot evade
    /// its deadlines. Requests beyond the limit fail.
    private func answer(_ request: InputVideoRequest) async -> InputVideoDecoder.Answer {
        let decoding: Task<InputVideoDecoder.Answer, Never>
        do {
            decoding = try decode(request)
        } catch {
            return .failed(error)
        }
        runner.process.beginWaiting(isNow: true, keepsRest: true)
        let start = ContinuousClock.now
        let answer = await decoding.value
        runner.process.endWaiting()
        state.withLock { state in
            if state.isOpen { state.spent += .now - start }
            state.isOpen = true
        }
        return answer
    }

    /// Starts to decode.
    ///
    /// - Throws: `cancelled` after a cancellation, `badInput` if there is no time left.
    private func decode(
        _ request: InputVideoRequest
    ) throws(HostError) -> Task<InputVideoDecoder.Answer, Never> {
        try state.withLock { state throws(HostError) in
            if state.isCancelled { throw HostError(.cancelled, "the edit was cancelled") }
            guard state.spent < runner.timeouts.render else {
                throw HostError(.badInput, "reading the video takes too long")
            }
            // Does not run on Swift's cooperative threads, because all of them may be blocked waiting for the
            // extension.
            let decoding = Task(executorPreference: WaitingThread.executor) { [decoder] in
                await decoder.answer(request)
            }
            state.decoding = decoding
            return decoding
        }
    }

    /// The error of the last request if it failed for a reason that the extension did not cause; otherwise nil.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Stops opening or decoding. The request and later ones fail.
    func cancel() {
        let decoding = state.withLock { state in
            state.isCancelled = true
            return state.decoding
        }
        decoding?.cancel()
    }

    /// Stops supplying and returns the memory and the runner that decodes to their pools.
    func end() async {
        state.withLock { $0.isOver = true }
        cancel()
        await state.withLock { $0.replying }?.value
        await decoder.close()
    }
}
