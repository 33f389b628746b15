// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Studio

@Suite("limits on connections")
struct ConnectionGuardTests {
    private let limits: StudioLimits
    private let connections = ConnectionCounter()

    init() {
        var limits = StudioLimits()
        limits.headerBytes = 100
        limits.connections = 2
        self.limits = limits
    }

    private func connect() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(
            handler: ConnectionGuard(limits: limits, connections: connections))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    /// Returns the first line of what was written to the connection, or nil.
    private func status(_ channel: EmbeddedChannel) throws -> String? {
        let bytes = try channel.readOutbound(as: ByteBuffer.self)
        return bytes.map { String(buffer: $0).prefix { $0 != "\r\n" }.description }
    }

    private func send(_ text: String, _ channel: EmbeddedChannel) throws {
        try channel.writeInbound(ByteBuffer(string: text))
    }

    @Test("a header that is too long is rejected with 431, also in small parts")
    func longHeader() throws {
        let channel = try connect()
        for _ in 0..<10 { try send("X: 1234567", channel) }
        #expect(try status(channel) == nil)
        try send("x", channel)
        #expect(try status(channel) == "HTTP/1.1 431 Request Header Fields Too Large")
        // Nothing more is passed on.
        while try channel.readInbound(as: ByteBuffer.self) != nil {}
        try send("GET / HTTP/1.1\r\n\r\n", channel)
        #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
    }

    @Test("a body is not counted, also after an early response, and the next header is")
    func body() throws {
        let channel = try connect()
        try channel.pipeline.syncOperations.addHandlers([
            ByteToMessageHandler(HTTPRequestDecoder()), RequestBoundaries(),
        ])
        let header = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1500\r\n\r\n"
        for _ in 0..<3 {
            try send(header + String(repeating: "x", count: 500), channel)
            #expect(try status(channel) == nil)
            try channel.writeOutbound(ByteBuffer(string: "HTTP/1.1 415 Type\r\n\r\n"))
            #expect(try status(channel) == "HTTP/1.1 415 Type")
            try send(String(repeating: "\r\n", count: 250), channel)
            try send(String(repeating: "x", count: 500), channel)
            #expect(try status(channel) == nil)
        }
        try send("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 100), channel)
        #expect(try status(channel) == "HTTP/1.1 431 Request Header Fields Too Large")
    }

    @Test("a header that does not end in time is rejected with 408")
    func slowHeader() throws {
        let channel = try connect()
        let second = TimeAmount.seconds(1)
        // An idle connection has its own limit.
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(try status(channel) == nil)
        for _ in 0..<9 {
            try send("x", channel)
            channel.embeddedEventLoop.advanceTime(by: second)
        }
        #expect(try status(channel) == nil)
        channel.embeddedEventLoop.advanceTime(by: second)
        #expect(try status(channel) == "HTTP/1.1 408 Request Timeout")
    }

    @Test("a header that ends in time is not rejected later")
    func inTime() throws {
        let channel = try connect()
        try send("GET / HTTP/1.1\r\n", channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(5))
        try send("\r\n", channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(try status(channel) == nil)
    }

    @Test("connections beyond the limit are rejected with 503")
    func connectionLimit() throws {
        let (first, second) = (try connect(), try connect())
        #expect(try status(first) == nil && status(second) == nil)
        #expect(try status(try connect()) == "HTTP/1.1 503 Service Unavailable")
    }
}
