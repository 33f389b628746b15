// SPDX-License-Identifier: Apache-2.0

import Library
import NIOCore
import Synchronization

/// Detects that a client has closed its connection, even while no request is read from it.
///
/// Browsers cancel a request over HTTP/1.1 by closing the connection.
final class Disconnection: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private struct State {
        var isClosed = false
        var actions: [Int: @Sendable () -> Void] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    /// Returns the handler of a connection, or nil in tests without a network.
    static func of(_ channel: any Channel) async -> Disconnection? {
        try? await channel.pipeline.handler(type: Disconnection.self).get()
    }

    /// Runs work in a task that is cancelled when the client closes the connection.
    static func cancelling<Value: Sendable>(
        _ channel: any Channel, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let disconnection = await of(channel) else { return try await work() }
        // A new task does not inherit the executor preference of the server's tasks, and the work reads files.
        let task = Task(executorPreference: WaitingThread.executor) { try await work() }
        let number = disconnection.whenClosed { task.cancel() }
        defer { disconnection.forget(number) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Calls a closure when the client closes the connection, or immediately if it is already closed.
    ///
    /// - Returns: A number for ``forget(_:)``.
    func whenClosed(_ action: @escaping @Sendable () -> Void) -> Int {
        let number = state.withLock { state -> Int? in
            if state.isClosed { return nil }
            state.last += 1
            state.actions[state.last] = action
            return state.last
        }
        if number == nil { action() }
        return number ?? 0
    }

    /// Removes a closure that has not been called yet.
    func forget(_ number: Int) { state.withLock { $0.actions[number] = nil } }

    private func close() {
        let actions = state.withLock { state in
            defer { state.actions = [:] }
            state.isClosed = true
            return Array(state.actions.values)
        }
        for action in actions { action() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        close()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { close() }
        context.fireUserInboundEventTriggered(event)
    }
}
