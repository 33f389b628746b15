// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A browser or program that has logged in.
package final class Login: Sendable {
    private struct State {
        var requests = 0
        var sessionRequests = 0
        var views: [String: StudioView] = [:]
        var lastView = 0
        var isEnded = false
        var whenEnded: [Int: @Sendable () -> Void] = [:]
        var lastAction = 0
    }

    private let limits: StudioLimits
    private let state = Mutex(State())

    init(_ limits: StudioLimits) { self.limits = limits }

    // MARK: - Requests

    /// Counts a request in flight. Each call must be balanced by ``endRequest(isOfSession:)``.
    ///
    /// - Parameter isOfSession: Whether it is a request of an editing session. These are counted separately.
    /// - Throws: `StudioError` with `tooManyRequests`.
    func beginRequest(isOfSession: Bool = false) throws(StudioError) {
        let limit = isOfSession ? limits.sessionRequestsPerLogin : limits.requestsPerLogin
        let isAllowed = state.withLock { state in
            guard (isOfSession ? state.sessionRequests : state.requests) < limit else {
                return false
            }
            Self.count(1, isOfSession, &state)
            return true
        }
        guard isAllowed else {
            throw StudioError(
                .tooManyRequests,
                "\(limit) requests of this login are in flight; wait for one of them")
        }
    }

    /// Ends a request.
    func endRequest(isOfSession: Bool = false) {
        state.withLock { Self.count(-1, isOfSession, &$0) }
    }

    private static func count(_ change: Int, _ isOfSession: Bool, _ state: inout State) {
        if isOfSession { state.sessionRequests += change } else { state.requests += change }
    }

    // MARK: - Views

    /// Stores a view under a new name.
    ///
    /// - Throws: `StudioError` with `tooManyViews`.
    func add(_ view: StudioView) throws(StudioError) -> String {
        let name = state.withLock { state -> String? in
            guard state.views.count < limits.viewsPerLogin else { return nil }
            state.lastView += 1
            let name = "v\(state.lastView)"
            state.views[name] = view
            return name
        }
        guard let name else {
            throw StudioError(
                .tooManyViews, "this login has \(limits.viewsPerLogin) views; delete one of them")
        }
        return name
    }

    /// Returns a view.
    ///
    /// - Throws: `StudioError` with `noSuchView`.
    func view(_ name: String) throws(StudioError) -> StudioView {
        guard let view = state.withLock({ $0.views[name] }) else {
            throw StudioError(
                .noSuchView, "there is no such view; the server may have been restarted")
        }
        return view
    }

    /// Removes a view.
    ///
    /// - Throws: `StudioError` with `noSuchView`.
    func removeView(_ name: String) throws(StudioError) {
        guard state.withLock({ $0.views.removeValue(forKey: name) }) != nil else {
            throw StudioError(.noSuchView, "there is no such view")
        }
    }

    /// The views, by name.
    var views: [String: StudioView] { state.withLock { $0.views } }

    // MARK: - The end

    /// Calls a closure when the login ends, or immediately if it has ended.
    ///
    /// - Returns: A number for ``cancel(_:)``.
    func whenEnded(_ action: @escaping @Sendable () -> Void) -> Int {
        let number = state.withLock { state -> Int? in
            if state.isEnded { return nil }
            state.lastAction += 1
            state.whenEnded[state.lastAction] = action
            return state.lastAction
        }
        guard let number else {
            action()
            return 0
        }
        return number
    }

    /// Removes a closure that has not been called yet.
    func cancel(_ number: Int) { state.withLock { $0.whenEnded[number] = nil } }

    /// Ends the login: its views are released, and its streams of events are closed.
    func end() {
        let actions = state.withLock { state in
            defer { state.whenEnded = [:] }
            state.isEnded = true
            state.views = [:]
            return Array(state.whenEnded.values)
        }
        for action in actions { action() }
    }
}
