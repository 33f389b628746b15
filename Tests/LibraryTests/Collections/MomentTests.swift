// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Library

@Suite("moments and smart albums") struct MomentTests {
    let temporary: TemporaryLibrary
    var library: PhotoLibrary { temporary.library }

    init() throws { temporary = try TemporaryLibrary() }

    private static let rome = Location(latitude: 41.9, longitude: 12.5)
    /// About 6 km north of Rome.
    private static let nearRome = Location(latitude: 41.954, longitude: 12.5)
    /// About 12 km north of Rome.
    private static let farther = Location(latitude: 42.008, longitude: 12.5)
    private static let lima = Location(latitude: -12.05, longitude: -77.05)

    /// Imports a photo taken on 31 May 2024, this many hours after midnight by its camera's clock.
    private func take(
        _ name: String, hour: Double, offset: Int? = nil, at location: Location? = nil
    ) throws -> Asset {
        let midnight = 1_717_113_600.0
        let date = Date(timeIntervalSince1970: midnight + hour * 3600 - Double(offset ?? 0))
        return try library.importAsset(
            name, date: CaptureDate(date: date, offset: offset), location: location)
    }

    private func moments() throws -> [AssetCollection] {
        Array(try AssetCollection.fetchMoments(in: library))
    }

    private func members(_ moment: AssetCollection) throws -> [String] {
        try Asset.fetchAssets(in: moment, library: library).localIdentifiers()
    }

