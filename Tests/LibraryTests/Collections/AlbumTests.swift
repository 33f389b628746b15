// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import Synchronization
import Testing

@testable import Library

@Suite("albums") struct AlbumTests {
    let temporary: TemporaryLibrary
    let library: PhotoLibrary
    let assets: [Asset]
    var ids: [String] { assets.map(\.localIdentifier) }

    init() throws {
        temporary = try TemporaryLibrary()
        library = temporary.library
        let library = library
        assets = try (0..<6).map { number in
            // Album order is the reverse of date order.
            let date = Date(timeIntervalSince1970: 1_700_000_000 - Double(number) * 86_400)
            return try library.importAsset(
                "photo \(number)", date: CaptureDate(date: date, offset: 0))
        }
    }

    private func members(_ album: AssetCollection) throws -> [Int] {
        try library.members(of: album).map { try #require(ids.firstIndex(of: $0)) }
    }

    @Test("F-01 an album returns its assets in order, and a predicate narrows them")
    func order() throws {
        let album = try library.makeAlbum("Three", [assets[2], assets[0], assets[1]])
        let found = try Asset.fetchAssets(in: album, library: library)
        #expect(try found.localIdentifiers() == [ids[2], ids[0], ids[1]])
        #expect(found.count == 3)
        #expect(album.estimatedAssetCount == 3)

        try library.performChanges { try AssetChangeRequest(for: assets[0]).isFavorite = true }
        var options = FetchOptions()
        options.predicate = .isFavorite
        let narrowed = try Asset.fetchAssets(in: album, library: library, options: options)
        #expect(try narrowed.localIdentifiers() == [ids[0]])
        options.predicate = nil
        options.sortDescriptors = [AssetSortDescriptor(.creationDate)]
        let sorted = try Asset.fetchAssets(in: album, library: library, options: options)
        #expect(try sorted.localIdentifiers() == [ids[2], ids[1], ids[0]])
        options.fetchLimit = 1
        let first = try Asset.fetchAssets(in: album, library: library, options: options)
        #expect(try first.localIdentifiers() == [ids[2]])
    }

    @Test("F-04 an album's key asset is its cover, otherwise the first; an empty album has none")
    func keyAsset() throws {
        let album = try library.makeAlbum("Covered", [assets[3], assets[1]])
        func key() throws -> [String] {
            try #require(try Asset.fetchKeyAssets(in: album, library: library)).localIdentifiers()
        }
        #expect(try key() == [ids[3]])
        try library.change(album) { try $0.setKeyAsset(assets[1]) }
        #expect(try key() == [ids[1]])
        #expect(try library.album(album.id).keyAssetLocalIdentifier == ids[1])
        #expect(album.keyAssetLocalIdentifier == nil, "a fetched album never changes")
        try library.performChanges { try AssetChangeRequest(for: assets[1]).isHidden = true }
        #expect(try key() == [ids[3]])
        try library.performChanges { try AssetChangeRequest(for: assets[1]).isHidden = false }
        try library.change(album) { try $0.setKeyAsset(nil) }
        #expect(try key() == [ids[3]])
        try library.change(album) { try $0.setKeyAsset(assets[1]) }
        try library.change(album) { try $0.removeAssets([assets[1]]) }
        #expect(try library.album(album.id).keyAssetLocalIdentifier == nil)
        let empty = try library.makeAlbum("Empty")
        #expect(try Asset.fetchKeyAssets(in: empty, library: library)?.count == 0)
    }

    @Test("F-04 the key asset of all photos is the most recent")
    func smartKeyAsset() throws {
        try library.importAsset("without a date")
        let all = try AssetCollection.fetchAssetCollections(
            with: .smartAlbum, subtype: .smartAlbumUserLibrary, in: library)
        let key = try Asset.fetchKeyAssets(in: try #require(all.first), library: library)
        #expect(try key?.localIdentifiers() == [ids[0]])
    }

    @Test("F-05 a transient collection has no key assets and keeps the order of its assets")
    func transient() throws {
        let given: [any AssetReference] = [assets[4], assets[0], assets[4], assets[2]]
        let collection = AssetCollection.transientAssetCollection(with: given, title: "Passing")
        #expect(try Asset.fetchKeyAssets(in: collection, library: library) == nil)
        let found = try Asset.fetchAssets(in: collection, library: library)
        #expect(try found.localIdentifiers() == [ids[4], ids[0], ids[2]])
        #expect(collection.estimatedAssetCount == 3)
        #expect(collection.type == .transient)
        let all = try AssetCollection.transientAssetCollection(
            with: Asset.fetchAssets(in: library), title: "All")
        #expect(
            try Asset.fetchAssets(in: all, library: library).localIdentifiers() == ids.reversed())
        #expect(try library.count("collection") == 0)
        #expect(
            try libraryError { try library.change(collection) { $0.title = "x" } }.code
                == .invalidRequest)
    }

