// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import RunnerProtocol

/// Reports the runner's next activity to the host, so that a crash can be attributed.
package final class PhaseReporter: Sendable {
    private let connection: Connection
    /// The last reported phase and the worker's phase. They differ while the receiver calls an extension.
    private let state = LockedValue((previous: RunnerPhase.idle, worker: RunnerPhase.idle))
    /// Encoded packets by phase, because the same few phases repeat for every frame of a video.
    private let packets = LockedValue([RunnerPhase: Data]())
    /// The maximum number of cached packets. An edit has about twenty phases.
    private static let maximumKept = 64

    package init(connection: Connection) { self.connection = connection }

    /// Enters a phase of the worker. Returns the previous phase.
    @discardableResult package func enter(_ phase: RunnerPhase) -> RunnerPhase {
        state.access { state in
            defer { state.worker = phase }
            send(phase, &state.previous)
            return state.worker
        }
    }

    /// Ends the worker's request. No phase is reported, because the answer itself informs the host.
    package func end() {
        state.access { state in
            (state.previous, state.worker) = (.idle, .idle)
        }
    }

    /// Runs a closure in a phase of the worker, then restores the previous phase.
    package func during<Result>(_ phase: RunnerPhase, _ body: () throws -> Result) rethrows
        -> Result
    {
        let previous = enter(phase)
        defer { enter(previous) }
        return try body()
    }

    /// Runs a closure in a phase on the receiver's thread, regardless of the worker's phase.
    package func interrupting<Result>(with phase: RunnerPhase, _ body: () -> Result) -> Result {
        state.access { state in send(phase, &state.previous) }
        defer { state.access { state in send(state.worker, &state.previous) } }
        return body()
    }

    private func send(_ phase: RunnerPhase, _ previous: inout RunnerPhase) {
        guard phase != previous else { return }
        previous = phase
        if let packet = packet(of: phase) {
            connection.announce(packet)
        } else {
            connection.announce(.phase(phase))
        }
    }

    private func packet(of phase: RunnerPhase) -> Data? {
        packets.access { packets in
            if let known = packets[phase] { return known }
            let packet = connection.packet(announcing: .phase(phase))
            if packets.count >= Self.maximumKept { packets = [:] }
            packets[phase] = packet
            return packet
        }
    }
}
