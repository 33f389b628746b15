// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol
import RunnerSupport

/// Requests video from the host and waits for it. One demand is in flight at a time. Thread-safe.
final class VideoExchange: Sendable {
    private enum State: Sendable {
        case idle
        case waiting
        case supplied(ReceivedRequest)
        /// The supply is being copied from memory that the next one overwrites.
        case reading
    }

    private let connection: Connection
    private let state = LockedValue(State.idle)

    init(_ connection: Connection) { self.connection = connection }

    /// Requests video, and passes the supply with its descriptors to a body.
    ///
    /// - Throws: The failure reported by the host, or that of the body.
    func request<Result>(
        _ demand: VideoDemand,
        _ body: (VideoSupply, ReceivedRequest) throws(RunnerFailure) -> Result
    ) throws(RunnerFailure) -> Result {
        state.wait { state -> Void? in
            guard case .idle = state else { return nil }
            state = .waiting
            return ()
        }
        connection.announce(.videoNeeded(demand))
        let received: ReceivedRequest = state.wait { state in
            guard case .supplied(let received) = state else { return nil }
            state = .reading
            return received
        }
        defer { state.access { $0 = .idle } }
        guard case .supplyVideo(let supply) = received.request else {
            throw RunnerFailure(code: .badRequest, message: "no video was supplied")
        }
        if case .failed(let failure) = supply { throw failure }
        return try body(supply, received)
    }

    /// Passes a supply to the waiting thread. Returns false if there is none.
    func supply(_ received: ReceivedRequest) -> Bool {
        state.access { state in
            guard case .waiting = state else { return false }
            state = .supplied(received)
            return true
        }
    }
}
