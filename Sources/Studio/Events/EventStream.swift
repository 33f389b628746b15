// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore
import ServiceLifecycle

/// The body of a response that sends events until the client, the login or the server ends it.
struct EventStream: Sendable {
    let subscription: EventCenter.Subscription
    /// Ends the subscription and the request. It is also called if the connection is closed before the body is written.
    let end: @Sendable () -> Void
    /// The number of seconds between two comments, which keep the connection open, and reveal a network that is lost.
    let heartbeat: Double

    func write(to writer: inout any ResponseBodyWriter) async throws {
        defer { end() }
        try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
        for await text in texts { try await writer.write(ByteBuffer(string: text)) }
        try await writer.finish(nil)
    }

    /// The texts to send.
    private var texts: AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let events = Task {
            for await event in subscription.events { continuation.yield(event.text) }
            continuation.finish()
        }
        let beats = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(heartbeat))
                continuation.yield(": \n\n")
            }
        }
        continuation.onTermination = { _ in
            events.cancel()
            beats.cancel()
        }
        return stream
    }
}
