// SPDX-License-Identifier: Apache-2.0

import RunnerSupport

/// How often this runner has decoded an encoded picture since it started.
final class DecodeCounter: Sendable {
    private struct Totals: Sendable {
        var fullSize = 0
        var reduced = 0
    }

    private let totals = Monitor(Totals())

    /// A picture is opened to be decoded at full size.
    func countFullSize() { totals.access { $0.fullSize += 1 } }

    /// So many pictures that were opened are not decoded after all.
    func takeBackFullSize(_ count: Int) { totals.access { $0.fullSize -= count } }

    /// The pixels of a display image are decoded.
    func countReduced() { totals.access { $0.reduced += 1 } }

    /// How often a picture was opened at full size.
    var fullSize: Int { totals.access { $0.fullSize } }

    /// How often the pixels of a display image were decoded.
    var reduced: Int { totals.access { $0.reduced } }
}
