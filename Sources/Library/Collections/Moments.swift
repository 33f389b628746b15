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
        // For all rows, an index in date order would look up each one at a random place of the
        // file. The unary plus keeps SQLite from using it.
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

extension Int64 {
    /// Returns the quotient rounded toward negative infinity.
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        self / divisor - (self % divisor < 0 ? 1 : 0)
    }
}

extension AssetCollection {
    /// Fetches the moments of the library, the newest last.
    ///
    /// A moment contains the assets captured on one day, by the camera's clock, at one place. An
    /// asset with a location joins the first moment of its day whose first location is within 10
    /// kilometres, otherwise it starts a new one. An asset without a location joins the moment of
    /// the preceding asset of its day, or the first one. Assets without a date belong to no moment.
    /// Neither do those that a fetch without options excludes, such as hidden ones.
    ///
    /// Moments are computed on each fetch, from all dates and locations: about four seconds for a
    /// million photos. Changes to the result are not reported.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchMoments(in library: PhotoLibrary) throws -> FetchResult<AssetCollection>
    {
        FetchResult(
            try library.read { database in
                let pictures = try Moments.pictures(nil, database)
                return try collections(Moments.all(of: pictures), database)
            })
    }

    /// Returns the moment that contains an asset, or nil.
    static func moment(containing asset: Asset, in library: PhotoLibrary) throws -> AssetCollection?
    {
        try library.read { try moment(containing: asset.localIdentifier, $0) }
    }

    /// Returns the moment with this identifier, which includes the identifier of its first asset.
    static func moment(
        withLocalIdentifier identifier: String, in library: PhotoLibrary
    ) throws -> AssetCollection? {
        guard identifier.hasPrefix("moment/"), let asset = identifier.split(separator: "/").last
        else { return nil }
        let found = try library.read { try moment(containing: String(asset), $0) }
        return found?.localIdentifier == identifier ? found : nil
    }

    /// Returns the moment that contains an asset. Only the assets of the same day are read.
    private static func moment(
        containing asset: String, _ database: Database
    ) throws -> AssetCollection? {
        let found = try database.record(
            "SELECT id, sort_date FROM asset WHERE uuid = ? AND creation_date IS NOT NULL",
            [asset]
        ) { (id: try $0.rowNumber(0), clock: try $0.value(1, in: Date.storable)) }
        guard let (id, clock) = found else { return nil }
        let length = Moments.Picture.dayLength
        let start = clock.flooredQuotient(length) * length
        let span = start...start + length - 1
        let moments = Moments.all(of: try Moments.pictures(span, database))
        guard let found = moments.first(where: { $0.pictures.contains { $0.row == id } }) else {
            return nil
        }
        return try collections([found], database).first
    }

    private static func collections(
        _ moments: [Moments.Moment], _ database: Database
    ) throws -> [AssetCollection] {
        let rows = try database.records(
            "SELECT id, uuid FROM asset WHERE id IN (SELECT value FROM json_each(?))",
            [moments.compactMap { $0.pictures.first?.row }.json]
        ) { (try $0.rowNumber(0), try $0.value(1, as: String.self)) }
        let identifiers = Dictionary(rows) { $1 }
        return moments.compactMap { moment in
            guard let first = moment.pictures.first, let identifier = identifiers[first.row] else {
                return nil
            }
            return AssetCollection(moment, first: first, identifier)
        }
    }

    private init(_ moment: Moments.Moment, first: Moments.Picture, _ identifier: String) {
        let clock = CaptureDate(date: Date(microseconds: first.clock), offset: nil)
        let dates = moment.pictures.map(\.date)
        title = String(clock.text.prefix { $0 != "T" })
        localIdentifier = "moment/\(title)/\(identifier)"
        type = .moment
        subtype = .any
        estimatedAssetCount = moment.pictures.count
        startDate = dates.min().map(Date.init(microseconds:))
        endDate = dates.max().map(Date.init(microseconds:))
        approximateLocation = moment.location
        (parentLocalIdentifier, keyAssetLocalIdentifier) = (nil, nil)
        isRemoved = false
        members = .rows(moment.pictures.map(\.row))
    }
}
