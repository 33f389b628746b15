// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Testing

@testable import Library

/// Assets that are moved to the trash, restored, and removed for good.
@Suite("trash")
struct TrashTests {
    private let temporary: TemporaryLibrary
    private var library: PhotoLibrary { temporary.library }

    init() throws { temporary = try TemporaryLibrary() }

    private func trash(_ assets: Asset...) throws {
        try library.performChanges { try AssetChangeRequest.deleteAssets(assets) }
    }

    private func restore(_ assets: Asset...) throws {
        try library.performChanges { try AssetChangeRequest.restoreAssets(assets) }
    }

    private var trashed: FetchOptions {
        var options = FetchOptions.everything
        options.includeTrashedAssets = true
        options.predicate = .date(.trashed, .atLeast(.distantPast))
        return options
    }

    private func found(_ options: FetchOptions) throws -> [String] {
        try Asset.fetchAssets(in: library, options: options).localIdentifiers()
    }

    @Test("emptying the trash leaves assets that were restored or removed in the meantime")
    func emptying() throws {
        let assets = try ["one", "two", "three"].map { try library.importAsset($0) }
        try trash(assets[0], assets[1], assets[2])
        let held = try Asset.fetchAssets(in: library, options: trashed).elements()
        #expect(held.count == 3)
        try restore(assets[0])
        try library.performChanges { try AssetChangeRequest.removeAssets([assets[1]]) }
        try library.performChanges { try AssetChangeRequest.emptyTrash(of: held) }
        #expect(try found(.everything) == [assets[0].id])
        #expect(try found(trashed) == [])
    }

