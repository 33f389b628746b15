// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Synchronization

/// The open editing sessions of a host, up to a limit.
final class EditingSessions: Sendable {
    private struct State {
        var reserved = 0
        var open: [ObjectIdentifier: EditingSessionImplementation] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = max(1, limit) }

    /// Reserves a place for a session.
    ///
    /// - Throws: `HostError` with `tooManySessions`.
    func reserve() throws {
        try state.withLock { state in
            guard state.reserved < limit else {
                throw HostError(
                    .tooManySessions,
                    "\(limit) editing sessions are open, which is the limit; finish or cancel one")
            }
            state.reserved += 1
        }
    }

    /// Releases a reserved place whose session was not opened.
    func release() { state.withLock { $0.reserved -= 1 } }

    func add(_ session: EditingSessionImplementation) {
        state.withLock { $0.open[ObjectIdentifier(session)] = session }
    }

    /// Removes a closed session and releases its place.
    func remove(_ session: EditingSessionImplementation) {
        state.withLock { state in
            state.reserved -= 1
            state.open[ObjectIdentifier(session)] = nil
        }
    }

    /// The number of sessions that are open or being opened.
    var count: Int { state.withLock { $0.reserved } }

    /// Cancels all open sessions and waits until they have ended.
    func cancelAll() async {
        for session in state.withLock({ Array($0.open.values) }) { await session.cancel() }
    }
}
