// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Library

/// The change details that albums, folders and their fetch results receive.
@Suite("change details of collections")
struct CollectionDetailsTests {
    /// A result that is held while the library changes, and its fetch.
    private struct Held<Element: Identifiable & Sendable> where Element.ID == String {
        var result: FetchResult<Element>
        let fetch: () throws -> FetchResult<Element>

        init(_ fetch: @escaping () throws -> FetchResult<Element>) throws {
            self.fetch = fetch
            result = try fetch()
            try result.load()
        }

        /// Applies the details of a change and compares the result with a fresh fetch. Returns
        /// whether there were moves.
        mutating func follow(_ change: Change, _ comment: Comment) throws -> Bool {
            let fresh = try fetch().localIdentifiers()
            guard let details = try change.changeDetails(for: result) else {
                #expect(try result.localIdentifiers() == fresh, comment)
                return false
            }
            #expect(try details.fetchResultAfterChanges.localIdentifiers() == fresh, comment)
            #expect(details.hasIncrementalChanges)
            #expect(try details.applied() == fresh, comment)
            result = details.fetchResultAfterChanges
            return details.hasMoves
        }
    }

    private func change(_ library: PhotoLibrary) throws -> Change? {
        try library.fetchPersistentChanges(since: library.oldestChangeToken).last.map {
            Change(persistentChange: $0, library: library)
        }
    }

    @Test(
        "O-10 O-12 O-13 O-14 O-15 O-17 details of albums and folders rebuild every random change")
    func property() throws {
        let moves = try (1...4).map(follow).reduce(0, +)
        #expect(moves > 0, "nothing was moved")
    }

    /// Follows random changes with a seed. Returns how often something was moved.
    private func follow(seed: UInt64) throws -> Int {
        var run = try RandomCollections(seed: seed)
        let library = run.library
        var members: [Held<Asset>] = []
        var lists: [Held<PhotoCollection>] = []
        var albums: [Held<AssetCollection>] = []
        var moves = 0
        for step in 0..<60 {
            if step % 20 == 0 {
                for _ in 0..<20 { try run.change(3) }
                (members, lists) = (try heldMembers(library), try heldLists(library))
                albums = try heldAlbums(library)
            }
            for _ in 0..<3 { try run.change(2) }
            guard let change = try change(library) else { continue }
            let comment: Comment = "seed \(seed), step \(step)"
            for index in members.indices where try members[index].follow(change, comment) {
                moves += 1
            }
            for index in lists.indices where try lists[index].follow(change, comment) { moves += 1 }
            for index in albums.indices where try albums[index].follow(change, comment) {
                moves += 1
            }
        }
        return moves
    }

    private func heldMembers(_ library: PhotoLibrary) throws -> [Held<Asset>] {
        let albums = try AssetCollection.fetchAssetCollections(with: .album, in: library)
        var favorites = FetchOptions()
        favorites.predicate = .isFavorite
        favorites.sortDescriptors = [AssetSortDescriptor(.originalFilename)]
        return try albums.flatMap { album in
            try [FetchOptions(), .everything, favorites].map { options in
                try Held { try Asset.fetchAssets(in: album, library: library, options: options) }
            }
        }
    }

    /// Fetches whose order or condition depends on titles and members.
    private func heldAlbums(_ library: PhotoLibrary) throws -> [Held<AssetCollection>] {
        var byTitle = CollectionFetchOptions()
        byTitle.sortDescriptors = [CollectionSortDescriptor(.localizedTitle, isAscending: false)]
        var full = CollectionFetchOptions()
        full.predicate = .estimatedAssetCount(.atLeast(2))
        full.sortDescriptors = [CollectionSortDescriptor(.estimatedAssetCount)]
        var first = byTitle
        first.fetchLimit = 3
        return try [byTitle, full, first].map { options in
            try Held {
                try AssetCollection.fetchAssetCollections(
                    with: .album, in: library, options: options)
            }
        }
    }

    private func heldLists(_ library: PhotoLibrary) throws -> [Held<PhotoCollection>] {
        let folders = try CollectionList.fetchCollectionLists(in: library)
        return try folders.map { folder in
            try Held { try CollectionList.fetchCollections(in: folder, library: library) }
        } + [try Held { try CollectionList.fetchTopLevelUserCollections(in: library) }]
    }

