// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore
import ServiceLifecycle

/// The body of a response that sends events until the client, the login or the server ends it.
struct EventStream: Sendable {
    let subscription: EventCenter.Subscription
    /// Ends the subscription and the request. It is also called if the connection is closed before the body is written.
    let end: @Sendable () -> Void
    /// The number of seconds between two heartbeats.
    let heartbeat: Double

    func write(to writer: inout any ResponseBodyWriter) async throws {
        defer { end() }
        // The heartbeat is sent first, so that even a stream that is reopened frequently sends one each time.
        try await writer.write(ByteBuffer(string: "retry: 1000\n\n" + StudioEvent.heartbeat.text))
        let beats = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(heartbeat))
                subscription.beat()
            }
        }
        defer { beats.cancel() }
        // There is no buffer other than that of the subscription, which ends when it is full.
        for await event in subscription.events {
            try await writer.write(ByteBuffer(string: event.text))
        }
        try await writer.finish(nil)
    }
}
