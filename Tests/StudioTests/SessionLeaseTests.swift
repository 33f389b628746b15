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

        private let isCancelling = Mutex(false)

        var now: ContinuousClock.Instant {
            let cancels = isCancelling.withLock { isCancelling in
                defer { isCancelling = false }
                return isCancelling
            }
            if cancels { withUnsafeCurrentTask { $0?.cancel() } }
            return start + offset.withLock { $0 }
        }

        /// Cancels the next task that reads the clock.
        func cancelNextReader() { isCancelling.withLock { $0 = true } }

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

    @Test("a stream of events renews no session, and reports its end")
    func stream() async throws {
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let login = try #require(fixture.server.logins.all.first)
            let stream = try fixture.server.events.subscribe(
                login, views: [], missing: [], since: nil)
            let left = try await open(client)
            clock.advance(by: 20)
            let asset = try #require(
                fixture.server.sessions.sessions(of: login).first?.editing.assetIdentifier)
            let row = try await client.json(
                .post, "/api/sessions", #"{"asset":"\#(asset)","extension":"adder"}"#,
                status: .created)
            let right = "/api/sessions/\(try #require(row["id"] as? String))"
            clock.advance(by: 20)
            // The tab of the right session renews it. The stream, which all tabs share, does not renew the left one.
            #expect(try await client.send(.post, "\(right)/renew").status == .noContent)
            fixture.server.sessions.endExpired()
            #expect(try await client.send(.post, "\(left)/renew").status == .notFound)
            #expect(try await client.send(.post, "\(right)/renew").status == .noContent)
            stream.end()
            var data: [String] = []
            for await event in stream.events where event.kind == .session {
                data.append(event.data)
            }
            #expect(data.count == 3, "\(data)")
            #expect(
                data.last?.contains(#""state":"ended","reason":{"code":"sessionEnded""#) == true)
        }
    }

    @Test("a session whose opening is cancelled at the last moment ends")
    func cancelledOpening() async throws {
        try await fixture.test { client async throws in
            _ = try await client.loggedIn()
            let login = try #require(fixture.server.logins.all.first)
            let asset = try #require(try await fixture.importPictures(1).first)
            let request = try JSONDecoder().decode(
                SessionRequest.self,
                from: Data(#"{"asset":"\#(asset)","extension":"adder"}"#.utf8))
            let sessions = fixture.server.sessions
            // The clock is read when the session is added.
            clock.cancelNextReader()
            let opening = Task { _ = try await sessions.open(request, login) }
            await #expect(throws: CancellationError.self) { try await opening.value }
            #expect(sessions.sessions(of: login).isEmpty)
            try await waitUntil("the edit is cancelled") { fixture.host.openEditingSessions == 0 }
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
