// SPDX-License-Identifier: Apache-2.0

import Library
import Synchronization

/// Limits the memory of the pictures that are rendered concurrently.
///
/// Requests are served in order, so that a large picture is not starved. A picture that exceeds the whole budget is
/// rendered alone.
package final class MemoryBudget: Sendable {
    private struct State {
        var used = 0
        var waiting: [(bytes: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The limit in bytes.
    package init(limit: Int) { self.limit = limit }

    /// Runs `body` once there is memory for it.
    package func using<Result: Sendable>(
        _ bytes: Int, _ body: @Sendable () async -> Result
    ) async -> Result {
        let bytes = max(0, bytes)
        await withCheckedContinuation { continuation in
            let begins = state.withLock { state in
                guard state.waiting.isEmpty, fits(bytes, state.used) else {
                    state.waiting.append((bytes, continuation))
                    return false
                }
                state.used += bytes
                return true
            }
            if begins { continuation.resume() }
        }
        let result = await body()
        release(bytes)
        return result
    }

    private func fits(_ bytes: Int, _ used: Int) -> Bool {
        used == 0 || bytes <= limit && used <= limit - bytes
    }

    private func release(_ bytes: Int) {
        let next = state.withLock { state in
            state.used -= bytes
            var next: [CheckedContinuation<Void, Never>] = []
            while let first = state.waiting.first, fits(first.bytes, state.used) {
                state.used += first.bytes
                next.append(first.continuation)
                state.waiting.removeFirst()
            }
            return next
        }
        for continuation in next { continuation.resume() }
    }
}
