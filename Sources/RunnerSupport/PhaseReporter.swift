// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import RunnerProtocol

/// Tells the host what the runner is about to do, so that a crash can be blamed.
package final class PhaseReporter: Sendable {
    private let connection: Connection
    /// What was said last, and what the worker is in; they differ while the reader calls out.
    private let state = Monitor((said: RunnerPhase.idle, worker: RunnerPhase.idle))
    /// What says a phase, encoded: the same few follow one another with every frame of a video.
    private let packets = Monitor([RunnerPhase: Data]())
    /// Of one edit there are some twenty.
    private static let maximumKept = 64

    package init(connection: Connection) { self.connection = connection }

    /// The worker enters a phase. Gives the one before.
    @discardableResult package func enter(_ phase: RunnerPhase) -> RunnerPhase {
        state.access { state in
            defer { state.worker = phase }
            say(phase, &state.said)
            return state.worker
        }
    }

    /// The worker has done what it was asked to. The host knows by the answer.
    package func end() {
        state.access { state in
            (state.said, state.worker) = (.idle, .idle)
        }
    }

    /// Runs the body in a phase, on the worker, and goes back to the one before.
    package func during<Result>(_ phase: RunnerPhase, _ body: () throws -> Result) rethrows
        -> Result
    {
        let previous = enter(phase)
        defer { enter(previous) }
        return try body()
    }

    /// Runs the body in a phase, on the reader's thread, whatever the worker does meanwhile.
    package func interrupting<Result>(with phase: RunnerPhase, _ body: () -> Result) -> Result {
        state.access { state in say(phase, &state.said) }
        defer { state.access { state in say(state.worker, &state.said) } }
        return body()
    }

    private func say(_ phase: RunnerPhase, _ said: inout RunnerPhase) {
        guard phase != said else { return }
        said = phase
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