    @Test("O-07 O-17 an album's own changes and its member changes are separate")
    func separate() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let (first, second) = (try library.importAsset("1"), try library.importAsset("2"))
        let album = try library.makeAlbum("Album", [first])
        let members = try Asset.fetchAssets(in: album, library: library)
        let albums = try AssetCollection.fetchAssetCollections(with: .album, in: library)
        try members.load()
        try albums.load()

        // Adding a member is not a change of the album itself.
        try library.change(album) { try $0.addAssets([second]) }
        let addition = try #require(try change(library))
        #expect(try addition.changeDetails(for: album) == nil)
        let inserted = try #require(try addition.changeDetails(for: members))
        #expect(inserted.insertedIndexes == [1] && inserted.changedIndexes == [])
        #expect(try addition.changeDetails(for: albums) == nil)

        // Renaming an album is not a change of its members.
        try library.change(album) { $0.title = "Renamed" }
        let renaming = try #require(try change(library))
        let details = try #require(try renaming.changeDetails(for: album))
        #expect(details.objectBeforeChanges.title == "Album")
        #expect(details.objectAfterChanges?.title == "Renamed" && !details.objectWasDeleted)
        #expect(try renaming.changeDetails(for: inserted.fetchResultAfterChanges) == nil)
        #expect(try renaming.changeDetails(for: albums)?.changedIndexes == [0])

        // Delete an album whose result is held.
        try library.performChanges {
            try AssetCollectionChangeRequest.deleteAssetCollections([album])
        }
        let removal = try #require(try change(library))
        #expect(try removal.changeDetails(for: album)?.objectWasDeleted == true)
        let gone = try #require(
            try removal.changeDetails(for: inserted.fetchResultAfterChanges))
        #expect(gone.removedIndexes == [0, 1] && gone.fetchResultAfterChanges.isEmpty)
        let error = try libraryError { try library.change(album) { $0.title = "Again" } }
        #expect(error.code == .noSuchCollection)
    }

    @Test("O-07 O-08 a folder has details, separate from those of its contents")
    func folders() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let folder = try library.makeFolder("Folder")
        let children = try CollectionList.fetchCollections(in: folder, library: library)
        try children.load()
        let album = try library.makeAlbum(
            "Album", in: CollectionPlaceholder(localIdentifier: folder.id))
        let addition = try #require(try change(library))
        #expect(try addition.changeDetails(for: folder) == nil)
        #expect(try addition.changeDetails(for: children)?.insertedObjects.map(\.id) == [album.id])
        try library.performChanges { try CollectionListChangeRequest(for: folder).title = "New" }
        let renaming = try #require(try change(library))
        #expect(try renaming.changeDetails(for: folder)?.objectAfterChanges?.title == "New")
        #expect(try renaming.changeDetails(for: album) == nil)
    }

    @Test("an album that a rename reorders is reported as moved")
    func renamed() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let albums = try ["b", "d", "f"].map { try library.makeAlbum($0) }
        var options = CollectionFetchOptions()
        options.sortDescriptors = [CollectionSortDescriptor(.localizedTitle)]
        let held = try AssetCollection.fetchAssetCollections(
            with: .album, in: library, options: options)
        try held.load()
        try library.change(albums[0]) { $0.title = "E" }
        let details = try #require(try change(library)?.changeDetails(for: held))
        #expect(details.hasIncrementalChanges && details.hasMoves)
        #expect(details.fetchResultAfterChanges.map(\.title) == ["d", "E", "f"])
        #expect(details.changedIndexes == [1])
        #expect(details.removedIndexes == [] && details.insertedIndexes == [])
        #expect(try details.applied() == details.fetchResultAfterChanges.localIdentifiers())

        options.wantsIncrementalChangeDetails = false
        let coarse = try AssetCollection.fetchAssetCollections(
            with: .album, in: library, options: options)
        try coarse.load()
        try library.change(albums[1]) { $0.title = "z" }
        let whole = try #require(try change(library)?.changeDetails(for: coarse))
        #expect(!whole.hasIncrementalChanges)
        #expect(whole.fetchResultAfterChanges.map(\.title) == ["E", "f", "z"])
    }
}
