// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

@testable import Studio

/// Leases, with a clock that the tests set.
@Suite("leases of studio sessions")
struct SessionLeaseTests {
    private final class TestClock: Sendable {
        private let offset = Mutex(Duration.zero)
        private let start = ContinuousClock.now

        var now: ContinuousClock.Instant { start + offset.withLock { $0 } }

        func advance(by seconds: Int) { offset.withLock { $0 += .seconds(seconds) } }
    }

    private let clock = TestClock()
    private let fixture: StudioFixture

    init() throws {
        let clock = clock
        fixture = try StudioFixture(
            extensions: { try TestExtension.buildAdder(in: $0) }, now: { clock.now })
    }

    private func open(_ client: StudioClient, _ more: String = "") async throws -> String {
        let asset = try #require(try await fixture.importPictures(1).first)
        let row = try await client.json(
            .post, "/api/sessions", #"{"asset":"\#(asset)","extension":"adder"\#(more)}"#,
            status: .created)
        return "/api/sessions/\(try #require(row["id"] as? String))"
    }

    @Test("a session that is not renewed for 30 s ends")
    func expiry() async throws {
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = try await open(client)
            for _ in 0..<3 {
                clock.advance(by: 20)
                fixture.server.sessions.endExpired()
                #expect(try await client.send(.post, "\(path)/renew").status == .noContent)
            }
            clock.advance(by: 31)
            fixture.server.sessions.endExpired()
            #expect(
                try await client.errorCode(.post, "\(path)/renew", status: .notFound)
                    == "noSuchSession")
            try await waitUntil("the edit is cancelled") { fixture.host.openEditingSessions == 0 }
        }
    }

    @Test("every request of a session renews it")
    func requests() async throws {
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = try await open(client)
            for _ in 0..<3 {
                clock.advance(by: 20)
                #expect(try await client.send(.post, "\(path)/preview", "{}").status == .ok)
                clock.advance(by: 20)
                #expect(try await client.send(.get, "\(path)/color?x=0&y=0").status == .ok)
                fixture.server.sessions.endExpired()
            }
            #expect(try await client.send(.post, "\(path)/renew").status == .noContent)
        }
    }

    @Test("an edit that is being finished does not expire")
    func finishing() async throws {
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let path = try await open(client, #","values":{"mode":"wait"}"#)
            let login = try #require(fixture.server.logins.all.first)
            let session = try #require(fixture.server.sessions.sessions(of: login).first)
            let finish = Task { [client] in
                try await client.errorCode(
                    .post, "\(path)/finish", "{}", status: .serviceUnavailable)
            }
            try await waitUntil("the session is finishing") { session.phase == .finishing }
            clock.advance(by: 1000)
            fixture.server.sessions.endExpired()
            #expect(session.phase == .finishing)
            #expect(try await client.send(.delete, path).status == .noContent)
            #expect(try await finish.value == "cancelled")
        }
    }

    @Test("a stream of events renews the sessions of its login, and reports their end")
    func stream() async throws {
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let login = try #require(fixture.server.logins.all.first)
            let stream = try fixture.server.events.subscribe(
                login, views: [], missing: [], since: nil)
            let path = try await open(client)
            clock.advance(by: 100)
            fixture.server.sessions.endExpired()
            #expect(try await client.send(.post, "\(path)/renew").status == .noContent)
            stream.end()
            clock.advance(by: 31)
            let last = try fixture.server.events.subscribe(
                Login(StudioLimits()), views: [], missing: [], since: nil)
            fixture.server.sessions.endExpired()
            last.end()
            #expect(try await client.send(.post, "\(path)/renew").status == .notFound)
            var data: [String] = []
            for await event in stream.events where event.kind == .session {
                data.append(event.data)
            }
            #expect(data.count == 1 && data[0].hasSuffix(#""state":"editing"}"#), "\(data)")
        }
    }

    @Test("the events of a session are sent to its login only, with the reason of its end")
    func events() async throws {
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let login = try #require(fixture.server.logins.all.first)
            let own = try fixture.server.events.subscribe(
                login, views: [], missing: [], since: nil)
            let other = try fixture.server.events.subscribe(
                Login(StudioLimits()), views: [], missing: [], since: nil)
            let path = try await open(client)
            _ = try await client.send(
                .post, "\(path)/preview", #"{"values":{"mode":"crash-preview"}}"#)
            own.end()
            other.end()
            var data: [String] = []
            for await event in own.events where event.kind == .session { data.append(event.data) }
            #expect(data.count == 2, "\(data)")
            #expect(
                data.last?.contains(#""state":"ended","reason":{"code":"extensionFailed""#) == true)
            var count = 0
            for await event in other.events where event.kind == .session {
                _ = event
                count += 1
            }
            #expect(count == 0)
        }
    }
}
