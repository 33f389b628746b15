// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The number of open connections of a server, on all of its addresses.
final class ConnectionCounter: Sendable {
    private let count = Atomic(0)

    /// Counts a new connection. Returns the number of open connections.
    func open() -> Int { count.add(1, ordering: .relaxed).newValue }

    /// Counts a closed connection.
    func close() { count.subtract(1, ordering: .relaxed) }
}
