// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import JSONOutput
import Library
import Synchronization

/// The editing sessions of all logins. A session ends with its lease, its login or the server.
final class StudioSessions: Sendable {
    struct State {
        var sessions: [StudioSession] = []
        /// The actions at the end of logins, by the identifiers of sessions.
        var actions: [String: Int] = [:]
    }

    let uploads: UploadedFiles
    private let host: ExtensionHost
    private let library: PhotoLibrary
    private let events: EventCenter
    let limits: StudioLimits
    let now: @Sendable () -> ContinuousClock.Instant
    let state = Mutex(State())

    /// - Parameter now: Returns the current time. Tests replace it.
    init(
        _ host: ExtensionHost, _ library: PhotoLibrary, _ events: EventCenter,
        _ limits: StudioLimits, now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        (self.host, self.library, self.events) = (host, library, events)
        (self.limits, self.now) = (limits, now)
        uploads = UploadedFiles(limit: limits.filesPerLogin)
    }

    // MARK: - Opening and finding

    /// Opens a session.
    ///
    /// - Throws: `HostError`, with `tooManySessions` if the host has reached its limit; `LibraryError`;
    ///   `CancellationError` if the task is cancelled, and no session is open then.
    func open(_ request: SessionRequest, _ login: Login) async throws -> StudioSession {
        let progress = SessionProgress()
        let editing = try await host.openEditingSession(
            for: request.asset,
            EditRequest(
                extensionName: request.extensionName, step: request.step, preset: request.preset),
            in: library, displaySize: request.size
        ) { _, done in progress.report(done.fraction) }
        do {
            if !request.values.isEmpty {
                let known = SessionValues.files(in: editing.parameters, of: editing.manifest)
                try await editing.setParameters(
                    SessionValues.accepted(
                        request.values, by: editing, having: known, uploads, of: login))
            }
            // The preview is small, because only the size of the edited picture is needed. The input stays decoded.
            let first = try await editing.encodedPreview(
                as: .jpeg, size: PixelSize(width: 16, height: 16), profile: nil)
            try Task.checkCancellation()
            let session = StudioSession(
                editing, login, tab: request.tab, displaySize: request.size,
                fullSize: first.fullSize, now: now())
            progress.handler.withLock { handler in
                handler = { [weak self, weak session] fraction in
                    if let session { self?.report(fraction, of: session) }
                }
            }
            add(session)
            guard !Task.isCancelled else {
                end(session, nil)
                throw CancellationError()
            }
            return session
        } catch {
            await editing.cancel()
            throw error
        }
    }

    private func add(_ session: StudioSession) {
        state.withLock { $0.sessions.append(session) }
        send(session)
        let number = session.login.whenEnded { [weak self, weak session] in
            if let session { self?.end(session, nil) }
        }
        state.withLock { $0.actions[session.id] = number }
    }

    /// Returns a session of a login, for a request, which renews its lease.
    ///
    /// - Throws: `StudioError` with `noSuchSession`, including for a session of another login.
    func session(_ id: String, of login: Login) throws(StudioError) -> StudioSession {
        guard let session = sessions(of: login).first(where: { $0.id == id }) else {
            throw StudioError(.noSuchSession, "there is no such editing session; it has ended")
        }
        session.renew(now())
        return session
    }

    /// Returns the sessions of a login, in the order in which they were opened.
    func sessions(of login: Login) -> [StudioSession] {
        state.withLock { $0.sessions.filter { $0.login === login } }
    }

    // MARK: - Previews

