// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

/// Groups assets into moments, by day and place.
struct Moments {
    /// The properties of an asset that determine its moment.
    struct Picture {
        let row: Int64
        /// The date of capture, in microseconds since 1970.
        let date: Int64
        /// The local time of capture, in microseconds since 1970.
        let clock: Int64
        let location: Location?

        /// The local day of capture, counted from 1970.
        var day: Int64 { clock.flooredQuotient(Self.dayLength) }

        static let dayLength: Int64 = 86_400_000_000
    }

    /// A group of assets, in the order of their clocks.
    struct Moment {
        var pictures: [Picture]
        /// The location of the first asset that has one.
        var location: Location?
    }

    /// The maximum distance of an asset from the first located asset of its moment, in metres.
    static let reach = 10_000.0

    /// Groups the assets of one day, which must be in the order of their clocks.
    static func divided(_ day: [Picture]) -> [Moment] {
        var moments: [Moment] = []
        // The assets without a location before the first one that has one.
        var early: [Picture] = []
        var current = 0
        for picture in day {
            guard let place = picture.location else {
                if moments.isEmpty {
                    early.append(picture)
                } else {
                    moments[current].pictures.append(picture)
                }
                continue
            }
            let near = moments.firstIndex { moment in
                moment.location.map { distance($0, place) <= reach } ?? false
            }
            current = near ?? moments.count
            if near == nil { moments.append(Moment(pictures: [], location: place)) }
            moments[current].pictures.append(picture)
        }
        if moments.isEmpty { moments.append(Moment(pictures: [], location: nil)) }
        moments[0].pictures = early + moments[0].pictures
        return moments.filter { !$0.pictures.isEmpty }
    }

    private static func distance(_ one: Location, _ other: Location) -> Double {
        SearchFunctions.distance(one.latitude, one.longitude, other.latitude, other.longitude)
    }

    /// Groups assets of any number of days, the earliest day first.
    static func all(of pictures: [Picture]) -> [Moment] {
        let sorted = pictures.sorted { ($0.clock, $0.row) < ($1.clock, $1.row) }
        var moments: [Moment] = []
        var start = 0
        while start < sorted.count {
            let day = sorted[start].day
            let end = sorted[start...].firstIndex { $0.day != day } ?? sorted.count
            moments += divided(Array(sorted[start..<end]))
            start = end
        }
        return moments
    }

    /// Reads the visible assets in a range of local times, in microseconds since 1970; nil for all.
    static func pictures(
        _ span: ClosedRange<Int64>?, _ database: Database
    ) throws -> [Picture] {
        // To read all rows in the order of a date index, SQLite would look up each row at a random
        // position in the file. The unary plus prevents SQLite from using the index.
        let condition =
            span == nil ? "+is_listed = 1" : "is_listed = 1 AND sort_date BETWEEN ? AND ?"
        return try database.records(
            """
            SELECT id, creation_date, sort_date, latitude, longitude FROM asset
            WHERE \(condition) AND +creation_date IS NOT NULL
            """,
            span.map { [$0.lowerBound, $0.upperBound] } ?? []
        ) { row in
            Picture(
                row: try row.rowNumber(0), date: try row.value(1, in: Date.storable),
                clock: try row.value(2, in: Date.storable), location: try row.location(3, 4))
        }
    }
}
