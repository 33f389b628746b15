// SPDX-License-Identifier: Apache-2.0

import Testing

/// A photographer's day with 27 files. `make torture` repeats it with 300.
@Suite("a day in the life of a library")
struct DayInTheLifeTests {
    @Test("import, rate, edit, export, delete, restore, undo, back up and repair")
    func day() throws {
        var day = try LibraryDay(years: 1, hasVideos: false)
        try day.spend()
    }

    @Test("sidecars are written beside referenced originals, and imported elsewhere")
    func referenced() throws {
        var day = try LibraryDay(years: 1, hasVideos: false)
        try day.describeReferenced()
    }
}
