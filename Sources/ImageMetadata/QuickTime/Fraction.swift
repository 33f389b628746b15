// SPDX-License-Identifier: Apache-2.0

/// A fraction with a positive denominator. The terms of the difference of two times of a file fit into 128 bits.
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
