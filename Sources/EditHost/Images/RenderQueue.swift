// SPDX-License-Identifier: Apache-2.0

import Library
import RunnerProtocol
import Synchronization

/// A queue of renders that are in flight or waiting. Concurrent requests for the same picture share one render. A
/// render without waiters is dropped or cancelled.
final class RenderQueue: Sendable {
    /// The order in which waiting renders start.
    enum Priority: Int, CaseIterable, Sendable {
        /// A quick answer, or one that blocks a thread.
        case quick
        /// A picture that the user is waiting for.
        case visible
        /// A prefetched picture.
        case ahead
    }

    /// The identity of a render. Requests with equal keys share a render.
    struct Key: Hashable, Sendable {
        let source: DisplaySource.Key
        let display: DisplaySettings
    }

    /// The operation that renders a picture.
    typealias Work = @Sendable () async throws -> RenderedPicture
    private typealias Answer = Result<RenderedPicture, any Error>

    private struct Job {
        let key: Key
        let work: Work
        var priority: Priority
        var waiters: [Int: CheckedContinuation<Answer, Never>] = [:]
        /// `nil` while the job is waiting.
        var task: Task<Void, Never>?
    }

    private struct State {
        var jobs: [Int: Job] = [:]
        var numbers: [Key: Int] = [:]
        /// The numbers of the waiting jobs, in order. Jobs that have ended or changed their priority are skipped.
        var waiting: [Priority: [Int]] = [:]
        var running = 0
        var begun = 0
        var lastNumber = 0

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The maximum number of concurrent renders.
    init(limit: Int) { self.limit = max(1, limit) }

    /// The number of jobs that are waiting, in flight, or cancelled but still running.
    var count: Int { state.withLock { max($0.jobs.count, $0.running) } }

    /// The number of jobs started so far.
    var begun: Int { state.withLock { $0.begun } }

    /// Waits for a render. If the task is cancelled, it stops waiting.
    ///
    /// - Throws: Errors thrown by `work`; `HostError` with `cancelled`.
    func render(_ key: Key, _ priority: Priority, _ work: @escaping Work) async throws
        -> RenderedPicture
    {
        let waiter = state.withLock { $0.nextNumber() }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                join(key, priority, waiter, continuation, work)
            }
        } onCancel: {
            leave(key, waiter)
        }
        return try answer.get()
    }

    private static let cancelled = HostError(.cancelled, "the request was cancelled")

    private func join(
        _ key: Key, _ priority: Priority, _ waiter: Int,
        _ continuation: CheckedContinuation<Answer, Never>, _ work: @escaping Work
    ) {
        let isTooLate = state.withLock { state -> Bool in
            // The task may have been cancelled before its waiter was registered.
            if Task.isCancelled { return true }
            let number = state.numbers[key] ?? state.nextNumber()
            var job = state.jobs[number] ?? Job(key: key, work: work, priority: priority)
            let isNew = job.waiters.isEmpty
            job.waiters[waiter] = continuation
            if isNew || job.task == nil && priority.rawValue < job.priority.rawValue {
                job.priority = priority
                state.waiting[priority, default: []].append(number)
            }
            state.jobs[number] = job
            state.numbers[key] = number
            startNext(&state)
            return false
        }
        if isTooLate { continuation.resume(returning: .failure(Self.cancelled)) }
    }

    private func leave(_ key: Key, _ waiter: Int) {
        let continuation = state.withLock { state -> CheckedContinuation<Answer, Never>? in
            guard let number = state.numbers[key],
                let left = state.jobs[number]?.waiters.removeValue(forKey: waiter)
            else { return nil }
            if state.jobs[number]?.waiters.isEmpty == true {
                // A later request for the same picture starts a new job.
                state.numbers[key] = nil
                state.jobs.removeValue(forKey: number)?.task?.cancel()
            }
            return left
        }
        continuation?.resume(returning: .failure(Self.cancelled))
    }

    private func startNext(_ state: inout State) {
        for priority in Priority.allCases {
            var numbers = state.waiting.removeValue(forKey: priority) ?? []
            var begun = 0
            while state.running < limit, begun < numbers.count {
                let number = numbers[begun]
                begun += 1
                guard let job = state.jobs[number], job.task == nil, job.priority == priority else {
                    continue
                }
                state.running += 1
                state.begun += 1
                state.jobs[number]?.task = Task.detached(
                    executorPreference: WaitingThread.executor
                ) { [self] in
                    let answer: Answer
                    do {
                        answer = .success(try await job.work())
                    } catch {
                        answer = .failure(error)
                    }
                    finish(number, answer)
                }
            }
            numbers.removeFirst(begun)
            if !numbers.isEmpty { state.waiting[priority] = numbers }
        }
    }

    private func finish(_ number: Int, _ answer: Answer) {
        let waiters = state.withLock { state in
            let job = state.jobs.removeValue(forKey: number)
            if let job { state.numbers[job.key] = nil }
            state.running -= 1
            startNext(&state)
            return job?.waiters.values.map { $0 } ?? []
        }
        for waiter in waiters { waiter.resume(returning: answer) }
    }
}
