// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Reports the parts of a request that the HTTP decoder has found to ``ConnectionGuard``, which precedes the decoder.
final class RequestBoundaries: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: context.triggerUserOutboundEvent(RequestBoundary.head, promise: nil)
        case .body: break
        case .end: context.triggerUserOutboundEvent(RequestBoundary.end, promise: nil)
        }
        context.fireChannelRead(data)
    }
}
