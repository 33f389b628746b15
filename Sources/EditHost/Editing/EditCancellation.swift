// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A way to cancel edits that are under way.
public final class EditCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var session: EditingSession?
    }

    private let state = Mutex(State())

    /// Makes one for the edits that are begun with it.
    public init() {}

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether the extension wants the user to be asked before its edit is thrown away.
    public func shouldShowCancelConfirmation() async -> Bool {
        await state.withLock { $0.session }?.shouldShowCancelConfirmation() ?? false
    }

    /// Cancels: the session under way ends, nothing more is committed.
    public func cancel() async {
        let session = state.withLock { state in
            state.isCancelled = true
            return state.session
        }
        await session?.cancel()
    }

    /// - Throws: `HostError` with `cancelled`, also where the task was cancelled.
    func check() throws {
        if isCancelled || Task.isCancelled {
            throw HostError(.cancelled, "the edit was cancelled")
        }
    }

    func follow(_ session: EditingSession?) { state.withLock { $0.session = session } }
}
