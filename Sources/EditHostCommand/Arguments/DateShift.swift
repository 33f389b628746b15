// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import Foundation

/// A time by which capture dates are shifted.
struct DateShift: ExpressibleByArgument {
    /// The time in seconds; at most 9999 years in either direction.
    let seconds: Int

    private static let day = 86_400
    private static let maximum = 9999 * 366 * day

    /// Parses a sign and `[Nd][Nh][Nm][Ns]` or `HH:MM[:SS]`.
    init?(argument: String) {
        let clock = #/([+-])([0-9]{1,6}):([0-5][0-9])(?::([0-5][0-9]))?/#
        let units =
            #/([+-])(?:([0-9]{1,9})d)?(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m)?(?:([0-9]{1,9})s)?/#
        let sum: Int
        let sign: Substring
        func number(_ digits: Substring?) -> Int { digits.flatMap { Int($0) } ?? 0 }
        if let match = argument.wholeMatch(of: clock)?.output {
            sign = match.1
            sum = number(match.2) * 3600 + number(match.3) * 60 + number(match.4)
        } else if let match = argument.wholeMatch(of: units)?.output,
            [match.2, match.3, match.4, match.5].contains(where: { $0 != nil })
        {
            sign = match.1
            sum =
                number(match.2) * Self.day + number(match.3) * 3600 + number(match.4) * 60
                + number(match.5)
        } else {
            return nil
        }
        guard sum <= Self.maximum else { return nil }
        seconds = sign == "-" ? -sum : sum
    }

    /// Returns a shifted date with the same UTC offset. A date without a time moves by the whole days of the shift.
    ///
    /// - Returns: `nil` if the date would be outside the years 1 to 9999.
    func applied(to date: CaptureDate) -> CaptureDate? {
        let shifted =
            date.hasTime
            ? CaptureDate(
                date: date.date.addingTimeInterval(Double(seconds)), offset: date.offset)
            : CaptureDate(
                dayOf: date.date.addingTimeInterval(Double(seconds / Self.day * Self.day)))
        return shifted.isWritable ? shifted : nil
    }
}
