// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A parser for the date strings of EXIF, XMP, IPTC and QuickTime.
///
/// Invalid dates such as `0000:00:00`, blanks or the 31st of June are `nil`.
package struct CaptureDateParser {
    private var rest: Substring.UTF8View

    private init(_ text: String) { rest = Substring(text.trimmingBlanks).utf8 }

    /// Parses an EXIF date (`2021:08:06 11:32:22`) or an ISO 8601 date with an optional time, fraction and
    /// zone.
    ///
    /// Slashes or dots as separators and a 12-hour clock are also accepted, since some programs write
    /// `2021/08/06 11:32:22 pm`.
    ///
    /// - Parameters:
    ///   - text: The date. XMP may omit the time, or the day and the month. EXIF replaces unknown fields with
    ///     spaces, and some programs write zeros for the day. A date with an unknown day is the first day of
    ///     its month or year, without a time.
    ///   - fraction: Decimals of the second from another tag, such as SubSecTimeOriginal.
    ///   - offset: A time zone from another tag, such as OffsetTimeOriginal.
    package static func parse(
        _ text: String?, fraction: String? = nil, offset: String? = nil
    ) -> CaptureDate? {
        guard let text else { return nil }
        var parser = CaptureDateParser(text)
        guard let (day, isKnown) = parser.day() else { return nil }
        let date = Date(timeIntervalSince1970: Double(day) * 86400)
        if parser.isBlank { return writable(CaptureDate(dayOf: date)) }
        guard var seconds = parser.time() else { return nil }
        if !isKnown { return writable(CaptureDate(dayOf: date)) }
        if let fraction, seconds == seconds.rounded() { seconds += decimals(fraction) }
        let zone = parser.zone() ?? offset.flatMap(self.zone)
        let local = Double(day) * 86400 + seconds
        return writable(
            CaptureDate(
                date: Date(timeIntervalSince1970: local - Double(zone ?? 0)), offset: zone))
    }

    /// Rejects dates that a leap second or a fraction moves past the year 9999.
    private static func writable(_ date: CaptureDate) -> CaptureDate? {
        date.isWritable ? date : nil
    }

    /// Parses an IPTC date and time such as `20091231` and `235959+0100`.
    ///
    /// An unknown month or day is written as zeros, or omitted by some programs.
    package static func parse(iptcDay: String?, time: String?) -> CaptureDate? {
        guard let iptcDay, [4, 6, 8].contains(iptcDay.utf8.count), Int(iptcDay) != nil else {
            return parse(iptcDay)
        }
        let digits = Array(iptcDay + "0000")
        let day = "\(String(digits[0..<4]))-\(String(digits[4..<6]))-\(String(digits[6..<8]))"
        let parts = Array(time ?? "")
        guard parts.count >= 6 else { return parse(day) }
        let clock = "\(String(parts[0..<2])):\(String(parts[2..<4])):\(String(parts[4..<6]))"
        return parse("\(day)T\(clock)\(String(parts[6...]))") ?? parse(day)
    }

    /// Parses the GPS date and its time as hours, minutes and seconds, which are always UTC.
    package static func parse(gpsDay: String?, time: [Double]?) -> CaptureDate? {
        guard let day = parse(gpsDay), !day.hasTime else { return nil }
        var parser = CaptureDateParser(gpsDay ?? "")
        guard let time, parser.day()?.isKnown == true else { return day }
        guard time.count == 3, (0..<24).contains(time[0]), (0..<60).contains(time[1]),
            (0..<61).contains(time[2])
        else { return nil }
        let seconds = time[0] * 3600 + time[1] * 60 + time[2] - 43200
        return writable(CaptureDate(date: day.date.addingTimeInterval(seconds), offset: 0))
    }

    // MARK: - Parts

    /// Parses the date as days since 1970-01-01. If the day is unknown, the result is the first day of the
    /// month or year.
    private mutating func day() -> (days: Int, isKnown: Bool)? {
        guard let year = number(digits: 4...4), let month = skip(":-/.") ? numberOrBlank() : 0,
            let day = skip(":-/.") ? numberOrBlank() : 0,
            rest.isEmpty || [UInt8(ascii: "T"), UInt8(ascii: " ")].contains(rest.first),
            let date = CalendarDay(
                year: year, month: max(1, month), day: month > 0 ? max(1, day) : 1)
        else { return nil }
        return (date.daysSinceEpoch, month > 0 && day > 0)
    }

    /// Parses a month or a day: 0 if it is missing or blank.
    private mutating func numberOrBlank() -> Int? {
        let spaces = rest.prefix(2).prefix { $0 == UInt8(ascii: " ") }
        rest = rest.dropFirst(spaces.count)
        return spaces.isEmpty && !rest.isEmpty ? number(digits: 1...2) : 0
    }

    /// `true` if the time is missing or blank, including EXIF's blank form with colons.
    private var isBlank: Bool {
        rest.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ":") }
    }

    /// Parses the time as seconds since midnight.
    private mutating func time() -> Double? {
        guard skip("T "), let hour = number(digits: 1...2), hour < 24, skip(":"),
            let minute = number(digits: 1...2), minute < 60
        else { return nil }
        var seconds = 0.0
        if skip(":") {
            guard let whole = number(digits: 1...2), whole <= 60 else { return nil }
            seconds = Double(whole)
            if skip(".,") { seconds += fraction() }
        }
        return Double(in24HourClock(hour) * 3600 + minute * 60) + seconds
    }

    /// Converts an hour to the 24-hour clock if `am` or `pm` follows the time.
    private mutating func in24HourClock(_ hour: Int) -> Int {
        let mark = rest.drop { $0 == UInt8(ascii: " ") }.prefix(2).map { $0 | 0x20 }
        guard mark == Array("am".utf8) || mark == Array("pm".utf8) else { return hour }
        rest = rest.drop { $0 == UInt8(ascii: " ") }.dropFirst(2)
        // A time such as `15:20 pm` is already on the 24-hour clock.
        guard (1...12).contains(hour) else { return hour }
        return hour % 12 + (mark.first == UInt8(ascii: "p") ? 12 : 0)
    }

    private static func zone(_ text: String) -> Int? {
        var parser = CaptureDateParser(text)
        return parser.zone()
    }

    /// Parses the UTC offset in seconds, positive to the east.
    private mutating func zone() -> Int? {
        while skip(" ") {}
        if skip("Zz") { return 0 }
        let isWest = rest.first == UInt8(ascii: "-")
        guard skip("+-"), let hours = number(digits: 1...2), hours <= 14 else { return nil }
        _ = skip(":")
        let minutes = number(digits: 2...2) ?? 0
        guard minutes < 60 else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return isWest ? -seconds : seconds
    }

    private mutating func fraction() -> Double {
        let digits = rest.prefix { (48...57).contains($0) }
        rest = rest.dropFirst(digits.count)
        return Self.decimals(String(Substring(digits)))
    }

    private static func decimals(_ text: String) -> Double {
        let digits = text.trimmingBlanks.utf8.prefix { (48...57).contains($0) }.prefix(9)
        return Double("0.\(Substring(digits))0") ?? 0
    }

    private mutating func number(digits allowed: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix(allowed.upperBound).prefix { (48...57).contains($0) }
        guard allowed.contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    private mutating func skip(_ characters: String) -> Bool {
        guard let next = rest.first, characters.utf8.contains(next) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
