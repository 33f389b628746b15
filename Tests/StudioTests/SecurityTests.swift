// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import Studio

@Suite("studio security")
struct SecurityTests {
    @Test(
        "requests from pages of other origins are rejected",
        arguments: ["cross-site", "same-site", "none", ""])
    func otherOrigins(site: String) async throws {
        let fixture = try StudioFixture()
        try await fixture.test { client async throws in
            var client = try await client.loggedIn()
            client.headers[.secFetchSite] = site.isEmpty ? nil : site
            for path in ["/api/state", try fixture.scriptPath(), "/api/events"] {
                #expect(try await client.errorCode(.get, path, status: .forbidden) == "crossSite")
            }
            #expect(
                try await client.errorCode(.post, "/api/views", "{}", status: .forbidden)
                    == "crossSite")
        }
    }

    @Test("a navigation to the page is allowed from anywhere, but to nothing else")
    func navigation() async throws {
        try await StudioFixture().test { client async throws in
            var client = client
            client.headers = [
                .secFetchSite: "cross-site", .secFetchMode: "navigate",
                .secFetchDestination: "document",
            ]
            #expect(try await client.send(.get, "/").status == .ok)
            #expect(try await client.send(.get, "/api/state").status == .forbidden)
            client.headers[.secFetchDestination] = "iframe"
            #expect(try await client.send(.get, "/").status == .forbidden)
        }
    }

    @Test("a second host header is rejected")
    func secondHost() async throws {
        try await StudioFixture().test { client async throws in
            var client = client
            client.headers[.host] = "example.org"
            #expect(
                try await client.errorCode(.get, "/", status: .misdirectedRequest) == "wrongHost")
        }
    }

    @Test("another host name is rejected, also for files of the page")
    func otherHost() async throws {
        let fixture = try StudioFixture { $0.hostName = "k3v9q2.localhost" }
        try await fixture.test { client async throws in
            for path in ["/", try fixture.scriptPath(), "/api/state", "/nothing"] {
                #expect(
                    try await client.errorCode(.get, path, status: .misdirectedRequest)
                        == "wrongHost")
            }
            // Cookies ignore ports: a server on another port that knew the name would receive them.
            let answer = try await client.json(.get, "/", status: .misdirectedRequest)
            #expect(!"\(answer)".contains("k3v9q2"))
        }
    }

    @Test("requests need a login, except for the files of the page")
    func login() async throws {
        try await StudioFixture().test { client async throws in
            let page = String(buffer: try await client.send(.get, "/").body)
            let file = try #require(page.firstMatch(of: /src="([^"]+)"/)?.1)
            #expect(try await client.send(.get, String(file)).status == .ok)
            for path in ["/api/state", "/api/events", "/api/albums", "/nothing"] {
                #expect(
                    try await client.errorCode(.get, path, status: .unauthorized) == "notLoggedIn")
            }
        }
    }

    @Test("a login token is valid once")
    func tokenTwice() async throws {
        let fixture = try StudioFixture()
        try await fixture.test { client async throws in
            let token = try client.server.tokens.issue()
            let body = #"{"token":"\#(token.text)"}"#
            #expect(try await client.send(.post, "/api/login", body).status == .noContent)
            #expect(
                try await client.errorCode(.post, "/api/login", body, status: .unauthorized)
                    == "wrongToken")
        }
    }

    @Test("the cookie is host-only, for HTTP and for the same site")
    func cookie() async throws {
        try await StudioFixture().test { client async throws in
            let token = try client.server.tokens.issue()
            let response = try await client.send(
                .post, "/api/login", #"{"token":"\#(token.text)"}"#)
            let cookie = try #require(response.headers[.setCookie])
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
            #expect(!cookie.contains("Domain"))
        }
    }

    @Test("a program exchanges a login token for a bearer token, and needs no other header")
    func bearer() async throws {
        try await StudioFixture().test { client async throws in
            var client = client
            client.headers = [.authorization: "Bearer \(try client.server.tokens.issue().text)"]
            let bearer = try await client.json(.post, "/api/login")["bearer"] as? String
            #expect(try await client.send(.post, "/api/login").status == .unauthorized)
            client.headers = [.authorization: "Bearer \(try #require(bearer))"]
            #expect(try await client.send(.get, "/api/state").status == .ok)
            client.headers = [.authorization: "Bearer 0"]
            #expect(try await client.send(.get, "/api/state").status == .unauthorized)
            client.headers = [.authorization: "Basic 0"]
            #expect(try await client.send(.get, "/api/state").status == .forbidden)
        }
    }

    @Test("a login ends with logout")
    func logout() async throws {
        try await StudioFixture().test { client async throws in
            let client = try await client.loggedIn()
            #expect(try await client.send(.get, "/api/state").status == .ok)
            #expect(try await client.send(.post, "/api/logout").status == .noContent)
            #expect(try await client.send(.get, "/api/state").status == .unauthorized)
        }
    }

    @Test("after ten wrong tokens, the status is 429, and a valid one is still accepted")
    func guessing() async throws {
        try await StudioFixture().test { client async throws in
            for _ in 0..<10 {
                #expect(
                    try await client.send(.post, "/api/login", #"{"token":"0"}"#).status
                        == .unauthorized)
            }
            let response = try await client.send(.post, "/api/login", #"{"token":"0"}"#)
            #expect(response.status == .tooManyRequests)
            #expect(response.headers[.retryAfter] != nil)
            let token = try client.server.tokens.issue()
            #expect(
                try await client.send(.post, "/api/login", #"{"token":"\#(token.text)"}"#).status
                    == .noContent)
        }
    }

    @Test("the views of a login are not visible to another one")
    func otherLogin() async throws {
        try await StudioFixture().test { client async throws in
            let (first, second) = (try await client.loggedIn(), try await client.loggedIn())
            let view = try await first.json(.post, "/api/views", "{}", status: .created)
            #expect(view["view"] as? String == "v1")
            #expect(
                try await second.errorCode(.get, "/api/views/v1", status: .notFound)
                    == "noSuchView")
        }
    }

    @Test(
        "every response has the security headers, errors too",
        arguments: ["/", "/api/state", "/nothing"])
    func headers(path: String) async throws {
        try await StudioFixture().test { client async throws in
            let headers = try await client.send(.get, path).headers
            let policy = try #require(headers[.contentSecurityPolicy])
            #expect(policy.contains("default-src 'none'"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(policy.contains("require-trusted-types-for 'script'"))
            #expect(!policy.contains("unsafe"))
            #expect(headers[.xContentTypeOptions] == "nosniff")
            #expect(headers[.crossOriginResourcePolicy] == "same-origin")
            #expect(headers[.crossOriginOpenerPolicy] == "same-origin")
            #expect(headers[.referrerPolicy] == "no-referrer")
            #expect(headers[.accessControlAllowOrigin] == nil)
        }
    }

    @Test(
        "no text of a path leads to a file",
        arguments: [
            "/../Test.editlibrary", "/%2e%2e/Test.editlibrary/library.sqlite",
            "/HASH/core/%2e%2e/core/element.js", "/HASH/core/..%5ccore/element.js",
            "/HASH/core/%c0%ae%c0%ae/core/element.js", "/HASH/core/element.js%00",
            "/HASH/core/element.js/x", "/HASH/index.html", "/index.html", "/core/element.js",
        ])
    func paths(path: String) async throws {
        let fixture = try StudioFixture()
        let script = try fixture.scriptPath()
        let hash = script.split(separator: "/")[0]
        let path = path.replacing("HASH", with: hash)
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            #expect(try await client.send(.get, script).status == .ok)
            #expect(try await client.send(.get, path).status == .notFound)
        }
    }

    @Test("a read-only studio rejects changes, and answers everything else")
    func readOnly() async throws {
        try await StudioFixture { $0.isReadOnly = true }.test { client async throws in
            let client = try await client.loggedIn()
            #expect(try await client.json(.get, "/api/state")["role"] as? String == "reader")
            _ = try await client.json(.post, "/api/views", "{}", status: .created)
            for (method, path) in [
                (HTTPRequest.Method.patch, "/api/assets"), (.delete, "/api/assets"),
                (.post, "/api/assets/undo"), (.post, "/api/albums"), (.delete, "/api/albums/x"),
            ] {
                #expect(
                    try await client.errorCode(method, path, "{}", status: .forbidden)
                        == "readOnly")
            }
        }
    }
}