    @Test("K-09 a new photo joins a new album in a new folder in one block")
    func oneBlock() throws {
        let blob = try library.stage("new")
        var options = FetchOptions()
        options.predicate = .isFavorite
        let before = try library.currentChangeToken
        let token = try library.performChanges {
            let creation = try AssetCreationRequest.photo(blob, .sample())
            creation.isFavorite = true
            let photo = creation.placeholderForCreatedAsset
            let folder = try CollectionListChangeRequest(creatingWithTitle: "Folder")
            let album = try AssetCollectionChangeRequest(
                creatingWithTitle: "Album", in: folder.placeholderForCreatedCollectionList)
            try album.addAssets([assets[0], photo])
            try album.setKeyAsset(photo)
            album.title = "Renamed"
            try AssetChangeRequest(for: photo).location = Location(latitude: 1, longitude: 2)
        }
        #expect(token.number == before.number + 1)
        let new = try #require(try Asset.fetchAssets(in: library, options: options).first)
        let album = try #require(
            try AssetCollection.fetchAssetCollections(with: .album, in: library).first)
        #expect(album.title == "Renamed")
        #expect(album.keyAssetLocalIdentifier == new.id)
        #expect(try library.members(of: album) == [ids[0], new.id])
        #expect(try library.titles() == ["Folder"])
        #expect(new.location?.longitude == 2)
        let kinds = try library.fetchPersistentChanges(since: before).flatMap(\.items).map(\.kind)
        #expect(kinds == [.inserted, .inserted, .inserted])
    }

    @Test("K-09 the placeholder of an existing photo stands for that photo")
    func duplicate() throws {
        let blob = try library.stage("photo 2")
        try library.performChanges {
            let photo = try AssetCreationRequest.photo(blob, .sample()).placeholderForCreatedAsset
            try AssetCollectionChangeRequest(creatingWithTitle: "A").addAssets([photo])
        }
        let album = try AssetCollection.fetchAssetCollections(with: .album, in: library)[0]
        #expect(try library.members(of: album) == [ids[2]])
    }

    @Test("E-05 a deleted photo leaves its albums and their covers, with a change of each")
    func deletion() throws {
        let album = try library.makeAlbum("A", [assets[0], assets[1]])
        let other = try library.makeAlbum("B", [assets[1]])
        let third = try library.makeAlbum("C", [assets[2]])
        try library.change(album) { try $0.setKeyAsset(assets[1]) }
        try library.performChanges { try AssetChangeRequest.removeAssets([assets[1]]) }
        #expect(try members(album) == [0])
        #expect(try members(other) == [])
        #expect(try members(third) == [2])
        #expect(
            try library.lastChange().collections == [
                "updated \(album.id) content metadata", "updated \(other.id) content",
            ])
        #expect(try library.album(album.id).keyAssetLocalIdentifier == nil)
    }

    @Test("E-06 P-09 P-10 favourite and hidden marks round-trip, also in an album")
    func marks() throws {
        let album = try library.makeAlbum("A", [assets[0], assets[1]])
        try library.performChanges {
            let request = try AssetChangeRequest(for: assets[0])
            request.isFavorite = true
            request.isHidden = true
            request.creationDate = Date(timeIntervalSince1970: 86_400)
            request.location = Location(latitude: 10, longitude: 20)
        }
        let shown = try Asset.fetchAssets(in: album, library: library)
        #expect(try shown.localIdentifiers() == [ids[1]])
        var options = FetchOptions()
        options.includeHiddenAssets = true
        let all = try Asset.fetchAssets(in: album, library: library, options: options)
        let first = try #require(all.first)
        #expect(try all.localIdentifiers() == [ids[0], ids[1]])
        #expect(first.isFavorite && first.isHidden)
        #expect(first.creationDate == Date(timeIntervalSince1970: 86_400))
        #expect(first.location == Location(latitude: 10, longitude: 20))
    }

    @Test("O-07 O-17 a title change and an asset change are recorded separately")
    func recording() throws {
        let album = try library.makeAlbum("A", [assets[0], assets[1], assets[2]])
        try library.change(album) { $0.title = "B" }
        var change = try library.lastChange()
        #expect(change.collections == ["updated \(album.id) metadata"])
        #expect(change.members.isEmpty)

        try library.change(album) { try $0.addAssets([assets[3]]) }
        change = try library.lastChange()
        #expect(change.collections == ["updated \(album.id) content"])
        #expect(change.members == [ids[3]])
        try library.change(album) { try $0.moveAssets(at: [0], to: 2) }
        change = try library.lastChange()
        #expect(change.collections == ["updated \(album.id) content"])
        #expect(change.members == [ids[0]])
        try library.change(album) { try $0.setKeyAsset(assets[0]) }
        #expect(try library.lastChange().collections == ["updated \(album.id) metadata"])
        try library.change(album) { try $0.removeAssets([assets[1], assets[0]]) }
        change = try library.lastChange()
        #expect(change.collections == ["updated \(album.id) content metadata"])
        #expect(change.members == [ids[0], ids[1]])
        try library.performChanges {
            try AssetCollectionChangeRequest.deleteAssetCollections([album])
        }
        #expect(try library.lastChange().collections == ["removed \(album.id) content metadata"])
        #expect(try library.count("asset") == 6)
    }

    @Test("a change without effect leaves no entry in the history")
    func unchanged() throws {
        let album = try library.makeAlbum("A", [assets[0], assets[1], assets[2]])
        let before = try library.currentChangeToken
        try library.change(album) { request in
            request.title = "A"
            try request.addAssets([assets[1], assets[1]])
            try request.insertAssets([assets[2]], at: [0])
            try request.removeAssets([assets[5]])
            try request.moveAssets(at: [1, 2], to: 1)
            try request.moveAssets(at: [], to: 0)
            try request.replaceAssets(at: [0], with: [assets[0]])
            try request.removeAssets(at: [])
            try request.setKeyAsset(nil)
        }
        #expect(try library.currentChangeToken == before)
        #expect(try members(album) == [0, 1, 2])
    }

    @Test("assets are inserted, removed, replaced and moved at indexes")
    func indexes() throws {
        let album = try library.makeAlbum("A", [assets[0], assets[1], assets[2]])
        try library.change(album) { try $0.insertAssets([assets[3], assets[4]], at: [0, 4]) }
        #expect(try members(album) == [3, 0, 1, 2, 4])
        try library.change(album) { try $0.moveAssets(at: [0, 3], to: 1) }
        #expect(try members(album) == [0, 3, 2, 1, 4])
        try library.change(album) {
            try $0.replaceAssets(at: [4, 0], with: [assets[0], assets[4]])
        }
        #expect(try members(album) == [4, 3, 2, 1, 0])
        try library.change(album) { try $0.replaceAssets(at: [1], with: [assets[5]]) }
        #expect(try members(album) == [4, 5, 2, 1, 0])
        try library.change(album) { request in
            try request.removeAssets(at: [0, 2])
            try request.removeAssets(at: [0])
        }
        #expect(try members(album) == [1, 0])
    }

    @Test("out-of-range indexes are rejected, and nothing changes")
    func badIndexes() throws {
        let album = try library.makeAlbum("A", [assets[0], assets[1]])
        let before = try library.currentChangeToken
        let changes: [(AssetCollectionChangeRequest) throws -> Void] = [
            { try $0.insertAssets([assets[2]], at: [3]) },
            { try $0.insertAssets([assets[2]], at: [-1]) },
            { try $0.insertAssets([assets[2]], at: [.max]) },
            { try $0.insertAssets([assets[2], assets[3]], at: [0]) },
            { try $0.insertAssets([assets[2], assets[3]], at: [1, 0]) },
            { try $0.removeAssets(at: [2]) },
            { try $0.removeAssets(at: [-1, 0]) },
            { try $0.removeAssets(at: [.min, .max]) },
            { try $0.moveAssets(at: [2], to: 0) },
            { try $0.moveAssets(at: [0], to: 2) },
            { try $0.moveAssets(at: [0], to: .max) },
            { try $0.moveAssets(at: [0], to: -1) },
            { try $0.replaceAssets(at: [2], with: [assets[2]]) },
            { try $0.replaceAssets(at: [0], with: [assets[1]]) },
            { try $0.replaceAssets(at: [0, 1], with: [assets[2], assets[2]]) },
            { try $0.replaceAssets(at: [0, 0], with: [assets[2], assets[3]]) },
            { try $0.replaceAssets(at: [0], with: []) },
            { try $0.setKeyAsset(assets[4]) },
            { $0.title = "" },
            { $0.title = "a\0b" },
        ]
        for (number, change) in changes.enumerated() {
            let error = try libraryError {
                try library.change(album) { request in
                    try request.addAssets([assets[5]])
                    try request.removeAssets([assets[5]])
                    try change(request)
                }
            }
            #expect(error.code == .invalidRequest, "change \(number)")
        }
        #expect(try library.currentChangeToken == before)
        #expect(try members(album) == [0, 1])
        #expect(try library.album(album.id).title == "A")
    }

    @Test("an album deleted while held is empty and cannot be changed")
    func removedWhileHeld() throws {
        let album = try library.makeAlbum("A", [assets[0]])
        let other = try library.makeAlbum("B", [assets[1]])
        let albums = try AssetCollection.fetchAssetCollections(with: .album, in: library)
        try albums.load()
        try library.performChanges {
            try AssetCollectionChangeRequest.deleteAssetCollections([album])
        }
        let before = try library.currentChangeToken
        #expect(try Asset.fetchAssets(in: album, library: library).isEmpty)
        #expect(try Asset.fetchKeyAssets(in: album, library: library)?.isEmpty == true)
        #expect(try albums.object(at: 0) == nil)
        #expect(albums[0].isRemoved)
        #expect(albums[0].localIdentifier == album.id)
        #expect(try Asset.fetchAssets(in: albums[0], library: library).isEmpty)
        for body: (AssetCollectionChangeRequest) throws -> Void in [
            { try $0.addAssets([assets[0]]) }, { $0.title = "x" }, { try $0.setKeyAsset(nil) },
        ] {
            let error = try libraryError {
                try library.performChanges {
                    try AssetCollectionChangeRequest(for: other).addAssets([assets[2]])
                    try body(AssetCollectionChangeRequest(for: album))
                }
            }
            #expect(error.code == .noSuchCollection)
        }
        let error = try libraryError {
            try library.performChanges {
                try AssetCollectionChangeRequest.deleteAssetCollections([album])
            }
        }
        #expect(error.code == .noSuchCollection)
        #expect(try members(other) == [1])
        #expect(try library.currentChangeToken == before)
    }

    @Test("unknown assets cannot be added")
    func unknownAsset() throws {
        let album = try library.makeAlbum("A")
        try library.performChanges { try AssetChangeRequest.removeAssets([assets[0]]) }
        let error = try libraryError {
            try library.change(album) { try $0.addAssets([assets[1], assets[0]]) }
        }
        #expect(error.code == .noSuchAsset)
        #expect(error.assetIdentifier == ids[0])
        #expect(try members(album) == [])
        try library.change(album) { try $0.removeAssets([assets[0]]) }
    }

    @Test("collection requests are created and used only inside a change block")
    func onlyInsideABlock() throws {
        let album = try library.makeAlbum("A")
        let outside = LibraryError.Code.outsideChangeBlock
        #expect(
            try libraryError { _ = try AssetCollectionChangeRequest(for: album) }.code == outside)
        #expect(
            try libraryError { _ = try CollectionListChangeRequest(creatingWithTitle: "x") }.code
                == outside)
        #expect(
            try libraryError { try AssetCollectionChangeRequest.deleteAssetCollections([album]) }
                .code == outside)
        var escaped: AssetCollectionChangeRequest?
        try library.change(album) { escaped = $0 }
        let request = try #require(escaped)
        #expect(try libraryError { try request.addAssets(assets) }.code == outside)
    }

    @Test("the authorisation hook gets a summary of collections")
    func summary() throws {
        let asked = Mutex<[ChangeSummary]>([])
        var options = PhotoLibrary.Options()
        options.authorization = { summary in asked.withLock { $0.append(summary) } }
        let library = try temporary.reopen(options)
        let album = try library.makeAlbum("A", [assets[0]])
        let folder = try library.makeFolder("F")
        try library.performChanges {
            try CollectionListChangeRequest(for: folder).addChildCollections([album])
            try AssetCollectionChangeRequest.deleteAssetCollections([album])
        }
        let summaries = asked.withLock { $0 }
        #expect(summaries.map(\.insertedCollections) == [[album.id], [folder.id], []])
        #expect(summaries.map(\.updatedCollections) == [[], [], [folder.id, album.id]])
        #expect(summaries.map(\.removedCollections) == [[], [], [album.id]])
    }

    @Test("500 insertions at one position renumber their neighbours and keep the order")
    func noGap() throws {
        let generated = try GeneratedLibrary(600, seed: 11)
        let library = generated.library
        let all = try generated.assets()
        let album = try library.makeAlbum("A", Array(all[..<100]))
        var expected = all[..<100].map(\.id)
        try library.change(album) { request in
            for asset in all[100...] {
                try request.insertAssets([asset], at: [50])
                expected.insert(asset.id, at: 50)
            }
        }
        #expect(try library.members(of: album) == expected)
    }
}
