// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Reports to ``ConnectionGuard``, which precedes the HTTP decoder, which parts of a request the decoder has found.
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
