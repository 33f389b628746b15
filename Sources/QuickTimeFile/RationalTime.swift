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

/// A time range of a movie.
package struct MoviePart: Hashable, Sendable {
    /// The start on the timeline of the whole movie.
    package let start: RationalTime
    /// The duration of the part.
    package let duration: RationalTime

    /// Creates a part from its start and its duration.
    package init(start: RationalTime, duration: RationalTime) {
        self.start = start
        self.duration = duration
    }

    /// Returns whether the part contains a time.
    package func contains(_ time: RationalTime) -> Bool {
        let elapsed = Fraction(time) - Fraction(start)
        return elapsed.numerator >= 0 && elapsed < Fraction(duration)
    }
}

/// A fraction with a positive denominator. The sum of two times of a file fits into 128 bits.
struct Fraction {
    let numerator: Int128
    let denominator: Int128

    init(numerator: Int128, denominator: Int128) {
        self.numerator = numerator
        self.denominator = denominator
    }

    init(_ time: RationalTime) {
        self.init(numerator: Int128(time.value), denominator: Int128(time.timescale))
    }

    static func - (left: Fraction, right: Fraction) -> Fraction {
        Fraction(
            numerator: left.numerator * right.denominator - right.numerator * left.denominator,
            denominator: left.denominator * right.denominator)
    }

    static func < (left: Fraction, right: Fraction) -> Bool {
        left.numerator * right.denominator < right.numerator * left.denominator
    }

    /// Returns the value in units of a timescale, rounded to the nearest unit; halves are rounded up.
    func units(of timescale: UInt32) -> Int128 {
        let doubled = 2 * numerator * Int128(timescale) + denominator
        let (quotient, remainder) = doubled.quotientAndRemainder(dividingBy: 2 * denominator)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
