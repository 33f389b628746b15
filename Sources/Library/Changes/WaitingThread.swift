// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Runs asynchronous work for a thread that waits for it, on threads of Dispatch: the waiting thread
/// may be one of Swift's own few, and all of those may be waiting.
/// See docs/design/decisions/0020-decoding-before-a-transaction.md.
package enum WaitingThread {
    /// Runs tasks on threads of Dispatch, for those whom a waiting thread may need.
    package static let executor: any TaskExecutor = Executor()

    /// Runs `body` to its end.
    static func run(_ body: @escaping @Sendable () async throws -> Void) throws {
        let outcome = Outcome()
        let isDone = DispatchSemaphore(value: 0)
        Task.detached(executorPreference: executor) {
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

    /// Runs a `body` that does not fail to its end.
    package static func wait(_ body: @escaping @Sendable () async -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        Task.detached(executorPreference: executor) {
            await body()
            isDone.signal()
        }
        isDone.wait()
    }

    private final class Outcome: Sendable {
        let error = Mutex<(any Error)?>(nil)
    }

    private final class Executor: TaskExecutor {
        private let queue = DispatchQueue(label: "edithost.waiting", attributes: .concurrent)

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
    /// Runs the jobs of an actor that a waiting thread may need, one after the other.
    package final class SerialExecutor: _Concurrency.SerialExecutor {
        private let queue = DispatchQueue(label: "edithost.waiting.serial")

        package init() {}

        package func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }
}