    @Test("a moment is one day of the camera's local time, in ascending order")
    func days() throws {
        // The same instant on two days of local time.
        let east = try take("east", hour: 24.5, offset: 7200)
        let west = try take("west", hour: 17.5, offset: -18_000)
        let plain = try take("plain", hour: 23.9)
        let before = try take("before", hour: -0.1)
        let early = try library.importAsset(
            "early", date: CaptureDate(date: Date(timeIntervalSince1970: -1), offset: nil))
        try library.importAsset("undated")
        let found = try moments()
        #expect(found.map(\.title) == ["1969-12-31", "2024-05-30", "2024-05-31", "2024-06-01"])
        #expect(
            try found.map(members) == [[early.id], [before.id], [west.id, plain.id], [east.id]])
        let day = found[2]
        #expect(day.startDate == west.creationDate)
        #expect(day.endDate == plain.creationDate)
        #expect(day.estimatedAssetCount == 2)
        #expect(day.approximateLocation == nil)
        #expect(day.type == .moment)
    }

    @Test("distant locations of one day are separate moments")
    func places() throws {
        let first = try take("first", hour: 8)
        let rome = try take("rome", hour: 9, at: Self.rome)
        let near = try take("near", hour: 10, at: Self.nearRome)
        let lima = try take("lima", hour: 11, at: Self.lima)
        let unplaced = try take("unplaced", hour: 12)
        let again = try take("again", hour: 13, at: Self.rome)
        let north = try take("north", hour: 14, at: Self.farther)
        let found = try moments()
        #expect(
            try found.map(members) == [
                [first.id, rome.id, near.id, again.id], [lima.id, unplaced.id], [north.id],
            ])
        #expect(found.map(\.approximateLocation) == [Self.rome, Self.lima, Self.farther])
        #expect(Set(found.map(\.localIdentifier)).count == 3)
        #expect(found[0].localIdentifier == "moment/2024-05-31/\(first.id)")
    }

    @Test("P-11 hidden photos are in albums but not in moments")
    func hidden() throws {
        let shown = try take("shown", hour: 1)
        let hidden = try take("hidden", hour: 2)
        let held = try moments()
        let album = try library.makeAlbum("A", [hidden, shown])
        try library.performChanges { try AssetChangeRequest(for: hidden).isHidden = true }
        var options = FetchOptions()
        options.includeHiddenAssets = true
        for moment in try moments() + held {
            let found = try Asset.fetchAssets(in: moment, library: library, options: options)
            #expect(try found.localIdentifiers() == [shown.id])
        }
        #expect(
            try AssetCollection.fetchAssetCollectionsContaining(hidden, with: .moment, in: library)
                .isEmpty)
        #expect(try members(album) == [shown.id])
        let all = try Asset.fetchAssets(in: album, library: library, options: options)
        #expect(try all.localIdentifiers() == [hidden.id, shown.id])
        try library.performChanges { try AssetChangeRequest(for: shown).isHidden = true }
        #expect(try moments().isEmpty)
    }

    @Test("a moment is found by its identifier and by its contents")
    func lookup() throws {
        let rome = try take("rome", hour: 9, at: Self.rome)
        let lima = try take("lima", hour: 10, offset: -18_000, at: Self.lima)
        _ = try take("other day", hour: 30)
        let found = try moments()
        for moment in found {
            let again = try AssetCollection.fetchAssetCollections(
                withLocalIdentifiers: [moment.id, "moment/x/y", "unknown"], in: library)
            #expect(Array(again) == [moment])
            #expect(
                try Asset.fetchKeyAssets(in: moment, library: library)?.localIdentifiers()
                    == members(moment))
        }
        for (asset, index) in [(rome, 0), (lima, 1)] {
            let containing = try AssetCollection.fetchAssetCollectionsContaining(
                asset, with: .moment, in: library)
            #expect(Array(containing) == [found[index]])
        }
        try library.performChanges { try AssetChangeRequest.removeAssets([rome]) }
        #expect(try members(found[0]) == [])
        #expect(
            try AssetCollection.fetchAssetCollections(
                withLocalIdentifiers: [found[0].id], in: library
            ).isEmpty)
    }

    @Test(
        "random photos are split into moments by the documented rule",
        arguments: [1, 2, 3] as [UInt64])
    func randomPhotos(number: UInt64) throws {
        let seed = TestSeed.seed() &+ number
        var random = SeededGenerator(seed: seed)
        let places = [Self.rome, Self.nearRome, Self.farther, Self.lima, nil]
        let pictures = (1...300).map { row in
            let clock = Int64.random(in: -50_000...50_000, using: &random) * 10_000_000
            return Moments.Picture(
                row: Int64(row), date: clock, clock: clock,
                location: places.randomElement(using: &random) ?? nil)
        }
        let found = Moments.all(of: pictures)
        #expect(found.flatMap(\.pictures).map(\.row).sorted() == (1...300).map { Int64($0) })
        let again = Moments.all(of: pictures.shuffled(using: &random))
        #expect(again.map { $0.pictures.map(\.row) } == found.map { $0.pictures.map(\.row) })
        for moment in found {
            #expect(Set(moment.pictures.map(\.day)).count == 1)
            #expect(moment.pictures.map(\.clock) == moment.pictures.map(\.clock).sorted())
            let first = moment.pictures.compactMap(\.location).first
            #expect(moment.location == first)
            for place in moment.pictures.compactMap(\.location) {
                let anchor = try #require(first)
                let distance = SearchFunctions.distance(
                    anchor.latitude, anchor.longitude, place.latitude, place.longitude)
                #expect(distance <= 10_000)
            }
        }
    }

    @Test("smart albums contain the assets that meet their condition")
    func smart() throws {
        let generated = try GeneratedLibrary(400, seed: 5)
        let library = generated.library
        let all = try generated.assets()
        let now = Date().timeIntervalSince1970.rounded()
        let recent = Date(timeIntervalSince1970: now - 29 * 86_400)
        for asset in all.prefix(3) {
            try generated.execute(
                "UPDATE asset SET added_date = ?, is_hidden = 0, source_type = 1, "
                    + "burst_identifier = NULL, represents_burst = 0 WHERE uuid = ?",
                [recent.microseconds, asset.id])
        }
        let kinds: [MediaSubtype] = [.videoHighFrameRate, .videoTimelapse, .videoCinematic]
        for (asset, kind) in zip(all.filter { $0.mediaType == .video && !$0.isHidden }, kinds) {
            try generated.execute(
                "UPDATE asset SET media_subtypes = ?, source_type = 1, burst_identifier = NULL, "
                    + "represents_burst = 0 WHERE uuid = ?", [kind.rawValue, asset.id])
        }
        try generated.trashSome()
        let assets = try generated.assets()
        let conditions: [AssetCollectionSubtype: (Asset) -> Bool] = [
            .smartAlbumUserLibrary: { _ in true },
            .smartAlbumFavorites: \.isFavorite,
            .smartAlbumVideos: { $0.mediaType == .video },
            .smartAlbumSlomoVideos: { $0.mediaSubtypes.contains(.videoHighFrameRate) },
            .smartAlbumTimelapses: { $0.mediaSubtypes.contains(.videoTimelapse) },
            .smartAlbumCinematic: { $0.mediaSubtypes.contains(.videoCinematic) },
            .smartAlbumPanoramas: { $0.mediaSubtypes.contains(.photoPanorama) },
            .smartAlbumScreenshots: { $0.mediaSubtypes.contains(.photoScreenshot) },
            .smartAlbumSelfPortraits: { $0.lensModel == GeneratedLibrary.frontCamera },
            .smartAlbumDepthEffect: { $0.mediaSubtypes.contains(.photoDepthEffect) },
            .smartAlbumLivePhotos: { $0.mediaSubtypes.contains(.photoLive) },
            .smartAlbumAnimated: { $0.mediaSubtypes.contains(.animated) },
            .smartAlbumLongExposures: { $0.exposureTime.map { $0 >= 1 } ?? false },
            .smartAlbumRAW: { generated.raws.contains($0.id) },
            .smartAlbumBursts: \.representsBurst,
            .smartAlbumEdited: \.hasAdjustments,
            .smartAlbumRecentlyAdded: { $0.addedDate >= recent },
            .smartAlbumAllHidden: \.isHidden,
            .smartAlbumRecentlyDeleted: \.isTrashed,
        ]
        let albums = try AssetCollection.fetchAssetCollections(with: .smartAlbum, in: library)
        #expect(Set(albums.map(\.subtype)) == Set(conditions.keys))
        for album in albums {
            let condition = try #require(conditions[album.subtype])
            let isTrash = album.subtype == .smartAlbumRecentlyDeleted
            let expected = assets.filter { asset in
                if asset.isTrashed || isTrash { return asset.isTrashed && isTrash }
                return (album.subtype == .smartAlbumAllHidden || !asset.isHidden)
                    && asset.sourceType == .userLibrary
                    && (asset.burstIdentifier == nil || asset.representsBurst
                        || asset.burstSelectionTypes.contains(.userPick))
                    && condition(asset)
            }
            let found = try Asset.fetchAssets(in: album, library: library).localIdentifiers()
            #expect(Set(found) == Set(expected.map(\.id)), "\(album.title)")
            #expect(found.count == expected.count)
            #expect(!found.isEmpty || album.subtype == .smartAlbumScreenshots, "\(album.title)")
            let subtype = try AssetCollection.fetchAssetCollections(
                with: .smartAlbum, subtype: album.subtype, in: library)
            #expect(Array(subtype) == [album])
        }
        let favorite = try #require(
            assets.first { $0.isFavorite && !$0.isHidden && !$0.isTrashed })
        let containing = try AssetCollection.fetchAssetCollectionsContaining(
            favorite, with: .smartAlbum, in: library)
        #expect(containing.contains { $0.subtype == .smartAlbumFavorites })
        #expect(!containing.contains { $0.subtype == .smartAlbumAllHidden })
    }

    @Test("collections are found by contents, type and identifier")
    func collections() throws {
        let asset = try library.importAsset("a")
        let other = try library.importAsset("b")
        let album = try library.makeAlbum("A", [asset])
        let second = try library.makeAlbum("B", [other, asset])
        let folder = try library.makeFolder("F")
        func containing(_ asset: Asset) throws -> [String] {
            try AssetCollection.fetchAssetCollectionsContaining(asset, with: .album, in: library)
                .localIdentifiers()
        }
        #expect(try containing(asset) == [album.id, second.id])
        #expect(try containing(other) == [second.id])
        let found = try AssetCollection.fetchAssetCollections(
            withLocalIdentifiers: ["smart-album/edited", second.id, folder.id, album.id],
            in: library)
        #expect(try found.localIdentifiers() == [album.id, second.id, "smart-album/edited"])
        #expect(
            try AssetCollection.fetchAssetCollections(with: .album, in: library)
                .localIdentifiers() == [album.id, second.id])
        #expect(
            try AssetCollection.fetchAssetCollections(with: .transient, in: library).isEmpty)
        #expect(
            try AssetCollection.fetchAssetCollections(
                with: .album, subtype: .smartAlbumVideos, in: library
            ).isEmpty)
        #expect(
            try CollectionList.fetchCollectionLists(in: library).localIdentifiers() == [folder.id])
        #expect(album.canContainAssets && !album.canContainCollections)
        #expect(!folder.canContainAssets && folder.canContainCollections)
    }
}
