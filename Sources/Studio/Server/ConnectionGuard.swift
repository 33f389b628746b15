// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Rejects connections beyond the limit, and headers that are too long or too slow.
///
/// It sees the bytes before the HTTP decoder, which has no time limit and answers every error with the status 400. A
/// header ends with an empty line. Bytes after it belong to a body until the decoder has found the end of the request,
/// which ``RequestBoundaries`` reports. The response does not mark that end: errors are sent before the body has
/// arrived.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Phase {
        /// No byte of the next header has arrived.
        case idle
        case header
        /// The header is complete. Bytes are not examined until the request ends.
        case request
        case rejected
    }

    private let limits: StudioLimits
    private let connections: ConnectionCounter
    private var phase = Phase.idle
    private var count = 0
    /// The number of bytes of CR LF CR LF that have just arrived.
    private var matched = 0
    private var deadline: Scheduled<Void>?

    init(limits: StudioLimits, connections: ConnectionCounter) {
        self.limits = limits
        self.connections = connections
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        guard connections.open() > limits.connections else { return }
        reject(context, "503 Service Unavailable", "tooManyConnections", "too many connections")
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        connections.close()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch phase {
        case .rejected: return
        case .request: break
        case .idle, .header:
            take(unwrapInboundIn(data), context)
            if case .rejected = phase { return }
        }
        context.fireChannelRead(data)
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard let boundary = event as? RequestBoundary else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed()
        if case .rejected = phase { return }
        deadline?.cancel()
        (phase, count, matched) = (boundary == .head ? .request : .idle, 0, 0)
    }

    private func take(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        if case .idle = phase {
            phase = .header
            startClock(context)
        }
        for byte in bytes.readableBytesView {
            count += 1
            guard count <= limits.headerBytes else {
                return reject(
                    context, "431 Request Header Fields Too Large", "headerTooLarge",
                    "the header has more than \(limits.headerBytes) bytes")
            }
            matched = Self.matched(matched, byte)
            guard matched == 4 else { continue }
            (phase, count, matched) = (.request, 0, 0)
            deadline?.cancel()
            return
        }
    }

    private static func matched(_ matched: Int, _ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "\r"): matched == 2 ? 3 : 1
        // The decoder also accepts lines that end with LF alone.
        case UInt8(ascii: "\n"): matched == 3 || matched == 2 ? 4 : 2
        default: 0
        }
    }

    /// Starts the time for a header, at its first byte. An idle connection is closed by its own, longer limit.
    private func startClock(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(
            in: .milliseconds(Int64(limits.headerSeconds * 1000))
        ) {
            let (handler, context) = bound.value
            guard case .header = handler.phase else { return }
            handler.reject(
                context, "408 Request Timeout", "timeout", "the header did not arrive in time")
        }
    }

    private func reject(
        _ context: ChannelHandlerContext, _ status: String, _ code: String, _ message: String
    ) {
        phase = .rejected
        deadline?.cancel()
        let body = #"{"error":{"code":"\#(code)","message":"\#(message)"}}"#
        let text =
            "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: "
            + "\(body.utf8.count)\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n"
            + "Connection: close\r\n\r\n\(body)"
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        // A client that is still sending would otherwise lose the response.
        context.close(mode: .output, promise: nil)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .seconds(1)) { bound.value.close(promise: nil) }
    }
}
