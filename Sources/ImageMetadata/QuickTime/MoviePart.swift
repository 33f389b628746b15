// SPDX-License-Identifier: Apache-2.0

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
