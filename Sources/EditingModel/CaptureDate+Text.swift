// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension CaptureDate {
    /// RFC 3339 with the fraction of a second where there is one, and the offset only where the
    /// file has one: `2016-10-09T14:44:18.445`, `2021-08-06T11:32:22.397-07:00`.
    public var text: String {
        let local = date.addingTimeInterval(Double(offset ?? 0))
        return Self.localText(local) + (offset.map(Self.offsetText) ?? "")
    }

    private static func localText(_ date: Date) -> String {
        let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded())
        let wholeSeconds = Int((Double(milliseconds) / 1000).rounded(.down))
        let fraction = milliseconds - wholeSeconds * 1000
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second],
            from: Date(timeIntervalSince1970: Double(wholeSeconds)))
        let day = [padded(parts.year, 4), padded(parts.month), padded(parts.day)]
        let time = [padded(parts.hour), padded(parts.minute), padded(parts.second)]
        let text = day.joined(separator: "-") + "T" + time.joined(separator: ":")
        return fraction == 0 ? text : text + "." + trimmed(fraction)
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

    private static func padded(_ number: Int?, _ width: Int = 2) -> String {
        let digits = String(number ?? 0)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
