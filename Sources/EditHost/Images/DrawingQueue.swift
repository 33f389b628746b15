// SPDX-License-Identifier: Apache-2.0

import Library
import RunnerProtocol
import Synchronization

/// Drawings that are under way or wait for their turn. What several ask for at once is drawn once; what nobody
/// wants any more is dropped, or ended.
final class DrawingQueue: Sendable {
    /// Whose turn it is first.
    enum Priority: Int, CaseIterable, Sendable {
        /// A quick answer, or one that somebody's thread waits for.
        case quick
        /// Somebody is waiting for it.
        case visible
        /// Somebody may want it.
        case ahead
    }

    /// What makes two drawings the same.
    struct Key: Hashable, Sendable {
        let source: ImageSource.Key
        let drawing: ImageDrawing
    }

    /// What came of a drawing.
    typealias Work = @Sendable () async throws -> Drawn
    private typealias Answer = Result<Drawn, any Error>

    private struct Job {
        let key: Key
        let work: Work
        var priority: Priority
        var waiters: [Int: CheckedContinuation<Answer, Never>] = [:]
        /// Nil: it waits for its turn.
        var task: Task<Void, Never>?
    }

    private struct State {
        var jobs: [Int: Job] = [:]
        var numbers: [Key: Int] = [:]
        /// Numbers of jobs in their order; some may be gone, or have another priority by now.
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

    /// - Parameter limit: How many are drawn at once.
    init(limit: Int) { self.limit = max(1, limit) }

    /// How many there are: under way, ended but not gone yet, or waiting.
    var count: Int { state.withLock { max($0.jobs.count, $0.running) } }

    /// How many have been begun so far.
    var begun: Int { state.withLock { $0.begun } }

    /// Waits for a drawing. A task that is cancelled waits no longer.
    ///
    /// - Throws: what `work` throws; `HostError` with `cancelled`.
    func draw(_ key: Key, _ priority: Priority, _ work: @escaping Work) async throws -> Drawn {
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
            // The cancel may have come before.
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
                // Whoever asks for the same from now on gets another.
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

/// What came of a drawing: pixels, an encoded file, or both.
struct Drawn: Sendable {
    var image: AssetImage?
    var encoded: EncodedImage?
}
