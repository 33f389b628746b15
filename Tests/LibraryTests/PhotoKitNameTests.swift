// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import Synchronization
import Testing

/// API that PhotoKit programs call, under PhotoKit's names.
@Suite("PhotoKit names")
struct PhotoKitNameTests {
    private let temporary: TemporaryLibrary
    private let library: PhotoLibrary

    init() throws {
        temporary = try TemporaryLibrary()
        library = temporary.library
    }

    @Test("types and values have PhotoKit's numbers")
    func values() throws {
        #expect(AssetMediaType.image.rawValue == 1 && AssetMediaType.video.rawValue == 2)
        #expect(AssetMediaSubtype.photoLive.rawValue == 8)
        #expect(AssetSourceType.typeUserLibrary.rawValue == 1)
        #expect(AssetSourceType.typeCloudShared.rawValue == 2)
        #expect(AssetSourceType.typeiTunesSynced.rawValue == 4)
        #expect(Asset.PlaybackStyle.imageAnimated.rawValue == 2)
        let smart = try AssetCollection.fetchAssetCollections(
            with: .smartAlbum, subtype: .smartAlbumFavorites, in: library)
        #expect(smart[0].assetCollectionType == .smartAlbum)
        #expect(smart[0].assetCollectionSubtype == .smartAlbumFavorites)
    }

    @Test("albums and folders are created by name with a synchronous call")
    func creation() throws {
        let token = try library.performChangesAndWait {
            let album = try AssetCollectionChangeRequest.creationRequestForAssetCollection(
                withTitle: "Album")
            let folder = try CollectionListChangeRequest.creationRequestForCollectionList(
                withTitle: "Folder")
            let placeholder = try #require(album.placeholderForCreatedAssetCollection)
            try folder.addChildCollections([placeholder])
        }
        #expect(try token == library.currentChangeToken)
        let folder = try CollectionList.fetchCollectionLists(with: .folder, in: library)[0]
        #expect(folder.title == "Folder")
        #expect(
            try CollectionList.fetchCollections(in: folder, library: library).map(\.title)
                == ["Album"])
        #expect(throws: LibraryError.self) {
            try AssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Album")
        }
    }

    @Test("asynchronous blocks run in order and report their result")
    func completion() async throws {
        let running = Mutex(0)
        let titles = (0..<20).map { "Album \($0)" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for title in titles {
                let (stream, continuation) = AsyncStream.makeStream(of: (Bool, Bool).self)
                library.performChanges({
                    #expect(
                        running.withLock { running in
                            running += 1
                            return running
                        } == 1)
                    _ = try AssetCollectionChangeRequest(creatingWithTitle: title)
                    running.withLock { $0 -= 1 }
                }) { isDone, error in
                    continuation.yield((isDone, error == nil))
                    continuation.finish()
                }
                group.addTask {
                    for await (isDone, hasNoError) in stream { #expect(isDone && hasNoError) }
                }
            }
            try await group.waitForAll()
        }
        let albums = try AssetCollection.fetchAssetCollections(with: .album, in: library)
        #expect(albums.map(\.title) == titles)

        // A failing block changes nothing.
        let token = try library.currentChangeToken
        let error = await withCheckedContinuation { continuation in
            library.performChanges({
                _ = try AssetCollectionChangeRequest(creatingWithTitle: "Half")
                throw CancellationError()
            }) { isDone, error in
                #expect(!isDone)
                continuation.resume(returning: error)
            }
        }
        #expect(error is CancellationError)
        #expect(try library.currentChangeToken == token)
    }

    @Test("a handler may wait for the next block")
    func nested() async {
        let isDone = await withCheckedContinuation { continuation in
            library.performChanges({}) { [library] _, _ in
                let inner = DispatchSemaphore(value: 0)
                library.performChanges({}) { _, _ in inner.signal() }
                inner.wait()
                continuation.resume(returning: true)
            }
        }
        #expect(isDone)
    }

    private final class Counter: PhotoLibraryChangeObserver {
        let count = Mutex(0)
        func photoLibraryDidChange(_ change: Change) { count.withLock { $0 += 1 } }
    }

    @Test("an unregistered observer is not notified again")
    func observer() throws {
        let counter = Counter()
        try library.register(counter)
        library.unregisterChangeObserver(counter)
        try library.makeAlbum("Album")
        #expect(counter.count.withLock { $0 } == 0)
    }

    @Test("objects are found by index, and indexes by object, after any change")
    func places() throws {
        let assets = try (0..<4).map { try library.importAsset("\($0)") }
        let result = try Asset.fetchAssets(in: library)
        #expect(
            try result.objects(at: IndexSet([3, 1])).map(\.id) == [assets[1].id, assets[3].id])
        #expect(try result.objects(at: [3, 1, 3]).map(\.id) == [3, 1, 3].map { assets[$0].id })
        #expect(try result.objects(at: [-1, 4, .max, .min, 0]).map(\.id) == [assets[0].id])
        #expect(try result.objects(at: IndexSet()).isEmpty)
        for (index, asset) in assets.enumerated() { #expect(result.index(of: asset) == index) }
        try library.performChanges { try AssetChangeRequest(for: assets[2]).isFavorite = true }
        let favorite = try library.asset(withLocalIdentifier: assets[2].id)
        #expect(favorite != assets[2] && result.index(of: favorite) == 2)
        #expect(result.contains(favorite))
        let other = try library.importAsset("other")
        #expect(result.index(of: other) == nil && !result.contains(other))

        let fresh = try Asset.fetchAssets(in: library)
        try fresh.load()
        try library.performChanges { try AssetChangeRequest.removeAssets([assets[1]]) }
        #expect(try fresh.objects(at: 0..<3).map(\.id) == [assets[0].id, assets[2].id])
    }
}
