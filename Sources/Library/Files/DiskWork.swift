// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// Runs blocking disk I/O off the cooperative thread pool. The pool has few threads, and tasks that
/// this one waits for may need them.
enum DiskWork {
    private static let queue = DispatchQueue(
        label: "org.edithost.library.disk", attributes: .concurrent)

    /// Runs `body` on another thread.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
