// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import Library
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import Studio

@Suite("studio events")
struct EventTests {
    private let fixture: StudioFixture
    private let login: Login

    init() throws {
        fixture = try StudioFixture()
        login = Login(StudioLimits())
        try fixture.library.register(fixture.server.events)
    }

    private func makeAlbum(_ title: String, in library: PhotoLibrary? = nil) throws {
        try (library ?? fixture.library).performChanges {
            _ = try AssetCollectionChangeRequest(creatingWithTitle: title)
        }
    }

    /// Returns the first events of a subscription.
    private func first(
        _ count: Int, of subscription: EventCenter.Subscription
    ) async -> [StudioEvent] {
        var events: [StudioEvent] = []
        for await event in subscription.events {
            events.append(event)
            if events.count == count { break }
        }
        subscription.end()
        return events
    }

    @Test("a change is sent with its token")
    func change() async throws {
        let subscription = try fixture.server.events.subscribe(
            login, views: [], missing: [], since: nil)
        try makeAlbum("Summer")
        let events = await first(1, of: subscription)
        #expect(events.map(\.kind) == [.collections])
        let token = try fixture.library.currentChangeToken
        #expect(events.first?.text.contains("id: \(token)\n") == true)
    }

    @Test("a page that connects again gets the events that it has missed")
    func again() async throws {
        let token = try fixture.library.currentChangeToken
        let waiting = try fixture.server.events.subscribe(
            login, views: [], missing: [], since: nil)
        for title in ["a", "b", "c"] { try makeAlbum(title) }
        let seen = await first(3, of: waiting)
        let all = try fixture.server.events.subscribe(
            login, views: [], missing: [], since: token)
        #expect(await first(3, of: all).map(\.data) == seen.map(\.data))
        let rest = try fixture.server.events.subscribe(
            login, views: [], missing: [], since: seen[1].token)
        #expect(await first(1, of: rest).map(\.data) == [seen[2].data])
    }

    @Test("a page is notified that its views or its token are unknown")
    func reset() async throws {
        let subscription = try fixture.server.events.subscribe(
            login, views: [], missing: ["v7"], since: nil)
        let events = await first(1, of: subscription)
        #expect(events.map(\.kind) == [.reset])
        #expect(events.first?.data == #"{"view":"v7"}"#)
        let earlier = try #require(
            ChangeToken("0@\(try fixture.library.identifier)"))
        try makeAlbum("a")
        let later = StudioLimits()
        let center = try EventCenter(
            fixture.library, LoginStore(fixture.server.tokens, later), later)
        let expired = try center.subscribe(login, views: [], missing: [], since: earlier)
        #expect(await first(1, of: expired).first?.data == #"{"view":null}"#)
    }

    @Test("the end of a login ends its streams")
    func logout() async throws {
        let subscription = try fixture.server.events.subscribe(
            login, views: [], missing: [], since: nil)
        login.end()
        var count = 0
        for await _ in subscription.events { count += 1 }
        #expect(count == 0)
    }

    @Test("streams whose connections are closed before the head is written end")
    func closedEarly() async throws {
        try await fixture.test { client async throws in
            let client = try await client.loggedIn()
            let responder = client.server.router().buildResponder()
            let head = HTTPRequest(
                method: .get, scheme: "http", authority: "localhost", path: "/api/events",
                headerFields: client.headers)
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            // More than the 16 requests that a login may have in flight.
            for _ in 0..<20 {
                let channel = await NIOAsyncTestingChannel(handler: Disconnection())
                let response = try await responder.respond(
                    to: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
                    context: StudioContext(
                        source: ApplicationRequestContextSource(channel: channel, logger: logger)))
                #expect(response.status == .ok)
                _ = try await channel.finish()
            }
            let login = try #require(client.server.logins.all.first)
            #expect(!client.server.events.hasStream(of: login))
        }
    }

    @Test("a stream has a heartbeat when it opens, and then regularly")
    func heartbeats() async throws {
        let subscription = try fixture.server.events.subscribe(
            login, views: [], missing: [], since: nil)
        let (texts, written) = AsyncStream.makeStream(of: String.self)
        let stream = EventStream(subscription: subscription, end: {}, heartbeat: 0.001)
        let writing = Task {
            var writer: any ResponseBodyWriter = RecordingWriter(written: written)
            try await stream.write(to: &writer)
        }
        var first: [String] = []
        for await text in texts {
            first.append(text)
            if first.count == 3 { break }
        }
        subscription.end()
        try await writing.value
        let heartbeat = "event: heartbeat\ndata: {}\n\n"
        #expect(first == ["retry: 1000\n\n\(heartbeat)", heartbeat, heartbeat])
    }

    @Test("a stream that is not read holds a limited number of events, and ends")
    func slowReader() async throws {
        let fixture = try StudioFixture({ $0.limits.keptEvents = 2 })
        let events = fixture.server.events
        let subscription = try events.subscribe(login, views: [], missing: [], since: nil)
        let (written, writes) = AsyncStream.makeStream(of: Void.self)
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let stream = EventStream(subscription: subscription, end: {}, heartbeat: 1000)
        let writing = Task {
            var writer: any ResponseBodyWriter = HeldWriter(writes: writes, gate: gate)
            try await stream.write(to: &writer)
            writes.finish()
        }
        events.send(["id": "first"], toStreamsOf: login)
        for await _ in written { break }
        for _ in 0..<100 {
            events.send(["id": "later"], toStreamsOf: login)
            await Task.yield()
        }
        subscription.end()
        opening.finish()
        try await writing.value
        var later = 0
        for await _ in written { later += 1 }
        // Twice the number of events that are kept.
        #expect(later == 4)
    }

    @Test("events are kept up to a number of bytes; a page that missed others starts again")
    func keptBytes() async throws {
        let fixture = try StudioFixture({ $0.limits.keptEventBytes = 1 })
        let events = fixture.server.events
        try fixture.library.register(events)
        let token = try fixture.library.currentChangeToken
        let waiting = try events.subscribe(login, views: [], missing: [], since: nil)
        try makeAlbum("Summer", in: fixture.library)
        #expect(await first(1, of: waiting).map(\.kind) == [.collections])
        let again = try events.subscribe(login, views: [], missing: [], since: token)
        #expect(await first(1, of: again).map(\.data) == [#"{"view":null}"#])
    }

    @Test("a stream in which too many bytes wait ends")
    func waitingBytes() async throws {
        let fixture = try StudioFixture({ $0.limits.keptEventBytes = 100 })
        let events = fixture.server.events
        let subscription = try events.subscribe(login, views: [], missing: [], since: nil)
        // {"id":"…"} has nine bytes besides the text, so that an event has 50 bytes.
        let text = String(repeating: "x", count: 41)
        for _ in 0..<10 { events.send(["id": text], toStreamsOf: login) }
        subscription.end()
        var count = 0
        for await _ in subscription.events { count += 1 }
        #expect(count == 3)
    }
}

/// A writer that reports every event, and waits for a gate to open.
private struct HeldWriter: ResponseBodyWriter {
    let writes: AsyncStream<Void>.Continuation
    let gate: AsyncStream<Void>

    mutating func write(_ buffer: ByteBuffer) async throws {
        guard String(buffer: buffer).hasPrefix("event:") else { return }
        writes.yield()
        for await _ in gate {}
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// A writer that passes on the text of each write.
private struct RecordingWriter: ResponseBodyWriter {
    let written: AsyncStream<String>.Continuation

    mutating func write(_ buffer: ByteBuffer) async throws { written.yield(String(buffer: buffer)) }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
