// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol
import RunnerSupport

/// Requests video from the host and waits for it. One request is in flight at a time. Thread-safe.
final class VideoExchange: Sendable {
    private enum State: Sendable {
        case idle
        case waiting
        case received(ReceivedRequest)
        /// The reply is being copied from memory that the next one overwrites.
        case reading
    }

    private let connection: Connection
    private let state = LockedValue(State.idle)

    init(_ connection: Connection) { self.connection = connection }

    /// Requests video, and passes the reply with its descriptors to a body.
    ///
    /// - Throws: The failure reported by the host, or that of the body.
    func request<Result>(
        _ request: InputVideoRequest,
        _ body: (InputVideoReply, ReceivedRequest) throws(RunnerFailure) -> Result
    ) throws(RunnerFailure) -> Result {
        state.wait { state -> Void? in
            guard case .idle = state else { return nil }
            state = .waiting
            return ()
        }
        connection.announce(.videoNeeded(request))
        let received: ReceivedRequest = state.wait { state in
            guard case .received(let received) = state else { return nil }
            state = .reading
            return received
        }
        defer { state.access { $0 = .idle } }
        guard case .supplyVideo(let reply) = received.request else {
            throw RunnerFailure(code: .badRequest, message: "no video was supplied")
        }
        if case .failed(let failure) = reply { throw failure }
        return try body(reply, received)
    }

    /// Passes a reply to the waiting thread. Returns false if there is none.
    func receive(_ received: ReceivedRequest) -> Bool {
        state.access { state in
            guard case .waiting = state else { return false }
            state = .received(received)
            return true
        }
    }
}