    @Test("a trashed asset leaves all fetches and counts, and only the trash contains it")
    func leaving() throws {
        let date = CaptureDate(date: Date(timeIntervalSince1970: 1_600_000_000), offset: 0)
        let asset = try library.importAsset("one", date: date)
        let other = try library.importAsset("two", date: date)
        try library.performChanges {
            let request = try AssetChangeRequest(for: asset)
            try request.addKeyword("beach")
            request.isFavorite = true
            request.label = "Red"
        }
        let album = try library.makeAlbum("Album", [asset, other])
        try library.change(album) { try $0.setKeyAsset(asset) }
        let held = try Asset.fetchAssets(in: library)
        try held.load()
        try trash(asset)

        #expect(try found(FetchOptions()) == [other.id])
        #expect(try found(.everything) == [other.id])
        #expect(try Asset.count(in: library) == 1)
        #expect(
            try Asset.fetchAssets(withLocalIdentifiers: [asset.id, other.id], in: library)
                .localIdentifiers() == [other.id])
        var options = FetchOptions.everything
        options.predicate = .keyword(.equal("beach"))
        #expect(try found(options) == [])
        #expect(try library.labels(sameAs: "red") == [])
        #expect(try library.members(of: album) == [other.id])
        let now = try library.album(album.id)
        #expect(now.estimatedAssetCount == 1 && now.keyAssetLocalIdentifier == nil)
        #expect(
            try Asset.fetchKeyAssets(in: now, library: library)?.localIdentifiers() == [other.id])
        let moments = try AssetCollection.fetchAssetCollections(with: .moment, in: library)
        #expect(try moments.flatMap { try library.members(of: $0) } == [other.id])
        let smart = try AssetCollection.fetchAssetCollections(with: .smartAlbum, in: library)
        for collection in smart where collection.subtype != .smartAlbumRecentlyDeleted {
            #expect(try !library.members(of: collection).contains(asset.id), "\(collection.title)")
        }
        let deleted = try library.assetCollection(named: "recently-deleted")
        #expect(try library.members(of: deleted) == [asset.id])
        #expect(try found(trashed) == [asset.id])
        let item = try #require(try Asset.fetchAssets(in: library, options: trashed).firstObject)
        #expect(item.isTrashed && item.isFavorite)
        // An object that is held stays readable.
        #expect(held.count == 2 && !held[0].isRemoved)
        #expect(try library.check(readingDataOf: 100).severity == .clean)
    }

    @Test("restoring brings back edits, texts, albums, positions and covers")
    func restoring() throws {
        let assets = try (0..<4).map { try library.importAsset("\($0)") }
        try library.edit(assets[1].id, recipe: "one", render: "render of one")
        try library.edit(assets[1].id, recipe: "two", render: "render of two")
        try library.performChanges {
            let request = try AssetChangeRequest(for: assets[1])
            try request.addKeyword("beach")
            request.title = "Title"
            request.rating = 4
            try request.saveVersion(named: "best")
        }
        let album = try library.makeAlbum("Album", assets)
        try library.change(album) { try $0.setKeyAsset(assets[1]) }
        let before = try library.history(ofAsset: assets[1].id)
        try trash(assets[1], assets[2])
        // The album is changed meanwhile.
        try library.change(album) { try $0.moveAssets([assets[3]], to: .start) }
        try restore(assets[1], assets[2])

        let after = try library.history(ofAsset: assets[1].id)
        #expect(after.states == before.states && after.position == before.position)
        #expect(after.versions == before.versions && after.originals == before.originals)
        #expect(!after.asset.isTrashed && after.asset.title == "Title" && after.asset.rating == 4)
        #expect(try library.keywords(ofAsset: assets[1].id) == ["beach"])
        #expect(
            try library.members(of: album)
                == [assets[3].id, assets[0].id, assets[1].id, assets[2].id])
        let now = try library.album(album.id)
        #expect(now.keyAssetLocalIdentifier == assets[1].id && now.estimatedAssetCount == 4)
    }

    @Test("an asset in the trash cannot be found, changed or added to an album")
    func refused() throws {
        let asset = try library.importAsset("one")
        let album = try library.makeAlbum("Album")
        let output = try library.output(asset.id, recipe: "late", render: "late")
        try trash(asset)
        let advice = "edithost trash restore \(asset.id)"
        let prefix = String(asset.id.prefix(6))
        let attempts: [() throws -> Void] = [
            { _ = try library.asset(withLocalIdentifier: asset.id) },
            { _ = try library.asset(withIdentifierPrefix: prefix) },
            {
                try library.performChanges {
                    try AssetChangeRequest(for: asset).isFavorite = true
                }
            },
            {
                try library.performChanges {
                    try AssetChangeRequest(for: asset).contentEditingOutput = output
                }
            },
            { try library.change(album) { try $0.addAssets([asset]) } },
        ]
        for (number, attempt) in attempts.enumerated() {
            let error = try libraryError(attempt)
            #expect(error.code == .noSuchAsset && error.message.hasSuffix(advice), "\(number)")
        }
        #expect(try library.trashedAsset(withIdentifierPrefix: prefix).id == asset.id)
        let unknown = try libraryError { _ = try library.asset(withIdentifierPrefix: "zz") }
        #expect(!unknown.message.contains("trash"))
        for operation in AssetEditOperation.allCases {
            #expect(try asset.canPerform(operation, in: library) == (operation == .delete))
        }
        // Deleting again keeps the date, and restoring twice changes nothing.
        let first = try library.history(ofAsset: asset.id).asset
        try trash(asset)
        #expect(try library.history(ofAsset: asset.id).asset == first)
        try restore(asset)
        let restored = try library.asset(withLocalIdentifier: asset.id)
        try restore(asset)
        #expect(try library.asset(withLocalIdentifier: asset.id) == restored)
        let error = try libraryError { _ = try library.trashedAsset(withIdentifierPrefix: prefix) }
        #expect(error.code == .noSuchAsset)
    }

    @Test("creating an asset from the same bytes restores the one in the trash")
    func creating() throws {
        let asset = try library.importAsset("same")
        try library.edit(asset.id, recipe: "one", render: "render of one")
        try trash(asset)
        let blob = try library.stage("same")
        var requests: [AssetCreationRequest] = []
        for _ in 0..<2 {
            try library.performChanges { requests.append(try .photo(blob, .sample())) }
        }
        #expect(
            requests.map(\.result)
                == [.restored(existing: asset.id), .duplicate(existing: asset.id)])
        #expect(try library.asset(withLocalIdentifier: asset.id).hasAdjustments)
    }

    @Test("prune keeps the files of the trash, and removes assets after 30 days")
    func pruning() throws {
        let assets = try (0..<3).map { try library.importAsset("\($0)") }
        let album = try library.makeAlbum("Album", assets)
        try library.edit(assets[0].id, recipe: "one", render: "render of one")
        try trash(assets[0], assets[1])
        let report = try library.prune(emptyingTrash: true)
        #expect(report.assetCount == 0 && report.fileCount == 0 && report.trashedCount == 0)
        let days = Double(TrashPeriod.days)
        for (asset, age) in [(assets[0], days - 0.01), (assets[1], days + 0.01)] {
            let date = Date(timeIntervalSinceNow: -age * 86_400).microseconds
            try library.writer().0.write {
                try $0.execute(
                    sql: "UPDATE asset SET trashed_date = ? WHERE uuid = ?",
                    arguments: [date, asset.id])
            }
        }
        let token = try library.currentChangeToken
        let later = try library.prune()
        #expect(later.assetCount == 1 && later.trashedCount == 1)
        #expect(try found(trashed) == [assets[0].id])
        let changes = try library.fetchPersistentChanges(since: token)
        #expect(
            changes.map { $0.changeDetails(for: .asset).deletedLocalIdentifiers }
                == [[assets[1].id]])
        try restore(assets[0])
        #expect(try library.members(of: album) == [assets[0].id, assets[2].id])
        #expect(try library.check(readingDataOf: 100).severity == .clean)
    }

    @Test("observers see a trashed asset as deleted, and a restored one as changed")
    func observing() throws {
        let asset = try library.importAsset("one")
        func details(for asset: Asset) throws -> ObjectChangeDetails<Asset>? {
            let last = try library.fetchPersistentChanges(since: library.oldestChangeToken).last
            let change = Change(persistentChange: try #require(last), library: library)
            return try change.changeDetails(for: asset)
        }
        try trash(asset)
        #expect(try details(for: asset)?.objectWasDeleted == true)
        let trashed = try library.history(ofAsset: asset.id).asset
        #expect(try details(for: trashed)?.objectWasDeleted == false)
        try restore(asset)
        #expect(try details(for: asset)?.objectAfterChanges?.isTrashed == false)
        #expect(try details(for: trashed)?.objectAfterChanges?.isTrashed == false)
    }

    @Test("P-14 a burst is represented by a photo outside the trash, if it has one")
    func bursts() throws {
        let blobs = try (0..<4).map { try library.stage("frame \($0)") }
        var ids: [String] = []
        func create(_ blob: StagedBlob) throws {
            let request = try AssetCreationRequest.photo(blob, .sample())
            request.burstIdentifier = "burst"
            ids.append(request.placeholderForCreatedAsset.localIdentifier)
        }
        try library.performChanges { try blobs.prefix(3).forEach(create) }
        let assets = try ids.map { try library.asset(withLocalIdentifier: $0) }
        try trash(assets[0])
        #expect(try found(FetchOptions()) == [ids[1]])
        try trash(assets[1], assets[2])
        #expect(try found(FetchOptions()) == [])
        // A new photo represents the burst if all others are in the trash.
        try library.performChanges { try create(blobs[3]) }
        #expect(try found(FetchOptions()) == [ids[3]])
        try trash(library.asset(withLocalIdentifier: ids[3]))
        try restore(assets[2])
        #expect(try found(FetchOptions()) == [ids[2]])
        try restore(assets[0])
        #expect(try found(FetchOptions()) == [ids[2]])
    }

    @Test("a rendition in the trash can be replaced, which repairs need")
    func repairing() throws {
        let asset = try library.importAsset("one")
        try library.edit(asset.id, recipe: "one", render: "render of one")
        try trash(asset)
        let history = try library.history(ofAsset: asset.id)
        let edit = try #require(history.chain.last)
        let rendered = try library.render("render of one, again")
        try library.performChanges {
            try AssetChangeRequest(for: history.asset).replaceRendition(
                rendered, kind: .current, ofEdit: edit.identifier)
        }
        let now = try library.history(ofAsset: asset.id)
        #expect(now.chain.last?.current?.blob == rendered.blob.hash && now.asset.isTrashed)
    }
}
