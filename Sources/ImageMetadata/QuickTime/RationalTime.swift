// SPDX-License-Identifier: Apache-2.0

/// An exact time of a movie, as a number of timescale units.
package struct RationalTime: Hashable, Sendable, CustomStringConvertible {
    /// The number of units.
    package let value: Int64
    /// The number of units per second, at least 1.
    package let timescale: Int64

    /// Creates a time; returns `nil` if a number is out of range.
    ///
    /// - Parameters:
    ///   - value: The number of units, of a magnitude below 2⁵⁶.
    ///   - timescale: The number of units per second, 1 to 2³².
    package init?(value: Int64, timescale: Int64) {
        guard value.magnitude < Self.limit, (1...1 << 32).contains(timescale) else { return nil }
        self.value = value
        self.timescale = timescale
    }

    /// The exclusive limit of unit counts, chosen so that a product of three numbers fits into 128 bits.
    static let limit: UInt64 = 1 << 56

    /// The time in seconds, rounded to a `Double`.
    package var seconds: Double { Double(value) / Double(timescale) }

    /// The time as a fraction, such as `721/600 s`.
    package var description: String { "\(value)/\(timescale) s" }
}
