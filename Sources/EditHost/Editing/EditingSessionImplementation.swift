// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost
import Synchronization

/// The implementation of ``EditingSession``. It outlives the session object until the edit has ended.
final class EditingSessionImplementation: Sendable {
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
    /// The edit at another time of a video, for previews. Accessed by one call at a time.
    private let otherFrame = Mutex<(time: Double, edit: StartedEdit)?>(nil)

    init(_ edit: StartedEdit, in sessions: EditingSessions) {
        self.edit = edit
        self.sessions = sessions
        state = Mutex(State(parameters: edit.start.parameters))
    }

    var assetIdentifier: String { edit.history.asset.localIdentifier }
    var parameters: [String: ParameterValue] { state.withLock { $0.parameters } }

    /// Stores the values that the extension last reported.
    func remember(_ values: [String: ParameterValue]) {
        state.withLock { $0.parameters = values }
    }

    var isOpen: Bool {
        if case .ended = state.withLock({ $0.phase }) { false } else { true }
    }

    // MARK: - Sequencing

    /// Runs a body after all earlier calls have finished. Ends the session if its runner has died.
    ///
    /// - Throws: Any error of the body; `HostError` with `cancelled` or `sessionEnded`.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (EditingSessionImplementation) async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        return try await performDetached(body)
    }

    private func performDetached<Value: Sendable>(
        _ body: @escaping @Sendable (EditingSessionImplementation) async throws -> Value
    ) async throws -> Value {
        // Cancelling a request with its task would kill the runner, and the edit with it. A preview that is no
        // longer needed must not do that, so requests run in a detached task. It
        // reads files and the database, which would block the threads that all other tasks share.
        try await Task.detached(executorPreference: WaitingThread.executor) { [self] in
            try await lock.withLock { try await performNow(body) }
        }.value
    }

    private func performNow<Value: Sendable>(
        _ body: @Sendable (EditingSessionImplementation) async throws -> Value
    ) async throws -> Value {
        try requireOpen()
        do {
            return try await body(self)
        } catch {
            let named = (error as? HostError)?.naming(asset: assetIdentifier) ?? error
            // A request in flight at the time of a cancellation has not failed.
            if edit.preparation.cancellation.isCancelled { throw Self.cancelled(assetIdentifier) }
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

    // MARK: - Other values and times

    /// Runs a body while an edit has other values. Ends the session if the current values cannot be restored.
    ///
    /// - Throws: `HostError`, with `badParameter` for an invalid value; any error of the body.
    func setting<Value: Sendable>(
        _ values: [String: ParameterValue], in edit: StartedEdit, _ body: () async throws -> Value
    ) async throws -> Value {
        guard !values.isEmpty else { return try await body() }
        let library = edit.preparation.library
        let changed = try await edit.session.setParameters(values, in: library)
        let result = await Result.capturing(body)
        let kept = parameters.filter { changed[$0.key] != $0.value }
        if !kept.isEmpty, edit.session.isAlive {
            do {
                _ = try await edit.session.setParameters(kept, in: library)
            } catch {
                await end("the values before a preview with other values cannot be set", error)
                throw error
            }
        }
        return try result.get()
    }

    /// Returns the edit of the frame at a time of the video; nil means the first frame.
    ///
    /// The input of an edit cannot change, so an edit at another time needs its own runner. It is kept until a preview
    /// at a different time is requested.
    ///
    /// - Throws: `HostError`, with `badRequest` if the asset is not a video; `LibraryError`.
    func edit(at time: Double?) async throws -> StartedEdit {
        guard let time else { return edit }
        guard edit.history.asset.mediaType == .video else {
            throw HostError(
                .badRequest, "this is not a video; only videos have a time", asset: assetIdentifier)
        }
        let (started, current) = (try await frame(at: time), parameters)
        if !current.isEmpty {
            _ = try await started.session.setParameters(
                current, in: edit.preparation.library, from: edit.session.files.known)
        }
        return started
    }

    private func frame(at time: Double) async throws -> StartedEdit {
        if let open = otherFrame.withLock({ $0 }), open.time == time, open.edit.session.isAlive {
            return open.edit
        }
        await closeFrame()
        var preparation = edit.preparation
        preparation.time = time
        preparation.progressHandler = nil
        let started = try await preparation.start(assetIdentifier)
        otherFrame.withLock { $0 = (time, started) }
        return started
    }

    private func closeFrame() async {
        let open = otherFrame.withLock { frame in
            defer { frame = nil }
            return frame
        }
        await open?.edit.close()
    }

    // MARK: - The end

    /// Finishes and commits the edit. Ends the session, even if it throws.
    func finish() async throws -> EditResult {
        let isCancelled = Task.isCancelled
        return try await performDetached { implementation in
            do {
                if isCancelled {
                    await implementation.edit.preparation.cancellation.cancel()
                    throw Self.cancelled(implementation.assetIdentifier)
                }
                let result = try await implementation.finishAndCommit()
                await implementation.end("it was finished")
                return result
            } catch {
                await implementation.end("it could not be finished", error)
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
        return try await preparation.host.commit(finished, in: preparation.library)
    }

    /// Discards the edit, unless it has ended or is being committed.
    func cancel() async {
        let isToCancel = state.withLock { state in
            guard case .open = state.phase else { return false }
            state.phase = .ended(Self.cancelled(assetIdentifier))
            return true
        }
        // Detached for the reason given in `performDetached`.
        await Task.detached(executorPreference: WaitingThread.executor) { [self] in
            if isToCancel { await edit.preparation.cancellation.cancel() }
            await lock.withLock { await close() }
        }.value
    }

    /// Returns whether the user should confirm before the edit is cancelled. There is no deadline, because asking must
    /// not end the edit.
    func shouldShowCancelConfirmation() async -> Bool {
        guard case .open = state.withLock({ $0.phase }) else { return false }
        return await Task.detached { [self] in
            await edit.session.shouldShowCancelConfirmation(
                timeout: RunnerTimeouts.none.shortCall)
        }.value
    }

    private func end(_ reason: String, _ cause: (any Error)? = nil) async {
        state.withLock { state in
            if case .ended = state.phase { return }
            state.phase = .ended(
                HostError(
                    .sessionEnded, "the editing session has ended: \(reason)",
                    asset: assetIdentifier,
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
        await closeFrame()
        await edit.close()
        sessions.remove(self)
    }
}
