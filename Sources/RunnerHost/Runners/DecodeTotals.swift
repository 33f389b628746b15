// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The number of pictures that the runners of a host have decoded, as reported by them.
package final class DecodeTotals: Sendable {
    /// The numbers of decodes.
    package struct Counts: Hashable, Sendable {
        /// The number of pictures opened for decoding at full size.
        package var fullSize = 0
        /// The number of display images and other reduced pictures decoded.
        package var reduced = 0
    }

    private let state = Mutex(Counts())

    /// The totals since the host started.
    package var counts: Counts { state.withLock { $0 } }

    /// Adds the decodes of a runner, which counts from its start, since its last report.
    ///
    /// The counts are untrusted, because an extension may have written them.
    func add(_ now: Counts, after last: Counts) {
        state.withLock { total in
            total.fullSize &+= max(0, now.fullSize &- last.fullSize)
            total.reduced &+= max(0, now.reduced &- last.reduced)
        }
    }
}
