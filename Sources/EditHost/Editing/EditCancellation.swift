// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A way to cancel edits that are under way.
public final class EditCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var sessions: [ControllerSession] = []
    }

    private let state = Mutex(State())

    /// Makes one for the edits that are begun with it.
    public init() {}

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether the extension wants the user to be asked before its edit is thrown away.
    public func shouldShowCancelConfirmation() async -> Bool {
        for session in state.withLock({ $0.sessions }) {
            if await session.shouldShowCancelConfirmation() { return true }
        }
        return false
    }

    /// Cancels: the sessions under way end, nothing more is committed.
    public func cancel() async {
        let sessions = state.withLock { state in
            state.isCancelled = true
            return state.sessions
        }
        await withTaskGroup(of: Void.self) { group in
            for session in sessions { group.addTask { await session.cancel() } }
        }
    }

    /// - Throws: `HostError` with `cancelled`, also where the task was cancelled.
    func check() throws {
        if isCancelled || Task.isCancelled {
            throw HostError(.cancelled, "the edit was cancelled")
        }
    }

    /// A session that is to be cancelled too begins.
    func follow(_ session: ControllerSession) { state.withLock { $0.sessions.append(session) } }

    /// It has ended.
    func forget(_ session: ControllerSession) {
        state.withLock { $0.sessions.removeAll { $0 === session } }
    }
}
