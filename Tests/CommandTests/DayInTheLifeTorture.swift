// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// A photographer's day with 300 files: pictures, Live Photos and videos with the sidecars of three programs and of
/// Google Takeout.
@Suite("a day in the life of a library of 300 files", .torture)
struct DayInTheLifeTorture {
    @Test("import, rate, edit, export, delete, restore, undo, back up and repair")
    func day() throws {
        var day = try LibraryDay(years: 10, hasVideos: true)
        try day.spend()
    }

    @Test("sidecars are written beside referenced originals, and imported elsewhere")
    func referenced() throws {
        var day = try LibraryDay(years: 10, hasVideos: true)
        try day.describeReferenced()
    }
}
