// SPDX-License-Identifier: Apache-2.0

/// How often this runner has begun to decode a base at full size.
final class DecodeCounter: Sendable {
    private let total = Monitor(0)

    /// One more.
    func count() { total.access { $0 += 1 } }

    /// How many so far.
    var value: Int { total.access { $0 } }
}
