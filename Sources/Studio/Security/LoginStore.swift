// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The logins of a server, by the hashes of their secrets. They end with the server.
final class LoginStore: Sendable {
    private struct Entry {
        let login: Login
        var lastUse: Int
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var uses = 0
        /// The times of recent wrong tokens.
        var failures: [ContinuousClock.Instant] = []
    }

    private let limits: StudioLimits
    private let tokens: LoginTokens
    private let state = Mutex(State())

    init(_ tokens: LoginTokens, _ limits: StudioLimits) {
        self.tokens = tokens
        self.limits = limits
    }

    /// Exchanges a login token for the secret of a new login.
    ///
    /// - Throws: `StudioError` with `wrongToken` or `tooManyAttempts`.
    func logIn(with token: String) throws(StudioError) -> SecretToken {
        guard tokens.redeem(token) else {
            try countFailure()
            throw StudioError(
                .wrongToken,
                "the login token is wrong, used or more than 5 minutes old; run edithost studio login"
            )
        }
        return add()
    }

    private func add() -> SecretToken {
        let secret = SecretToken()
        let login = Login(limits)
        let ended = state.withLock { state -> Login? in
            var oldest: (key: String, value: Entry)?
            if state.entries.count >= limits.logins {
                oldest = state.entries.min { $0.value.lastUse < $1.value.lastUse }
            }
            if let oldest { state.entries[oldest.key] = nil }
            state.uses += 1
            state.entries[secret.digest] = Entry(login: login, lastUse: state.uses)
            return oldest?.value.login
        }
        ended?.end()
        return secret
    }

    /// Returns the login of a secret.
    ///
    /// - Throws: `StudioError` with `tooManyAttempts`, or `notLoggedIn`.
    func login(of secret: String, isGuess: Bool) throws(StudioError) -> Login {
        let digest = SecretToken.digest(of: secret)
        let login = state.withLock { state -> Login? in
            state.uses += 1
            state.entries[digest]?.lastUse = state.uses
            return state.entries[digest]?.login
        }
        if let login { return login }
        // Cookies of an earlier server are common. Wrong bearer tokens are not.
        if isGuess { try countFailure() }
        throw StudioError(.notLoggedIn, "log in again: run edithost studio login")
    }

    /// Ends a login.
    func logOut(_ login: Login) {
        state.withLock { state in
            state.entries = state.entries.filter { $0.value.login !== login }
        }
        login.end()
    }

    /// Ends all logins.
    func endAll() {
        let entries = state.withLock { state in
            defer { state.entries = [:] }
            return state.entries.values.map(\.login)
        }
        for login in entries { login.end() }
    }

    /// The current logins.
    var all: [Login] { state.withLock { $0.entries.values.map(\.login) } }

    // MARK: - Wrong tokens

    /// Counts a wrong token. Valid tokens are never rejected: their 256 bits cannot be guessed, and every local
    /// user can send wrong ones.
    ///
    /// - Throws: `StudioError` with `tooManyAttempts` above the limit.
    private func countFailure() throws(StudioError) {
        let now = ContinuousClock.now
        let isAllowed = state.withLock { state in
            state.failures.removeAll { now - $0 > .seconds(60) }
            guard state.failures.count < limits.wrongTokensPerMinute else { return false }
            state.failures.append(now)
            return true
        }
        guard isAllowed else {
            throw StudioError(.tooManyAttempts, "too many wrong tokens; try again in a minute")
        }
    }
}
