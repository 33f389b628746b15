// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

@testable import Library

@Suite struct FetchingTests {
    @Test("A-01 an asset exists whether its bytes are local, remote or missing")
    func localRemoteAndMissing() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let local = try library.importAsset("local")
        let missing = try library.importAsset("missing")
        let hash = try #require(library.history(ofAsset: missing.localIdentifier).original?.blob)
        try FileManager.default.removeItem(atPath: library.layout.blob(hash))
        var remote: AssetCreationRequest?
        try library.performChanges {
            let request = try AssetCreationRequest(mediaType: .image)
            try request.addResource(
                .photo, url: "https://example.org/1.jpg", filename: "1.jpg",
                facts: .sample())
            remote = request
        }
        let remoteIdentifier = try #require(remote).placeholderForCreatedAsset.localIdentifier

        let found = try Asset.fetchAssets(in: library).map(\.localIdentifier)
        #expect(
            Set(found) == [local.localIdentifier, missing.localIdentifier, remoteIdentifier])
        let resource = try #require(library.history(ofAsset: remoteIdentifier).original)
        #expect(resource.blob == nil)
        #expect(resource.url == "https://example.org/1.jpg")
        let error = try libraryError {
            _ = try library.openBlob(hash, ofAsset: missing.localIdentifier)
        }
        #expect(error.code == .blobMissing)
        #expect(error.assetIdentifier == missing.localIdentifier)
    }

    @Test("A-02 a held asset does not change when the library does")
    func immutability() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let before = try library.importAsset("one", width: 40, height: 30)
        let list = try Asset.fetchAssets(in: library)
        #expect(list.first == before)
        try library.performChanges { try AssetChangeRequest(for: before).isFavorite = true }
        try library.edit(
            before.localIdentifier, recipe: "turn", render: "turned", width: 30, height: 40)

        #expect(!before.isFavorite && before.pixelWidth == 40 && !before.hasAdjustments)
        #expect(list.first == before)
        let after = try library.asset(withLocalIdentifier: before.localIdentifier)
        #expect(after.isFavorite && after.pixelWidth == 30 && after.hasAdjustments)
        func requireSendableStruct(_: some Sendable) {}
        requireSendableStruct(after)
        #expect(Mirror(reflecting: after).displayStyle == .struct)
    }

    @Test("A-03 fetching works with all picture files removed")
    func metadataOnly() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let blobs = try (0..<1200).map { try library.stage("picture \($0)") }
        try library.performChanges {
            for blob in blobs { _ = try AssetCreationRequest.photo(blob, .sample()) }
        }
        let manager = FileManager.default
        try manager.moveItem(atPath: library.layout.blobs, toPath: temporary.folder + "/away")

        let assets = try Asset.fetchAssets(in: library)
        #expect(assets.count == 1200)
        #expect(assets.allSatisfy { $0.pixelWidth == 40 && $0.originalFilename == "picture.jpg" })
        let some = assets.prefix(5).map(\.localIdentifier)
        #expect(try Asset.fetchAssets(withLocalIdentifiers: some, in: library).count == 5)
        #expect(try library.history(ofAsset: some[0]).original != nil)
        try manager.moveItem(atPath: temporary.folder + "/away", toPath: library.layout.blobs)
    }

    @Test("P-01 P-05 P-07 P-08 imported properties are stored; a photo has no duration")
    func storedFacts() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let date = CaptureDate(date: Date(timeIntervalSince1970: 1_234_567_890.25), offset: 7200)
        let place = try #require(Location(latitude: -33.5, longitude: 151.25))
        let asset = try library.importAsset("full", date: date, location: place)
        #expect(asset.mediaType == .image)
        #expect(asset.mediaSubtypes.contains(.photoPanorama))
        #expect(asset.mediaSubtypes.contains(.photoHDR))
        #expect(asset.captureDate == date)
        #expect(asset.creationDate == date.date)
        #expect(asset.location == place)
        #expect(asset.duration == 0 && asset.sourceType == .userLibrary)
        #expect(try library.history(ofAsset: asset.id).original?.facts?.format == .jpeg)

        let edited = try library.edit(asset.id, recipe: "one", render: "one")
        #expect(edited.captureDate == date && edited.location == place)

        let bare = try library.importAsset("bare")
        #expect(bare.creationDate == nil && bare.location == nil)
        let early = Date(timeIntervalSince1970: 1000)
        try library.performChanges {
            let request = try AssetChangeRequest(for: bare)
            request.location = place
            request.creationDate = early
        }
        let moved = try library.asset(withLocalIdentifier: bare.id)
        #expect(moved.location == place && moved.creationDate == early)
        #expect(moved.captureDate?.offset == nil)
        try library.performChanges { try AssetChangeRequest(for: moved).location = nil }
        #expect(try library.asset(withLocalIdentifier: bare.id).location == nil)
    }

    @Test("P-01 every media type is stored", arguments: MediaType.allCases)
    func mediaTypes(type: MediaType) throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let blob = try library.stage("medium")
        try library.performChanges {
            let request = try AssetCreationRequest(mediaType: type)
            try request.addResource(.photo, blob: blob, filename: "m", facts: .sample())
        }
        #expect(try Asset.fetchAssets(in: library).first?.mediaType == type)
        for other in MediaType.allCases {
            let count = try Asset.fetchAssets(with: other, in: library).count
            #expect(count == (other == type ? 1 : 0))
        }
    }

    @Test("P-03 P-04 width and height are those of the current version")
    func currentSize() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("a", width: 400, height: 300)
        let turned = try library.edit(
            asset.id, recipe: "90", render: "turned", width: 300, height: 400)
        #expect(turned.pixelWidth == 300 && turned.pixelHeight == 400)
        #expect(turned.originalPixelWidth == 400 && turned.originalPixelHeight == 300)
        try library.performChanges { try AssetChangeRequest(for: turned).undo() }
        let undone = try library.asset(withLocalIdentifier: asset.id)
        #expect(undone.pixelWidth == 400 && undone.pixelHeight == 300)
    }

    @Test("P-06 the modification date changes with content and metadata, not with viewing")
    func modificationDate() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("a")
        _ = try library.history(ofAsset: asset.id)
        _ = try library.text(library.history(ofAsset: asset.id).original?.blob)
        #expect(
            try library.asset(withLocalIdentifier: asset.id).modificationDate
                == asset.modificationDate)
        try library.performChanges { try AssetChangeRequest(for: asset).isFavorite = true }
        let favorite = try library.asset(withLocalIdentifier: asset.id)
        #expect(favorite.modificationDate > asset.modificationDate)
        try library.performChanges { try AssetChangeRequest(for: asset).isFavorite = true }
        #expect(try library.asset(withLocalIdentifier: asset.id) == favorite)
        let edited = try library.edit(asset.id, recipe: "one", render: "one")
        #expect(edited.modificationDate > favorite.modificationDate)
        #expect(edited.addedDate == asset.addedDate)
    }

    @Test("P-15 identifiers are unique and survive edits and reopening")
    func identifiers() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let identifiers = try (0..<20).map { try library.importAsset("\($0)").localIdentifier }
        #expect(Set(identifiers).count == 20)
        #expect(try library.edit(identifiers[3], recipe: "r", render: "r").id == identifiers[3])
        let reopened = try temporary.reopen()
        let found = try Asset.fetchAssets(withLocalIdentifiers: identifiers + ["x"], in: reopened)
        #expect(Set(found.map(\.id)) == Set(identifiers))
    }

    @Test("a unique prefix of an identifier finds its asset")
    func prefixes() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let ids = try (0..<20).map { try library.importAsset("\($0)").localIdentifier }
        #expect(try library.asset(withIdentifierPrefix: ids[0]).id == ids[0])
        #expect(
            try library.asset(withIdentifierPrefix: String(ids[1].prefix(18)).uppercased()).id
                == ids[1])
        // 20 identifiers share 16 possible first digits.
        let shared = try #require(
            "0123456789abcdef".first { digit in ids.filter { $0.first == digit }.count > 1 })
        let ambiguous = try libraryError {
            _ = try library.asset(withIdentifierPrefix: String(shared))
        }
        #expect(ambiguous.code == .ambiguousIdentifier)
        for prefix in ["", "zz", "%", "_", "'", "g"] {
            let none = try libraryError { _ = try library.asset(withIdentifierPrefix: prefix) }
            #expect(none.code == .noSuchAsset)
        }
    }

    @Test("fetches skip hidden assets, sort and stop at a limit")
    func options() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        func day(_ number: Double) -> CaptureDate {
            CaptureDate(date: Date(timeIntervalSince1970: number * 86400), offset: nil)
        }
        let second = try library.importAsset("2", date: day(2))
        let undated = try library.importAsset("none")
        let first = try library.importAsset("1", date: day(1))
        #expect(try Asset.fetchAssets(in: library).map(\.id) == [first.id, second.id, undated.id])
        var options = FetchOptions()
        options.sortDescriptors = [AssetSortDescriptor(.creationDate, isAscending: false)]
        #expect(
            try Asset.fetchAssets(in: library, options: options).map(\.id)
                == [undated.id, second.id, first.id])
        options = FetchOptions()
        options.sortDescriptors = [AssetSortDescriptor(.addedDate)]
        options.fetchLimit = 2
        #expect(
            try Asset.fetchAssets(in: library, options: options).map(\.id)
                == [second.id, undated.id])
        try library.performChanges { try AssetChangeRequest(for: first).isHidden = true }
        #expect(try Asset.fetchAssets(in: library).map(\.id) == [second.id, undated.id])
        options = FetchOptions()
        options.includeHiddenAssets = true
        #expect(try Asset.fetchAssets(in: library, options: options).count == 3)
        #expect(try Asset.fetchAssets(withLocalIdentifiers: [first.id], in: library).count == 1)
    }
}
