// SPDX-License-Identifier: Apache-2.0

/// A time as a file states it, without rounding.
package struct RationalTime: Hashable, Sendable, CustomStringConvertible {
    /// How many units.
    package let value: Int64
    /// How many units make a second; at least 1.
    package let timescale: Int64

    /// Makes a time; nil where the numbers are beyond those of any movie.
    ///
    /// - Parameters:
    ///   - value: how many units, of a magnitude below 2⁵⁶.
    ///   - timescale: how many units make a second, 1 to 2³².
    package init?(value: Int64, timescale: Int64) {
        guard value.magnitude < Self.limit, (1...1 << 32).contains(timescale) else { return nil }
        self.value = value
        self.timescale = timescale
    }

    /// What numbers of units stay below, so that products of three numbers fit into 128 bits.
    static let limit: UInt64 = 1 << 56

    /// The time in seconds, rounded.
    package var seconds: Double { Double(value) / Double(timescale) }

    /// As a fraction, such as `721/600 s`.
    package var description: String { "\(value)/\(timescale) s" }
}

/// A part of a movie.
package struct MoviePart: Hashable, Sendable {
    /// When it begins, in the time of the whole movie.
    package let start: RationalTime
    /// How long it lasts.
    package let duration: RationalTime

    /// Makes a part; both arguments are the properties of their names.
    package init(start: RationalTime, duration: RationalTime) {
        self.start = start
        self.duration = duration
    }

    /// Whether a time lies in the part.
    package func contains(_ time: RationalTime) -> Bool {
        let elapsed = Fraction(time) - Fraction(start)
        return elapsed.numerator >= 0 && elapsed < Fraction(duration)
    }
}

/// A fraction whose denominator is positive. Sums of two times of a file stay within 128 bits.
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

    /// The number of units of a timescale, rounded to the nearest; halves are rounded up.
    func units(of timescale: UInt32) -> Int128 {
        let doubled = 2 * numerator * Int128(timescale) + denominator
        let (quotient, remainder) = doubled.quotientAndRemainder(dividingBy: 2 * denominator)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
