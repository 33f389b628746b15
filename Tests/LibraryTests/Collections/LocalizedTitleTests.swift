// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

@testable import Library

/// Titles as displayed.
@Suite("localized titles")
struct LocalizedTitleTests {
    private let temporary: TemporaryLibrary
    private let library: PhotoLibrary

    init() throws {
        temporary = try TemporaryLibrary()
        library = temporary.library
    }

    @Test("K-23 albums and folders have their title, and none after deletion")
    func albums() throws {
        let folder = try library.makeFolder("2024")
        let album = try library.makeAlbum("Sömmer \u{1F3D6}", in: folder)
        let title: String? = album.localizedTitle
        #expect(title == "Sömmer \u{1F3D6}" && folder.localizedTitle == "2024")
        let held = try AssetCollection.fetchAssetCollections(with: .album, in: library)
        let top = try CollectionList.fetchTopLevelUserCollections(in: library)
        let lists = try CollectionList.fetchCollectionLists(in: library)
        #expect(top.map(\.localizedTitle) == ["2024"])
        try held.load()
        try lists.load()
        try library.performChanges {
            try CollectionListChangeRequest.deleteCollectionLists([folder])
        }
        #expect(held[0].isRemoved && held[0].localizedTitle == nil)
        #expect(lists[0].isRemoved && lists[0].localizedTitle == nil)
        #expect(PhotoCollection.collectionList(lists[0]).localizedTitle == nil)
    }

    @Test("K-23 smart albums and moments have a title in words")
    func words() throws {
        let smart = try AssetCollection.fetchAssetCollections(with: .smartAlbum, in: library)
        #expect(
            smart.map(\.localizedTitle) == [
                "All", "Favorites", "Recently Added", "Videos", "Slo-mo", "Time-lapse",
                "Cinematic", "Panoramas", "Selfies", "Screenshots", "Portrait", "Live Photos",
                "Animated", "Long Exposures", "RAW",
                "Bursts", "Edited", "Hidden", "Recently Deleted",
            ])
        // 31 May 2024, 1 January 1970, the last day of 999.
        for seconds in [1_717_113_600.0, 0, -30_610_224_001] {
            try library.importAsset(
                "\(seconds)",
                date: CaptureDate(date: Date(timeIntervalSince1970: seconds), offset: nil))
        }
        let moments = try AssetCollection.fetchMoments(in: library)
        #expect(
            moments.map(\.localizedTitle) == [
                "31 December 999", "1 January 1970", "31 May 2024",
            ])
        #expect(moments.map(\.title).last == "2024-05-31")
    }

    @Test("K-23 a transient collection may have no title")
    func transient() throws {
        let none = AssetCollection.transientAssetCollection(with: [], title: "")
        let some = AssetCollection.transientAssetCollection(with: [], title: "Some")
        #expect(none.localizedTitle == nil && some.localizedTitle == "Some")
    }
}
