// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// Checks the host, the origin and the login of every request, and adds the security headers to every response.
struct SecurityCheck: RouterMiddleware {
    typealias Context = StudioContext

    let address: StudioAddress
    let logins: LoginStore
    /// Whether requests that change the library are rejected.
    let isReadOnly: Bool
    /// The paths that need no login: the files of the page.
    let publicPaths: Set<String>

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = await ErrorResponse.catching {
            try requireHost(request)
            let bearer = BearerToken.of(request)
            if bearer == nil { try requireSameOrigin(request) }
            var context = context
            context.login = try login(of: request, bearer)
            try requireWritable(request)
            guard let login = context.login else { return try await next(request, context) }
            let isOfSession = request.uri.path.hasPrefix("/api/sessions")
            try login.beginRequest(isOfSession: isOfSession)
            defer { login.endRequest(isOfSession: isOfSession) }
            return try await next(request, context)
        }
        SecurityHeaders.add(to: &response, isSecure: address.isSecure)
        return response
    }

    /// Rejects other host names, because an attacker may control them (DNS rebinding). The message does not reveal the
    /// name of this server: a server on another port would receive the cookies of requests to it.
    private func requireHost(_ request: Request) throws(StudioError) {
        // The authority is the first Host header. Any other one remains among the headers.
        guard address.isHost(request.head.authority), request.headers[.host] == nil else {
            throw StudioError(
                .wrongHost,
                "this server has another name; open the URL that it printed, or start it with --host"
            )
        }
    }

    /// Rejects requests from pages of other origins, and from clients that do not report the origin.
    private func requireSameOrigin(_ request: Request) throws(StudioError) {
        let site = request.headers[.secFetchSite]
        if site == "same-origin" { return }
        // A link or the address bar may open the page itself, which is the same for everyone.
        let isNavigation =
            request.method == .get && request.uri.path == "/"
            && request.headers[.secFetchMode] == "navigate"
            && request.headers[.secFetchDestination] == "document"
        guard isNavigation else {
            throw StudioError(
                .crossSite,
                "requests need Sec-Fetch-Site: same-origin, as from this server's page, or a bearer token"
            )
        }
    }

    private func login(of request: Request, _ bearer: String?) throws(StudioError) -> Login? {
        let path = request.uri.path
        // For this path, the bearer token is a login token.
        if path == StudioRoutes.loginPath { return nil }
        if let bearer { return try logins.login(of: bearer, isGuess: true) }
        if publicPaths.contains(path) { return nil }
        guard let secret = request.cookies[LoginCookie.name(at: address)]?.value else {
            throw StudioError(.notLoggedIn, "log in first: run edithost studio login")
        }
        return try logins.login(of: secret, isGuess: false)
    }

    private func requireWritable(_ request: Request) throws(StudioError) {
        let path = request.uri.path
        guard isReadOnly, ![.get, .head].contains(request.method),
            !StudioRoutes.isHarmless(path)
        else { return }
        throw StudioError(.readOnly, "the studio was started with --read-only")
    }
}