    /// Sets the values of a preview and renders it.
    ///
    /// - Returns: The preview, and the values that the extension has changed.
    /// - Throws: `StudioError` with `superseded`; `HostError`.
    func preview(
        _ session: StudioSession, _ requested: SessionPreviewRequest
    ) async throws -> (preview: EditPreview, changed: [String: ParameterValue]) {
        try await endingIfDead(session) {
            try await session.previews.run(requested.revision) {
                try Task.checkCancellation()
                let changed = try await set(requested.values, session)
                let others = try accepted(requested.others, session)
                let isOther = !others.isEmpty
                let side = requested.size ?? session.displaySize
                let isSmall = side <= limits.smallPreviewSide && !requested.isPart
                let preview = try await session.editing.encodedPreview(
                    as: .jpeg, size: PixelSize(width: side, height: side),
                    region: try requested.region(of: session.fullSize(isOther: isOther)),
                    quality: isSmall ? limits.smallPreviewQuality : limits.previewQuality,
                    profile: .sRGB, with: others, at: requested.time)
                session.keep(preview.fullSize, isOther: isOther)
                return (preview, changed)
            }
        }
    }

    /// Returns the motion of a Live Photo with the current values of the session.
    ///
    /// - Parameter revision: The number of these values. Requests for parts of a file have the same.
    /// - Throws: `HostError`, with `unsupportedMediaType` if the edit changes no motion; `CancellationError`.
    func motion(_ session: StudioSession, _ revision: Int) async throws -> AssetVideo {
        try await endingIfDead(session) {
            try await session.motionLock.withLock {
                if let known = session.motion, known.revision == revision { return known.video }
                let side = min(session.displaySize, limits.smallPreviewSide)
                let video = try await session.editing.motionPreview(longerSide: side)
                session.keep(motion: video, revision)
                return video
            }
        }
    }

    /// Runs a body that needs the session, in the queue of its previews.
    ///
    /// - Throws: `HostError`; errors of the body.
    func inTurn<Value: Sendable>(
        _ session: StudioSession, _ body: @Sendable (EditingSession) async throws -> Value
    ) async throws -> Value {
        try await endingIfDead(session) {
            try await session.previews.run(nil) { try await body(session.editing) }
        }
    }

    private func accepted(
        _ values: [String: ParameterValue], _ session: StudioSession
    ) throws -> [String: ParameterValue] {
        try SessionValues.accepted(
            values, by: session.editing, having: session.files, uploads, of: session.login)
    }

    /// Sets values and returns the other values that the extension has changed.
    func set(
        _ values: [String: ParameterValue], _ session: StudioSession
    ) async throws -> [String: ParameterValue] {
        guard !values.isEmpty else { return [:] }
        let (editing, before) = (session.editing, session.editing.parameters)
        let after = try await editing.setParameters(try accepted(values, session))
        session.keep(files: SessionValues.files(in: after, of: editing.manifest))
        return SessionValues.changed(
            from: before, setting: values, to: after, of: editing.manifest)
    }

    /// Ends the session if its runner has died. The error of the body is the reason.
    private func endingIfDead<Value: Sendable>(
        _ session: StudioSession, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await body()
            // A preview can take longer than the lease.
            session.renew(now())
            return value
        } catch {
            if !session.editing.isOpen { end(session, error) }
            throw error
        }
    }

    // MARK: - Leases

    /// Ends the sessions whose leases have expired.
    func endExpired() {
        let time = now()
        for session in state.withLock({ $0.sessions })
        where !session.previews.isBusy && session.isExpired(time, after: limits.leaseSeconds) {
            end(
                session,
                HostError(
                    .sessionEnded,
                    "the page has not renewed its editing session for "
                        + "\(Int(limits.leaseSeconds)) seconds"))
        }
    }

    // MARK: - Events

    private func report(_ progress: Double, of session: StudioSession) {
        guard session.report(progress) else { return }
        send(session, progress: progress)
    }

    func send(
        _ session: StudioSession, _ reason: (any Error)? = nil, progress: Double = 0
    ) {
        var row: JSONRow = ["id": session.id, "state": session.phase.rawValue]
        if session.phase == .finishing { row = row.adding(["progress": progress]) }
        if let reason { row = row.adding(["reason": ErrorResponse.row(of: reason)]) }
        events.send(row, toStreamsOf: session.login)
    }
}
