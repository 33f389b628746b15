// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Library
import NIOCore
import ServiceLifecycle
import Synchronization

extension StudioRoutes {
    /// Adds the stream of events.
    func addEvents(to router: Router<StudioContext>) {
        router.get("/api/events") { request, context -> Response in
            let query = Query(request)
            let login = try context.requiredLogin
            let (names, held) = (query.texts("view"), login.views)
            let subscription = try events.subscribe(
                login, views: names.compactMap { held[$0] },
                missing: names.filter { held[$0] == nil }, since: token(of: request, query))
            // The stream continues after the handler has returned.
            do {
                try login.beginRequest()
            } catch {
                subscription.end()
                throw error
            }
            // The body is not written if the client closes the connection before the head of the response is.
            let isOpen = Mutex(true)
            let end: @Sendable () -> Void = {
                let isFirst = isOpen.withLock { isOpen in
                    defer { isOpen = false }
                    return isOpen
                }
                guard isFirst else { return }
                subscription.end()
                login.endRequest()
            }
            let disconnection = await Disconnection.of(context.channel)
            let number = disconnection?.whenClosed(end)
            let body = EventStream(
                subscription: subscription,
                end: {
                    if let number { disconnection?.forget(number) }
                    end()
                },
                heartbeat: limits.heartbeatSeconds)
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream"],
                body: ResponseBody { writer in try await body.write(to: &writer) })
        }
    }

    /// Returns the token from which a page continues. A browser that reconnects sends the identifier of its last event.
    private func token(of request: Request, _ query: Query) throws(StudioError) -> ChangeToken? {
        guard let text = request.headers[.lastEventID] ?? query.text("since") else { return nil }
        guard let token = ChangeToken(text) else {
            throw StudioError(.invalidRequest, "since must be a change token")
        }
        return token
    }
}
