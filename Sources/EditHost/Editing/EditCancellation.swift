// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A handle that cancels edits in flight.
public final class EditCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var sessions: [ControllerSession] = []
    }

    private let state = Mutex(State())

    /// Creates a handle, to be passed to the edits that it cancels.
    public init() {}

    /// True if ``cancel()`` has been called.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Returns whether an extension wants the user to confirm before its edit is discarded.
    public func shouldShowCancelConfirmation() async -> Bool {
        for session in state.withLock({ $0.sessions }) {
            if await session.shouldShowCancelConfirmation() { return true }
        }
        return false
    }

    /// Cancels the sessions in flight. Nothing is committed afterwards.
    public func cancel() async {
        let sessions = state.withLock { state in
            state.isCancelled = true
            return state.sessions
        }
        await withTaskGroup(of: Void.self) { group in
            for session in sessions { group.addTask { await session.cancel() } }
        }
    }

    /// - Throws: `HostError` with `cancelled`, including if the current task is cancelled.
    func check() throws {
        if isCancelled || Task.isCancelled {
            throw HostError(.cancelled, "the edit was cancelled")
        }
    }

    /// Adds a session that ``cancel()`` cancels.
    func follow(_ session: ControllerSession) { state.withLock { $0.sessions.append(session) } }

    /// Removes a session that has ended.
    func forget(_ session: ControllerSession) {
        state.withLock { $0.sessions.removeAll { $0 === session } }
    }
}
