// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import EditHostCommand

/// Tests of the periods of `backup prune --keep` in zones with daylight saving time and unusual offsets.
@Suite("the snapshots that backup prune keeps")
struct SnapshotRetentionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let zone: String
        let keep: String
        /// The dates of the snapshots in UTC.
        let dates: [String]
        /// The positions of the dates that are kept.
        let kept: [Int]

        var testDescription: String { "\(zone) \(keep)" }
    }

    /// The last and first seconds of days in Berlin around a day of 23 hours. The next day is a Monday.
    private static let spring = [
        "2024-03-30T22:59:59Z", "2024-03-30T23:00:00Z", "2024-03-31T21:59:59Z",
        "2024-03-31T22:00:00Z",
    ]
    /// The same around a day of 25 hours.
    private static let autumn = [
        "2024-10-26T21:59:59Z", "2024-10-26T22:00:00Z", "2024-10-27T22:59:59Z",
        "2024-10-27T23:00:00Z",
    ]
    /// The last second of February and the first one of March in Kathmandu, at UTC+05:45.
    private static let february = ["2024-02-29T18:14:59Z", "2024-02-29T18:15:00Z"]
    /// The last second of 2023 and the first one of 2024 in New York, at UTC-05:00.
    private static let year = ["2024-01-01T04:59:59Z", "2024-01-01T05:00:00Z"]
    /// The last second of a Sunday and the first one of a Monday on the Line Islands, at UTC+14:00.
    private static let week = ["2024-03-03T09:59:59Z", "2024-03-03T10:00:00Z"]
    /// In St. John's, clocks were put back from 00:01 at UTC-02:30 to 23:01 at UTC-03:30 on the day before.
    private static let midnight = [
        "2010-11-07T02:30:30Z", "2010-11-07T02:45:00Z", "2010-11-07T04:00:00Z",
    ]

    private static let cases = [
        Case(zone: "Europe/Berlin", keep: "9d", dates: spring, kept: [0, 2, 3]),
        Case(zone: "Europe/Berlin", keep: "2d", dates: spring, kept: [2, 3]),
        Case(zone: "Europe/Berlin", keep: "9w", dates: spring, kept: [2, 3]),
        Case(zone: "Europe/Berlin", keep: "9m", dates: spring, kept: [2, 3]),
        Case(zone: "UTC", keep: "9d", dates: spring, kept: [1, 3]),
        Case(zone: "UTC", keep: "9w", dates: spring, kept: [3]),
        Case(zone: "Europe/Berlin", keep: "9d", dates: autumn, kept: [0, 2, 3]),
        Case(zone: "Europe/Berlin", keep: "9w", dates: autumn, kept: [2, 3]),
        Case(zone: "Europe/Berlin", keep: "9m", dates: autumn, kept: [3]),
        Case(zone: "Asia/Kathmandu", keep: "9d", dates: february, kept: [0, 1]),
        Case(zone: "Asia/Kathmandu", keep: "9m", dates: february, kept: [0, 1]),
        Case(zone: "UTC", keep: "9m", dates: february, kept: [1]),
        Case(zone: "America/New_York", keep: "9y", dates: year, kept: [0, 1]),
        Case(zone: "UTC", keep: "9y", dates: year, kept: [1]),
        Case(zone: "Pacific/Kiritimati", keep: "9w", dates: week, kept: [0, 1]),
        Case(zone: "UTC", keep: "9w", dates: week, kept: [1]),
        Case(zone: "America/St_Johns", keep: "9d", dates: midnight, kept: [1, 2]),
        Case(zone: "America/St_Johns", keep: "1d", dates: midnight, kept: [2]),
    ]

    @Test("periods are those of local time, also around changes of the clock", arguments: cases)
    func localTime(test: Case) throws {
        let zone = try #require(TimeZone(identifier: test.zone))
        let format = ISO8601DateFormatter()
        let dates = test.dates.compactMap { format.date(from: $0) }
        try #require(dates.count == test.dates.count)
        let retention = try #require(SnapshotRetention(argument: test.keep))
        let kept = retention.kept(of: dates.reversed()) { zone.secondsFromGMT(for: $0) }
        #expect(dates.indices.filter { kept.contains(dates[$0]) } == test.kept)
    }
}
