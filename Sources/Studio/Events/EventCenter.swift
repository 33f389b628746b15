// SPDX-License-Identifier: Apache-2.0

import JSONOutput
import Library
import Synchronization

/// Observes the library, applies every change to the views that are held for pages, and sends the events to the pages.
///
/// Recent events are kept, so that a page that lost its connection can continue from its last token.
final class EventCenter: ChangeObserver {
    /// A stream of events to one page.
    struct Subscription: Sendable {
        let events: AsyncStream<StudioEvent>
        /// Adds a heartbeat to the events.
        let beat: @Sendable () -> Void
        let end: @Sendable () -> Void
    }

    private struct Subscriber {
        let login: Login
        let views: Set<ObjectIdentifier>
        let continuation: AsyncStream<StudioEvent>.Continuation
        /// The numbers of bytes of the events that wait in the stream.
        var waiting: [Int] = []

        mutating func send(_ event: StudioEvent, _ limits: StudioLimits) {
            if let view = event.view, !views.contains(view) { return }
            // A page that does not read its events is disconnected. It reconnects, and then continues or fetches
            // everything again.
            guard case .enqueued(let free) = continuation.yield(event) else {
                return continuation.finish()
            }
            waiting.append(event.byteCount)
            let count = EventCenter.capacity(limits) - free
            waiting.removeFirst(max(0, waiting.count - count))
            if waiting.reduce(0, +) > limits.keptEventBytes { continuation.finish() }
        }
    }

    private struct State {
        var subscribers: [Int: Subscriber] = [:]
        var last = 0
        var history: [StudioEvent] = []
        var keptBytes = 0
        /// Events up to this token are not kept.
        var start: ChangeToken
        var isEnded = false
    }

    private let logins: LoginStore
    private let limits: StudioLimits
    private let extensionBuilds: String
    private let state: Mutex<State>

    /// - Parameter extensionBuilds: The builds of the installed extensions, for content keys.
    /// - Throws: `LibraryError` if the library cannot be read.
    init(
        _ library: PhotoLibrary, _ logins: LoginStore, _ limits: StudioLimits,
        extensionBuilds: String = ""
    ) throws {
        self.extensionBuilds = extensionBuilds
        self.logins = logins
        self.limits = limits
        state = Mutex(State(start: try library.currentChangeToken))
    }

    // MARK: - Changes

    func photoLibraryDidChange(_ change: Change) {
        for login in logins.all {
            for (name, view) in login.views { apply(change, to: view, named: name) }
        }
        do {
            for event in try LibraryEvents.events(of: change, extensionBuilds) {
                send(event)
            }
        } catch {
            reset(nil, named: nil, change.token)
        }
    }

    private func apply(_ change: Change, to view: StudioView, named name: String) {
        do {
            guard let details = try view.apply(change) else { return }
            send(
                try StudioEvent(
                    .view, view: view, token: change.token,
                    ViewEvent.row(of: details, view: name, token: view.snapshot.token)))
        } catch {
            // The library cannot be read. The page fetches the view again.
            reset(view, named: name, change.token)
        }
    }

    /// Notifies pages that a view must be fetched again, or all views if it is nil.
    private func reset(_ view: StudioView?, named name: String?, _ token: ChangeToken) {
        let event = try? StudioEvent(
            .reset, view: view, token: token, isLast: view == nil, ["view": name])
        if let event { send(event) }
    }

    private func send(_ event: StudioEvent) {
        state.withLock { state in
            state.history.append(event)
            state.keptBytes += event.byteCount
            while state.history.count > limits.keptEvents || state.keptBytes > limits.keptEventBytes
            {
                let removed = state.history.removeFirst()
                state.keptBytes -= removed.byteCount
                state.start = removed.token ?? state.start
            }
            for number in state.subscribers.keys { state.subscribers[number]?.send(event, limits) }
        }
    }

    /// Sends an event about an editing session to the streams of a login. It is not kept, because it corresponds to no
    /// change of the library.
    func send(_ session: JSONRow, toStreamsOf login: Login) {
        guard let event = try? StudioEvent(.session, token: nil, session) else { return }
        state.withLock { state in
            for (number, subscriber) in state.subscribers where subscriber.login === login {
                state.subscribers[number]?.send(event, limits)
            }
        }
    }

    /// The maximum number of events that wait for a page.
    private static func capacity(_ limits: StudioLimits) -> Int { limits.keptEvents * 2 }

    // MARK: - Subscribers

    /// Returns the events for a page: those since a token, and all later ones.
    ///
    /// - Parameters:
    ///   - views: The views of the page. Events of other views are not sent.
    ///   - missing: The names of views that do not exist, which the page must fetch again.
    ///   - token: The token from which the page continues; nil for later events only.
    func subscribe(
        _ login: Login, views: [StudioView], missing: [String], since token: ChangeToken?
    ) throws -> Subscription {
        let (stream, continuation) = AsyncStream.makeStream(
            of: StudioEvent.self, bufferingPolicy: .bufferingOldest(Self.capacity(limits)))
        let names = Set(views.map { ObjectIdentifier($0) })
        let number = try state.withLock { state in
            var subscriber = Subscriber(login: login, views: names, continuation: continuation)
            if state.isEnded { continuation.finish() }
            if let token {
                if token < state.start {
                    continuation.yield(
                        try StudioEvent(.reset, token: state.start, isLast: true, ["view": nil]))
                } else {
                    for event in state.history where event.token.map({ $0 > token }) ?? false {
                        subscriber.send(event, limits)
                    }
                }
            }
            for name in missing {
                continuation.yield(try StudioEvent(.reset, token: nil, ["view": name]))
            }
            state.last += 1
            state.subscribers[state.last] = subscriber
            return state.last
        }
        let loginNumber = login.whenEnded { continuation.finish() }
        return Subscription(
            events: stream, beat: { continuation.yield(.heartbeat) },
            end: { [self] in
                login.cancel(loginNumber)
                state.withLock { _ = $0.subscribers.removeValue(forKey: number) }
                continuation.finish()
            })
    }

    /// Returns whether a login has a stream of events.
    func hasStream(of login: Login) -> Bool {
        state.withLock { $0.subscribers.values.contains { $0.login === login } }
    }

    /// Ends all streams.
    func end() {
        let subscribers = state.withLock { state in
            defer { state.subscribers = [:] }
            state.isEnded = true
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.continuation.finish() }
    }
}
