// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

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
        }.flatMap {
            base.setup(channel: channel, logger: logger)
        }.flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(RequestBoundaries(), position: .after(decoder))
            return value
        }
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
