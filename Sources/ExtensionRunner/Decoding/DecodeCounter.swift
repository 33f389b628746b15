// SPDX-License-Identifier: Apache-2.0

import RunnerSupport

/// The number of encoded pictures that this runner has decoded since it started.
final class DecodeCounter: Sendable {
    private struct Totals: Sendable {
        var fullSize = 0
        var reduced = 0
    }

    private let totals = LockedValue(Totals())

    /// Counts a picture that is opened for decoding at full size.
    func countFullSize() { totals.access { $0.fullSize += 1 } }

    /// Subtracts pictures that were opened at full size but not decoded.
    func takeBackFullSize(_ count: Int) { totals.access { $0.fullSize -= count } }

    /// Counts a display image whose pixels are decoded.
    func countReduced() { totals.access { $0.reduced += 1 } }

    /// The number of pictures opened at full size.
    var fullSize: Int { totals.access { $0.fullSize } }

    /// The number of display images decoded.
    var reduced: Int { totals.access { $0.reduced } }
}
