// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// The handlers of a connection, before those of HTTP: the limits on headers and connections.
struct StudioChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    let base: HTTP1Channel
    let limits: StudioLimits
    let connections: ConnectionCounter

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandlers([
                ConnectionGuard(limits: limits, connections: connections), Disconnection(),
            ])
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }

    /// Returns a builder of connections for the server.
    static func builder(
        _ limits: StudioLimits, _ connections: ConnectionCounter
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            var decoding = HTTP1Channel.Configuration.DecoderConfiguration()
            // Longer headers never reach the decoder.
            decoding.maxHeaderFieldSize = limits.headerBytes
            decoding.maxHeaderListSize = limits.headerBytes
            return StudioChannel(
                base: HTTP1Channel(
                    responder: responder,
                    configuration: .init(
                        idleTimeout: .seconds(Int64(limits.idleSeconds)),
                        httpDecoderConfiguration: decoding)),
                limits: limits, connections: connections)
        }
    }
}
