// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost
import Synchronization

/// The implementation of ``EditingSession``. It outlives the session object until the edit has ended.
final class EditingSessionWork: Sendable {
    private enum Phase {
        case open
        /// The edit can no longer be cancelled.
        case committing
        case ended(HostError)
    }

    private struct State {
        var phase = Phase.open
        var parameters: [String: ParameterValue]
        var isClosed = false
    }

    let edit: StartedEdit
    private let sessions: EditingSessions
    private let lock = AsyncLock()
    private let state: Mutex<State>

    init(_ edit: StartedEdit, in sessions: EditingSessions) {
        self.edit = edit
        self.sessions = sessions
        state = Mutex(State(parameters: edit.start.parameters))
    }

    var parameters: [String: ParameterValue] { state.withLock { $0.parameters } }

    /// Stores the values that the extension last reported.
    func remember(_ values: [String: ParameterValue]) {
        state.withLock { $0.parameters = values }
    }

    private var identifier: String { edit.history.asset.localIdentifier }

    // MARK: - Sequencing

    /// Runs a body after all earlier calls have finished. Ends the session if its runner has died.
    ///
    /// - Throws: any error of the body; `HostError` with `cancelled` or `sessionEnded`.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (EditingSessionWork) async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        return try await performDetached(body)
    }

    private func performDetached<Value: Sendable>(
        _ body: @escaping @Sendable (EditingSessionWork) async throws -> Value
    ) async throws -> Value {
        // Cancelling a request with its task would kill the runner, and the edit with it. A preview that is no
        // longer needed must not do that, so requests run in a detached task.
        try await Task.detached { [self] in
            try await lock.take { try await carryOut(body) }
        }.value
    }

    private func carryOut<Value: Sendable>(
        _ body: @Sendable (EditingSessionWork) async throws -> Value
    ) async throws -> Value {
        try requireOpen()
        do {
            return try await body(self)
        } catch {
            let named = (error as? HostError)?.naming(asset: identifier) ?? error
            // A request in flight at the time of a cancellation has not failed.
            if edit.preparation.cancellation.isCancelled { throw Self.cancelled(identifier) }
            if !edit.session.isAlive { await end("its runner has ended", named) }
            throw named
        }
    }

    private func requireOpen() throws {
        if case .ended(let error) = state.withLock({ $0.phase }) { throw error }
    }

    private static func cancelled(_ identifier: String) -> HostError {
        HostError(.cancelled, "the edit was cancelled", asset: identifier)
    }

    // MARK: - The end

    /// Finishes and commits the edit. Ends the session, even if it throws.
    func finish() async throws -> EditResult {
        let isCancelled = Task.isCancelled
        return try await performDetached { work in
            do {
                if isCancelled {
                    await work.edit.preparation.cancellation.cancel()
                    throw Self.cancelled(work.identifier)
                }
                let result = try await work.finishAndCommit()
                await work.end("it was finished")
                return result
            } catch {
                await work.end("it could not be finished", error)
                throw error
            }
        }
    }

    private func finishAndCommit() async throws -> EditResult {
        let finished = try await edit.finish()
        try state.withLock { state in
            if case .ended(let error) = state.phase { throw error }
            state.phase = .committing
        }
        let preparation = edit.preparation
        return try await preparation.host.commit([finished], in: preparation.library)[0]
    }

    /// Discards the edit, unless it has ended or is being committed.
    func cancel() async {
        let isToCancel = state.withLock { state in
            guard case .open = state.phase else { return false }
            state.phase = .ended(Self.cancelled(identifier))
            return true
        }
        // Detached for the reason given in `performDetached`.
        await Task.detached { [self] in
            if isToCancel { await edit.preparation.cancellation.cancel() }
            await lock.take { await close() }
        }.value
    }

    /// Returns whether the user should confirm before the edit is cancelled.
    func shouldShowCancelConfirmation() async -> Bool {
        guard case .open = state.withLock({ $0.phase }) else { return false }
        return await Task.detached { [self] in
            await edit.session.shouldShowCancelConfirmation()
        }.value
    }

    private func end(_ reason: String, _ cause: (any Error)? = nil) async {
        state.withLock { state in
            if case .ended = state.phase { return }
            state.phase = .ended(
                HostError(
                    .sessionEnded, "the editing session has ended: \(reason)", asset: identifier,
                    extension: edit.session.manifest.identifier, underlying: cause))
        }
        await close()
    }

    /// Closes the edit and releases its runner, once.
    private func close() async {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        await edit.close()
        sessions.remove(self)
    }
}
