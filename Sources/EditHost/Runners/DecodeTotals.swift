// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How often the runners of a host have decoded encoded pictures, by what they report.
package final class DecodeTotals: Sendable {
    /// Numbers of decodes.
    package struct Counts: Hashable, Sendable {
        /// How often a picture was opened to be decoded at full size.
        package var fullSize = 0
        /// How often the pixels of a display image, or another reduced one, were decoded.
        package var reduced = 0
    }

    private let state = Mutex(Counts())

    /// All so far.
    package var counts: Counts { state.withLock { $0 } }

    /// Adds what a runner, which counts from its start, has done since it reported last.
    ///
    /// What it says may be an extension's word.
    func add(_ now: Counts, after last: Counts) {
        state.withLock { total in
            total.fullSize &+= max(0, now.fullSize &- last.fullSize)
            total.reduced &+= max(0, now.reduced &- last.reduced)
        }
    }
}
