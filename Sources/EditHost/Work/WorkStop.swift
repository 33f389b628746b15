// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A request to start no further jobs.
package final class WorkStop: Sendable {
    private let state = Mutex(false)

    package init() {}

    /// True if no further job should start.
    package var isRequested: Bool { state.withLock { $0 } }

    /// Requests the stop. Running jobs are finished.
    package func request() { state.withLock { $0 = true } }
}
