// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Runs asynchronous work for a thread that waits for it, on threads of Dispatch: the waiting thread
/// may be one of Swift's own few, and all of those may be waiting.
enum WaitingThread {
    /// Runs `body` to its end.
    static func run(_ body: @escaping @Sendable () async throws -> Void) throws {
        let outcome = Outcome()
        let isDone = DispatchSemaphore(value: 0)
        Task.detached(executorPreference: Executor.shared) {
            do {
                try await body()
            } catch {
                outcome.error.withLock { $0 = error }
            }
            isDone.signal()
        }
        isDone.wait()
        if let error = outcome.error.withLock({ $0 }) { throw error }
    }

    private final class Outcome: Sendable {
        let error = Mutex<(any Error)?>(nil)
    }

    private final class Executor: TaskExecutor {
        static let shared = Executor()
        private let queue = DispatchQueue(label: "edithost.waiting", attributes: .concurrent)

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}
