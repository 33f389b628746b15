// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Runs asynchronous work on Dispatch threads while the calling thread blocks.
///
/// The caller may occupy one of the few threads of Swift's cooperative pool. If all of them
/// blocked, work scheduled on that pool could never run.
/// See docs/design/decisions/0020-decoding-before-a-transaction.md.
package enum WaitingThread {
    /// A task executor on Dispatch threads, for tasks that a blocked thread may depend on.
    package static let executor: any TaskExecutor = Executor()

    /// Blocks until `body` has finished, and rethrows its error.
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

    /// Blocks until a nonthrowing `body` has finished.
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
}
