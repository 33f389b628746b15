// SPDX-License-Identifier: Apache-2.0

import EditHost
import Synchronization

/// Admits the previews of a session one at a time. While one is rendered, only the newest revision waits, so that no
/// frame with older values follows a newer one.
final class PreviewQueue: Sendable {
    private struct Waiter {
        /// The revision; nil for previews that are not ordered, and for the end of the session.
        let revision: Int?
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var isBusy = false
        /// Whether the end of the session has been requested, which rejects all previews.
        var isClosed = false
        var newest = 0
        var waiting: [Waiter] = []
    }

    private let state = Mutex(State())

    /// Runs a body after the previews before it. A waiting body is not run if a newer revision arrives.
    ///
    /// - Parameter revision: The number of the preview; nil for one that is not ordered. It waits for all numbered
    ///   ones.
    /// - Throws: `StudioError` with `superseded`, or `HostError` with `sessionEnded`, if the body is not run; errors of
    ///   the body.
    func run<Value: Sendable>(
        _ revision: Int?, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await wait(revision, isLast: false)
        defer { admitNext() }
        return try await body()
    }

    /// Runs a body after the preview that is being rendered. All others are rejected, until ``reopen()``.
    ///
    /// - Throws: `HostError` with `sessionEnded` if the end has already been requested; errors of the body.
    func runLast<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await wait(nil, isLast: true)
        defer { admitNext() }
        return try await body()
    }

    /// Whether a body is running.
    var isBusy: Bool { state.withLock { $0.isBusy } }

    /// The newest revision so far.
    var newestRevision: Int { state.withLock { $0.newest } }

    /// Admits previews again after ``runLast(_:)``. If an edit cannot be finished, its session stays open, so that the
    /// user can change the values.
    func reopen() { state.withLock { $0.isClosed = false } }

    private func wait(_ revision: Int?, isLast: Bool) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let waiter = Waiter(revision: revision, continuation: continuation)
            let (outcome, rejected) = state.withLock { state in
                Self.enter(&state, waiter, isLast: isLast)
            }
            let reason: any Error = isLast ? Self.ended : Self.superseded
            for waiter in rejected { waiter.continuation.resume(throwing: reason) }
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    /// - Returns: The outcome, or nil if the new waiter has to wait; and the waiters that it replaces.
    private static func enter(
        _ state: inout State, _ new: Waiter, isLast: Bool
    ) -> (Result<Void, any Error>?, rejected: [Waiter]) {
        guard !state.isClosed else { return (.failure(ended), []) }
        var rejected: [Waiter] = []
        if isLast {
            state.isClosed = true
            (rejected, state.waiting) = (state.waiting, [])
        } else if let revision = new.revision {
            guard revision >= state.newest else { return (.failure(superseded), []) }
            state.newest = revision
            rejected = state.waiting.filter { $0.revision != nil }
            state.waiting.removeAll { $0.revision != nil }
        }
        guard state.isBusy else {
            state.isBusy = true
            return (.success(()), rejected)
        }
        state.waiting.append(new)
        return (nil, rejected)
    }

    private func admitNext() {
        let next = state.withLock { state -> Waiter? in
            let numbered = state.waiting.firstIndex { $0.revision != nil }
            guard let index = numbered ?? state.waiting.indices.first else {
                state.isBusy = false
                return nil
            }
            return state.waiting.remove(at: index)
        }
        next?.continuation.resume()
    }

    private static let superseded = StudioError(
        .superseded, "a preview with a newer revision was requested")
    private static let ended = HostError(
        .sessionEnded, "the editing session is being finished or has ended")
}
