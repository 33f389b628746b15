// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import Foundation
import Library

/// A year, a month, a day or a moment of the Gregorian calendar.
struct MomentArgument: ExpressibleByArgument, Equatable {
    /// The moment, or the start of the period.
    let start: Date
    /// The exclusive end of the period; for a moment, the moment itself.
    let end: Date
    /// The UTC offset in seconds; `nil` if none is given.
    let offset: Int?

    /// Parses `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. A day may be followed by `THH:MM[:SS[.fraction]]` and `Z` or
    /// `±HH:MM`.
    init?(argument: String) {
        if let period = Self.period(argument) {
            (start, end, offset) = (period.lowerBound, period.upperBound, nil)
            return
        }
        let form = #/(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(.*))?/#
        guard let match = argument.wholeMatch(of: form)?.output,
            let offset = Self.seconds(east: String(match.8 ?? ""))
        else { return nil }
        let (hour, minute, second) = (
            Self.number(match.4), Self.number(match.5), Self.number(match.6)
        )
        guard let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
            let date = CalendarDay(year: year, month: month, day: day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let seconds = date.daysSinceEpoch * 86400 + hour * 3600 + minute * 60 + second
        let fraction = match.7.flatMap { Double("0" + $0) } ?? 0
        start = Date(timeIntervalSince1970: Double(seconds) + fraction - Double(offset))
        self.offset = (match.8 ?? "").isEmpty ? nil : offset
        end = match.4 == nil ? start.addingTimeInterval(86400) : start
    }

    /// Parses a year or a month.
    private static func period(_ text: String) -> Range<Date>? {
        guard let match = text.wholeMatch(of: #/(\d{4})(?:-(\d\d))?/#)?.output,
            let year = Int(match.1), let month = match.2.map({ Int($0) }) ?? 1,
            let first = CalendarDay(year: year, month: month, day: 1)
        else { return nil }
        // Adding 31 days to a month or 366 to a year reaches the next one; its first day follows by
        // subtraction.
        let beyond = CalendarDay(daysSinceEpoch: first.daysSinceEpoch + (match.2 == nil ? 366 : 31))
        let next = beyond.daysSinceEpoch - beyond.day + 1
        return date(first.daysSinceEpoch)..<date(next)
    }

    private static func date(_ day: Int) -> Date {
        Date(timeIntervalSince1970: Double(day) * 86400)
    }

    private static func number(_ digits: Substring?) -> Int { digits.flatMap { Int($0) } ?? 0 }

    private static func seconds(east text: String) -> Int? {
        if text.isEmpty || text == "Z" { return 0 }
        guard let match = text.wholeMatch(of: #/([+-])(\d\d):(\d\d)/#)?.output,
            let hours = Int(match.2), let minutes = Int(match.3), hours < 24, minutes < 60
        else { return nil }
        return (match.1 == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// The date that it is compared with: the moment if an offset is given, otherwise the camera's local time.
    var key: AssetPredicate.DateKey { offset == nil ? .clock : .creation }

    /// The test for dates until the end of the moment or period.
    var orEarlier: AssetPredicate.ValueTest<Date> { end > start ? .lessThan(end) : .atMost(start) }
}
