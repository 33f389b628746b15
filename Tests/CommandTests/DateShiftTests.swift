// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

@testable import EditHostCommand

/// Dates of years and months, and shifted dates.
@Suite("set dates")
struct DateShiftTests {
    @Test(
        "a shift is a sign and units, or a sign and a time",
        arguments: [
            ("+1h30m", 5400), ("-2d", -172_800), ("+00:30", 1800), ("-01:00:01", -3601),
            ("+1d2h3m4s", 93_784), ("-36h", -129_600), ("+90s", 90), ("+0s", 0),
            ("+100:00", 360_000),
        ])
    func shifts(text: String, seconds: Int) {
        #expect(DateShift(argument: text)?.seconds == seconds)
    }

    @Test(
        "other text is no shift",
        arguments: [
            "", "+", "-", "1h", "+1", "+h", "+1m1h", "+1.5h", "+1:5", "+00:60", "+1h ", "++1h",
            "+-1h", "+1w", "+99999999999d", "+9999999d", "+٣h", "+1h\u{301}", "none",
        ])
    func noShifts(text: String) {
        #expect(DateShift(argument: text) == nil)
    }

    private func date(_ text: String) throws -> CaptureDate {
        try #require(CaptureDateArgument(argument: text)?.value)
    }

    @Test(
        "a shift keeps the offset; a day moves by whole days",
        arguments: [
            ("2024-12-31T23:30:00", "+1h30m", "2025-01-01T01:00:00"),
            ("2024-05-31T18:30:00+02:00", "-2d", "2024-05-29T18:30:00+02:00"),
            ("2024-03-01T00:00:00.25-08:00", "-00:00:01", "2024-02-29T23:59:59.25-08:00"),
            ("2024-02-28", "+2d", "2024-03-01"), ("2024-02-28", "+47h", "2024-02-29"),
            ("2024-02-28", "-1h", "2024-02-28"), ("2024-02-28", "-25h", "2024-02-27"),
        ])
    func applied(before: String, shift: String, after: String) throws {
        let shift = try #require(DateShift(argument: shift))
        #expect(try shift.applied(to: date(before))?.text == after)
    }

    @Test("a date outside the years 1 to 9999 is rejected")
    func range() throws {
        let (back, forth) = try (
            #require(DateShift(argument: "-1d")), #require(DateShift(argument: "+1d"))
        )
        #expect(try back.applied(to: date("0001-01-01")) == nil)
        #expect(try back.applied(to: date("0001-01-01T12:00:00")) == nil)
        #expect(try forth.applied(to: date("9999-12-31T12:00:00")) == nil)
    }

    @Test(
        "a year or a month is its first day, as in imported files",
        arguments: [
            ("1952", "1952-01-01"), ("1952-07", "1952-07-01"), ("1952-07-09", "1952-07-09"),
        ]
    )
    func partial(text: String, day: String) throws {
        #expect(try date(text).text == day)
        let imported = try #require(CaptureDateArgument(argument: text)?.value)
        #expect(!imported.hasTime)
        for wrong in ["0000", "1952-13", "1952-00", "52", "1952-7", "1952-"] {
            #expect(CaptureDateArgument(argument: wrong) == nil, "\(wrong)")
        }
    }

    @Test("set shifts each photo's own date in one change, and reports photos without a date")
    func command() throws {
        let (bench, ids) = try Workbench.withPhotos(3)
        _ = try bench.json("set", ids[0], "--date", "1952-07")
        _ = try bench.json("set", ids[1], "--date", "2024-05-31T18:30:00+02:00")
        _ = try bench.json("set", ids[2], "--date", "none")
        let result = try bench.run("set", "--all", "--shift", "-1d", "--json")
        #expect(result.status == 0)
        #expect(
            result.errors == "edithost: \(ids[2].prefix(8)): no date to shift\n")
        let dates = try bench.json("list", "--sort", "added").map { $0["creationDate"] as? String }
        #expect(dates == ["1952-06-30", "2024-05-30T18:30:00+02:00", nil])
        let far = try bench.run("set", "--all", "--shift", "+3000000d")
        #expect(far.status == 64 && far.errors.contains("outside the years 1 to 9999"))
        #expect(
            try bench.json("list", "--sort", "added").map { $0["creationDate"] as? String }
                == dates)
        let both = try bench.run("set", ids[0], "--date", "1952", "--shift", "+1d")
        #expect(both.status == 64 && both.errors.contains("not both"))
    }
}
