// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

extension AssetCollection {
    /// Fetches the moments of the library, the newest last.
    ///
    /// A moment is what was taken on one day, by the clock of the camera, at one place. A photograph
    /// with a position belongs to the first moment of its day whose first position lies within 10
    /// kilometres, else it begins another; one without belongs to the moment of the photograph
    /// taken before it on that day, or to the first. Those without a date belong to none, and
    /// those that a fetch without options leaves out, such as hidden ones, neither.
    ///
    /// They are worked out anew each time, from all dates and positions: a million photographs
    /// take some four seconds. No changes of the result are told.
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

    /// The moment that has an asset in it; nil where none has.
    static func moment(containing asset: Asset, in library: PhotoLibrary) throws -> AssetCollection?
    {
        try library.read { try moment(containing: asset.localIdentifier, $0) }
    }

    /// The moment of this identifier, which has that of its first asset in it.
    static func moment(
        withLocalIdentifier identifier: String, in library: PhotoLibrary
    ) throws -> AssetCollection? {
        guard identifier.hasPrefix("moment/"), let asset = identifier.split(separator: "/").last
        else { return nil }
        let found = try library.read { try moment(containing: String(asset), $0) }
        return found?.localIdentifier == identifier ? found : nil
    }

    /// Only what was taken about the same time has to be read.
    private static func moment(
        containing asset: String, _ database: Database
    ) throws -> AssetCollection? {
        let found = try database.record(
            "SELECT id, creation_date FROM asset WHERE uuid = ? AND creation_date IS NOT NULL",
            [asset]
        ) { (id: try $0.rowNumber(0), date: try $0.value(1, in: Date.storable)) }
        guard let (id, date) = found else { return nil }
        // The clocks of two places on one day are at most three days from each other.
        let reach = 3 * Moments.Picture.dayLength
        let span = date - reach...date + reach
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
