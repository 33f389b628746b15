// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Work that waits for the disk. Swift has few threads for tasks, and a task must not keep one while the
/// disk is slow: others, of which it may be waiting for one, could not go on.
enum DiskWork {
    private static let queue = DispatchQueue(
        label: "org.edithost.library.disk", attributes: .concurrent)

    /// Runs the body on another thread.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
