// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

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
