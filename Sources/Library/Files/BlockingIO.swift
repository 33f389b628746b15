// SPDX-License-Identifier: Apache-2.0

/// Runs blocking disk I/O off the cooperative thread pool. The pool has few threads, and tasks that
/// this one waits for may need them.
enum BlockingIO {
    /// Runs `body` on another thread, in the same task, so that it can check for cancellation.
    static func run<Value: Sendable>(
        _ body: @Sendable () throws -> Value
    ) async throws -> Value {
        try await withTaskExecutorPreference(WaitingThread.executor) { try body() }
    }
}
