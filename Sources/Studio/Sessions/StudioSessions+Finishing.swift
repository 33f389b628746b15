// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import JSONOutput
import Library
import Synchronization

/// Ends of editing sessions: finishing, cancelling, and what removes a session.
extension StudioSessions {
    /// Finishes and commits an edit. The session ends, unless the values cannot be set.
    ///
    /// - Throws: `HostError`, with `cancelled` if the session was cancelled in the meantime; `LibraryError`, with
    ///   `conflict` if the photo has changed. Nothing has been committed then.
    func finish(
        _ session: StudioSession, _ values: [String: ParameterValue]
    ) async throws -> EditResult {
        let result = try await session.previews.runLast {
            _ = session.change(from: .editing, to: .finishing)
            send(session)
            do {
                _ = try await set(values, session)
                return try await session.editing.finish()
            } catch {
                resume(session, error)
                throw error
            }
        }
        end(session, nil)
        return result
    }

    /// Continues a session that could not be finished, or ends it if the edit has ended.
    private func resume(_ session: StudioSession, _ reason: any Error) {
        guard session.editing.isOpen else { return end(session, reason) }
        guard session.change(from: .finishing, to: .editing) else { return }
        session.renew(now())
        session.previews.reopen()
        send(session)
    }

    /// Cancels an edit that has not been committed yet.
    ///
    /// - Returns: False if the user must confirm first, because the extension requests it or has not answered. The
    ///   session continues.
    func cancel(_ session: StudioSession, force: Bool) async -> Bool {
        if !force, await answer(of: session) ?? true { return false }
        end(session, nil)
        await session.editing.cancel()
        return true
    }

    /// Returns whether the extension wants the user to confirm, or nil if it does not answer in time.
    private func answer(of session: StudioSession) async -> Bool? {
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        // A task group would wait for the answer, which cannot be cancelled.
        Task { answer.yield(await session.editing.shouldShowCancelConfirmation()) }
        let deadline = Task { [limits] in
            try await Task.sleep(for: .seconds(limits.confirmationSeconds))
            answer.finish()
        }
        defer { deadline.cancel() }
        for await answer in answers { return answer }
        return nil
    }

    /// Removes a session, notifies the pages, and cancels the edit unless it has ended.
    func end(_ session: StudioSession, _ reason: (any Error)?) {
        guard session.end() else { return }
        let action = state.withLock { state in
            state.sessions.removeAll { $0 === session }
            return state.actions.removeValue(forKey: session.id)
        }
        if let action { session.login.cancel(action) }
        send(session, reason)
        Task.detached { await session.editing.cancel() }
    }

    /// Ends all sessions.
    func endAll() {
        for session in state.withLock({ $0.sessions }) { end(session, nil) }
    }
}
