// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

@testable import Library

extension Optional {
    fileprivate var isNil: Bool { if case .none = self { true } else { false } }
}

/// Tests of each fetch method.
@Suite("fetches")
struct FetchMethodTests {
    @Test("F-02 a fetch by media type returns only that type", arguments: MediaType.allCases)
    func mediaType(type: MediaType) throws {
        let generated = try GeneratedLibrary(200, seed: 20)
        let expected = try generated.assets().filter { $0.mediaType == type }.map(\.id)
        let found = try Asset.fetchAssets(
            with: type, in: generated.library, options: .everything)
        #expect(!expected.isEmpty)
        #expect(found.allSatisfy { $0.mediaType == type })
        #expect(Set(try found.localIdentifiers()) == Set(expected))
        var options = FetchOptions.everything
        options.predicate = .isFavorite
        let favorites = try Asset.fetchAssets(
            with: type, in: generated.library, options: options)
        #expect(favorites.allSatisfy { $0.mediaType == type && $0.isFavorite })
    }

    @Test(
        "F-03 identifiers find their assets, also after reopening; unknown ones are skipped")
    func identifiers() throws {
        let generated = try GeneratedLibrary(100, seed: 21)
        let ids = try generated.assets().map(\.id)
        let wanted = [ids[70], ids[3], ids[99]]
        let unknown = ["", "nonsense", "'", UUID().uuidString.lowercased(), ids[4].uppercased()]
        var options = FetchOptions()
        options.sortDescriptors = []
        for library in [generated.library, try generated.temporary.reopen()] {
            let found = try Asset.fetchAssets(
                withLocalIdentifiers: wanted + unknown + wanted, in: library, options: options)
            #expect(try found.localIdentifiers() == [ids[3], ids[70], ids[99]])
            #expect(
                try Asset.fetchAssets(withLocalIdentifiers: unknown, in: library).isEmpty)
        }
    }

    @Test("F-06 without options all visible assets are fetched in default order")
    func usual() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        func day(_ number: Double) -> CaptureDate {
            CaptureDate(date: Date(timeIntervalSince1970: number * 86400), offset: nil)
        }
        let late = try library.importAsset("late", date: day(9))
        let undated = try library.importAsset("undated")
        let early = try library.importAsset("early", date: day(1))
        let hidden = try library.importAsset("hidden", date: day(5))
        try library.performChanges { try AssetChangeRequest(for: hidden).isHidden = true }
        #expect(
            try Asset.fetchAssets(in: library).localIdentifiers()
                == [early.id, late.id, undated.id])
        var options = FetchOptions()
        options.predicate = .isHidden
        #expect(try Asset.fetchAssets(in: library, options: options).isEmpty)
        options.includeHiddenAssets = true
        #expect(
            try Asset.fetchAssets(in: library, options: options).localIdentifiers() == [hidden.id])
    }

    @Test("F-07 assets of other sources are fetched only on request")
    func sources() throws {
        let generated = try GeneratedLibrary(200, seed: 22)
        let all = try generated.assets()
        var options = FetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        for types: AssetSourceType in [
            .userLibrary, .cloudShared, .syncedFromDevice, [.userLibrary, .cloudShared], [],
        ] {
            let expected = all.filter { types.contains($0.sourceType) && !types.isEmpty }
            options.includeAssetSourceTypes = types
            let found = try Asset.fetchAssets(in: generated.library, options: options)
            #expect(Set(try found.localIdentifiers()) == Set(expected.map(\.id)))
            #expect(found.count == expected.count)
        }
        #expect(FetchOptions().includeAssetSourceTypes == .userLibrary)
        #expect(all.contains { $0.sourceType == .cloudShared })
    }

    /// Five pictures of a burst, and one outside it.
    private func burst() throws -> (TemporaryLibrary, [String]) {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let blobs = try (0..<6).map { try library.stage("frame \($0)") }
        var ids: [String] = []
        try library.performChanges {
            for (place, blob) in blobs.enumerated() {
                let request = try AssetCreationRequest.photo(blob, .sample())
                request.burstIdentifier = place < 5 ? "burst" : nil
                ids.append(request.placeholderForCreatedAsset.localIdentifier)
            }
        }
        return (temporary, ids)
    }

    private func pick(_ ids: [String], in library: PhotoLibrary) throws {
        let assets = try ids.map { try library.asset(withLocalIdentifier: $0) }
        try library.performChanges {
            try AssetChangeRequest(for: assets[2]).representsBurst = true
            try AssetChangeRequest(for: assets[4]).burstSelectionTypes = .userPick
            try AssetChangeRequest(for: assets[0]).burstSelectionTypes = .autoPick
        }
    }

    @Test("F-08 F-09 a burst fetch gives the representative and user picks, or all on request")
    func bursts() throws {
        let (temporary, ids) = try burst()
        let library = temporary.library
        // The first one that was added represents the burst.
        let first = try Asset.fetchAssets(withBurstIdentifier: "burst", in: library)
        #expect(try first.localIdentifiers() == [ids[0]])
        try pick(ids, in: library)
        let usual = try Asset.fetchAssets(withBurstIdentifier: "burst", in: library)
        #expect(try usual.localIdentifiers() == [ids[2], ids[4]])
        #expect(try Asset.fetchAssets(in: library).localIdentifiers() == [ids[2], ids[4], ids[5]])
        var options = FetchOptions()
        options.includeAllBurstAssets = true
        let all = try Asset.fetchAssets(
            withBurstIdentifier: "burst", in: library, options: options)
        #expect(try all.localIdentifiers() == Array(ids[..<5]))
        #expect(all.allSatisfy { $0.burstIdentifier == "burst" })
        #expect(try Asset.fetchAssets(in: library, options: options).count == 6)
        #expect(try Asset.fetchAssets(withBurstIdentifier: "other", in: library).isEmpty)
        #expect(try Asset.fetchAssets(withLocalIdentifiers: ids, in: library).count == 6)
    }

    @Test("F-10 a file path or URL finds its imported asset; others are skipped")
    func files() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("the bytes")
        try library.importAsset("others")
        let path = temporary.folder + "/a name – ä.jpg"
        try Data("the bytes".utf8).write(to: URL(fileURLWithPath: path))
        let unknown = temporary.folder + "/unknown"
        try Data("not imported".utf8).write(to: URL(fileURLWithPath: unknown))
        var remote: AssetCreationRequest?
        try library.performChanges {
            let request = try AssetCreationRequest(mediaType: .image)
            try request.addResource(
                .photo, url: "https://example.org/1.jpg", filename: "1.jpg",
                facts: .sample())
            remote = request
        }
        let away = try #require(remote).placeholderForCreatedAsset.localIdentifier
        func found(_ addresses: String...) throws -> [String] {
            try Asset.fetchAssets(withOriginalURLs: addresses, in: library).localIdentifiers()
        }
        #expect(try found(path) == [asset.id])
        #expect(try found(URL(fileURLWithPath: path).absoluteString) == [asset.id])
        #expect(try found("file://localhost" + URL(fileURLWithPath: path).path) == [asset.id])
        // A name that is not UTF-8.
        let latin = (temporary.folder + "/").utf8.map { $0 } + Array("caf".utf8) + [0xE9]
        let renamed = latin.map { CChar(bitPattern: $0) } + [0]
        #expect(rename(path, renamed) == 0)
        #expect(try found("file://\(temporary.folder)/caf%E9") == [asset.id])
        #expect(rename(renamed, path) == 0)
        #expect(try found(path, unknown, path) == [asset.id])
        #expect(
            try found(
                unknown, temporary.folder, temporary.folder + "/missing", "", "file://", "\u{0}",
                "/dev/null", "https://example.org/2.jpg"
            ) == [])
        #expect(try found("https://example.org/1.jpg") == [away])
    }

    @Test("F-11 every asset fetch in an empty library gives an empty result")
    func empty() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        var options = FetchOptions.everything
        options.predicate = .or([.isFavorite, .hasAdjustments, .editedBy("x")])
        try expectEmpty(Asset.fetchAssets(in: library))
        try expectEmpty(Asset.fetchAssets(in: library, options: options))
        for type in MediaType.allCases {
            try expectEmpty(Asset.fetchAssets(with: type, in: library))
        }
        try expectEmpty(Asset.fetchAssets(withLocalIdentifiers: [], in: library))
        try expectEmpty(Asset.fetchAssets(withLocalIdentifiers: ["x"], in: library))
        try expectEmpty(Asset.fetchAssets(withBurstIdentifier: "x", in: library))
        try expectEmpty(Asset.fetchAssets(withOriginalURLs: ["/nowhere"], in: library))
        let collections =
            Array(
                try AssetCollection.fetchAssetCollections(with: .smartAlbum, in: library))
            + [AssetCollection.transientAssetCollection(with: [], title: "None")]
        #expect(collections.count == AssetCollection.smartAlbumNames.count + 1)
        for collection in collections {
            try expectEmpty(Asset.fetchAssets(in: collection, library: library))
            try expectEmpty(Asset.fetchAssets(in: collection, library: library, options: options))
        }
        #expect(try Asset.count(in: library) == 0)
    }

    @Test("F-11 every collection fetch in an empty library gives an empty result")
    func noCollections() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        // Smart albums exist in every library, but no collection of these types and subtypes does.
        for type in [AssetCollectionType.album, .moment, .transient] {
            for subtype in [AssetCollectionSubtype.any, .albumRegular, .smartAlbumFavorites] {
                try expectEmpty(
                    AssetCollection.fetchAssetCollections(with: type, subtype: subtype, in: library)
                )
            }
        }
        try expectEmpty(
            AssetCollection.fetchAssetCollections(
                with: .smartAlbum, subtype: .albumRegular, in: library))
        try expectEmpty(AssetCollection.fetchMoments(in: library))
        for identifiers in [[], ["x"], ["moment/2024-01-01/x"], ["smart-album/x", "'"]] {
            try expectEmpty(
                AssetCollection.fetchAssetCollections(
                    withLocalIdentifiers: identifiers, in: library))
            try expectEmpty(
                CollectionList.fetchCollectionLists(
                    withLocalIdentifiers: identifiers, in: library))
        }
        for type in [AssetCollectionType.album, .smartAlbum, .moment, .transient] {
            try expectEmpty(
                AssetCollection.fetchAssetCollectionsContaining(
                    Asset(removed: "x"), with: type, in: library))
        }
        try expectEmpty(CollectionList.fetchCollectionLists(in: library))
        try expectEmpty(CollectionList.fetchTopLevelUserCollections(in: library))
        let list = try library.makeFolder("Empty")
        try expectEmpty(CollectionList.fetchCollections(in: list, library: library))
    }

    private func expectEmpty<Element>(
        _ result: FetchResult<Element>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try result.load()
        #expect(result.count == 0 && Array(result).isEmpty, sourceLocation: sourceLocation)
        #expect(
            result.firstObject == nil && result.lastObject == nil, sourceLocation: sourceLocation)
        #expect(try result.object(at: 0) == nil, sourceLocation: sourceLocation)
        try result.enumerateObjects { _, _ in
            Issue.record("there is an object", sourceLocation: sourceLocation)
        }
        #expect(result.failure == nil, sourceLocation: sourceLocation)
    }

    @Test("F-14 every stored kind of collection without a key asset gives an empty result")
    func noKeyAssets() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        var collections = Array(
            try AssetCollection.fetchAssetCollections(with: .smartAlbum, in: library))
        let day = CaptureDate(date: Date(timeIntervalSince1970: 1e9), offset: nil)
        let asset = try library.importAsset("one", date: day)
        try library.performChanges {
            _ = try AssetCollectionChangeRequest(creatingWithTitle: "Empty")
            try AssetCollectionChangeRequest(creatingWithTitle: "Full").addAssets([asset])
        }
        collections += try AssetCollection.fetchAssetCollections(with: .album, in: library)
        collections += try AssetCollection.fetchMoments(in: library)
        #expect(Set(collections.map(\.type)) == [.album, .smartAlbum, .moment])
        // Assets that the options exclude do not match either.
        var options = FetchOptions()
        options.predicate = .isFavorite
        for collection in collections {
            let found = try Asset.fetchKeyAssets(
                in: collection, library: library, options: options)
            try expectEmpty(#require(found, "\(collection.title)"))
        }
        let empty = try #require(collections.first { $0.title == "Empty" })
        try expectEmpty(#require(try Asset.fetchKeyAssets(in: empty, library: library)))
        try library.performChanges { try AssetChangeRequest.removeAssets([asset]) }
        for collection in collections {
            try expectEmpty(#require(try Asset.fetchKeyAssets(in: collection, library: library)))
        }
    }

    @Test("F-14 F-05 only a transient collection gives nil, with or without assets")
    func transientKeyAssets() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("one")
        for assets in [[], [asset]] {
            let transient = AssetCollection.transientAssetCollection(with: assets, title: "T")
            #expect(try Asset.fetchKeyAssets(in: transient, library: library).isNil)
            #expect(
                try Asset.fetchKeyAssets(in: transient, library: library, options: .everything)
                    .isNil)
            #expect(try Asset.fetchAssets(in: transient, library: library).count == assets.count)
        }
    }

    /// Inserts asset rows whose widths are their numbers.
    private func insertAssets(_ count: Int, into library: PhotoLibrary) throws {
        try library.writer().0.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE row (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < ?)
                    INSERT INTO asset (id, uuid, media_type, media_subtypes, source_type,
                        pixel_width, pixel_height, original_pixel_width, original_pixel_height,
                        added_date, modification_date, duration, is_favorite, is_hidden,
                        represents_burst, burst_selection_types, original_filename, generation)
                    SELECT n, printf('%08x-0000-4000-8000-000000000000', n), 1, 0, 1, n, 1, n, 1,
                        0, 0, 0, 0, 0, 0, 0, 'picture.jpg', 0 FROM row
                    """,
                arguments: [count])
        }
    }

    @Test("A-03 fetching 100,000 assets works without any picture files")
    func noPictures() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        try insertAssets(100_000, into: library)
        let store = library.layout.blobs
        try FileManager.default.removeItem(atPath: store)
        let result = try Asset.fetchAssets(in: library)
        var widths = 0
        try result.enumerateObjects { asset, _ in widths += asset.pixelWidth }
        #expect(result.count == 100_000 && widths == 100_000 * 100_001 / 2)
        try FileManager.default.createDirectory(
            atPath: store, withIntermediateDirectories: false)
    }
}
