// SPDX-License-Identifier: Apache-2.0

/// A day of the proleptic Gregorian calendar, as used by ISO 8601, XMP and RFC 3339.
///
/// Foundation's calendar switches to Julian days before 1582 and cannot be used here.
package struct CalendarDay: Hashable, Sendable {
    package let year: Int
    /// The month, 1...12.
    package let month: Int
    /// The day of the month, 1...31.
    package let day: Int

    /// Creates a day of the years 1...9999, or returns `nil` if the date does not exist.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.days(in: month, of: year)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Creates the day that is this number of days after 1970-01-01, or before it if the number is negative.
    package init(daysSinceEpoch: Int) {
        // Years start in March here, so that a leap day is the last day of its year. 400 years have 146,097
        // days.
        let shifted = daysSinceEpoch + 719_468
        let cycle = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfCycle = shifted - cycle * 146_097
        let yearOfCycle =
            (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        year = yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0)
    }

    /// The number of days since 1970-01-01, negative for earlier days.
    package var daysSinceEpoch: Int {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
