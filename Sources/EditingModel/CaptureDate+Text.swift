// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension CaptureDate {
    /// The date in RFC 3339, such as `2016-10-09T14:44:18.445` or `2021-08-06T11:32:22.397-07:00`.
    ///
    /// The fraction of a second and the UTC offset are omitted if they are zero or unknown. A date without a
    /// time is a day alone: `2016-10-09`.
    public var text: String {
        let local = Self.localText(date.addingTimeInterval(Double(offset ?? 0)))
        guard hasTime else { return String(local.prefix { $0 != "T" }) }
        return local + (offset.map(Self.offsetText) ?? "")
    }

    private static func localText(_ date: Date) -> String {
        let exact = (date.timeIntervalSince1970 * 1000).rounded()
        // Far beyond the range of writable dates (years 1 to 9999); it only prevents overflow.
        let milliseconds = Int(exactly: max(-1e15, min(1e15, exact))) ?? 0
        let (seconds, fraction) = quotient(milliseconds, 1000)
        let (days, second) = quotient(seconds, 86400)
        let day = CalendarDay(daysSinceEpoch: days)
        let text =
            [padded(day.year, 4), padded(day.month), padded(day.day)].joined(separator: "-") + "T"
            + [padded(second / 3600), padded(second / 60 % 60), padded(second % 60)]
            .joined(separator: ":")
        return fraction == 0 ? text : text + "." + trimmed(fraction)
    }

    /// Floored division: the remainder is never negative.
    private static func quotient(_ number: Int, _ divisor: Int) -> (quotient: Int, remainder: Int) {
        let remainder = (number % divisor + divisor) % divisor
        return ((number - remainder) / divisor, remainder)
    }

    private static func trimmed(_ milliseconds: Int) -> String {
        var digits = padded(milliseconds, 3)
        while digits.hasSuffix("0") { digits.removeLast() }
        return digits
    }

    private static func offsetText(_ offset: Int) -> String {
        let minutes = abs(offset) / 60
        return (offset < 0 ? "-" : "+") + padded(minutes / 60) + ":" + padded(minutes % 60)
    }

    private static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
