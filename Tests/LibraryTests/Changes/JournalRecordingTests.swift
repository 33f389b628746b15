// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import LibraryTestSupport
import Testing

@testable import Library

/// The values that changes record in the journal.
@Suite("recording of values")
struct JournalRecordingTests {
    private let temporary: TemporaryLibrary
    private var library: PhotoLibrary { temporary.library }

    init() throws { temporary = try TemporaryLibrary() }

    /// The values of the last change, without ranks and identifiers: property, item, old and new.
    private func recorded() throws -> Set<String> {
        try library.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT property, CAST(item AS TEXT), CAST(old AS TEXT), CAST(new AS TEXT)
                    FROM change_value WHERE token = (SELECT max(token) FROM change)
                    """)
            return Set(
                rows.map { row in
                    (0..<4).map { row[$0] as String? ?? "-" }.filter { !$0.isEmpty }
                        .joined(separator: " ")
                })
        }
    }

    private func change(_ asset: Asset, _ body: (AssetChangeRequest) throws -> Void) throws {
        try library.performChanges { try body(AssetChangeRequest(for: asset)) }
    }

    @Test("each property that a change sets has its old and its new value")
    func properties() throws {
        let date = CaptureDate(date: Date(timeIntervalSince1970: 1_600_000_000), offset: 7200)
        let asset = try library.importAsset("one", date: date)
        #expect(try recorded() == ["existence - 1"])
        try change(asset) { request in
            request.captureDate = CaptureDate(
                date: Date(timeIntervalSince1970: 1_600_000_001), offset: nil)
            request.location = Location(latitude: 47, longitude: 8.25)
            request.isFavorite = true
            request.isHidden = true
            request.rating = 4
            request.title = "Title"
            request.descriptionText = "Text"
            request.creator = "Ada; Ben"
            request.copyright = "© Ada"
            request.label = "Red"
            request.originalFolder = "2024/May"
            try request.addKeyword("beach")
        }
        #expect(
            try recorded() == [
                "captureDate 1600000000000000,7200 1600000001000000,",
                "location - 47.0,8.25", "isFavorite - 1", "isHidden - 1", "rating - 4",
                "title - Title", "description - Text", "creator - Ada; Ben",
                "copyright - © Ada", "label - Red", "folder - 2024/May", "keyword beach - 1",
            ])
        // Only what differs is recorded.
        try change(asset) { request in
            request.rating = 4
            request.title = nil
            try request.addKeyword("beach")
            try request.addKeyword("sea")
        }
        #expect(try recorded() == ["title Title -", "keyword sea - 1"])
        try change(asset) { try $0.removeKeyword("sea") }
        #expect(try recorded() == ["keyword sea 1 -"])
        try library.performChanges { try AssetChangeRequest.deleteAssets([asset]) }
        let trashed = try library.history(ofAsset: asset.id).asset.trashedDate?.microseconds
        #expect(try recorded() == ["trashedDate - \(try #require(trashed))"])
        try library.performChanges { try AssetChangeRequest.removeAssets([asset]) }
        #expect(try recorded() == [])
        #expect(try library.check().severity == .clean)
    }

    @Test("several changes of a property in one block are one value; one that is set back is none")
    func merging() throws {
        let asset = try library.importAsset("one")
        try change(asset) { $0.rating = 1 }
        try library.performChanges {
            for rating in [2, 3] { try AssetChangeRequest(for: asset).rating = rating }
        }
        #expect(try recorded() == ["rating 1 3"])
        try library.performChanges {
            try AssetChangeRequest(for: asset).rating = 5
            try AssetChangeRequest(for: asset).isHidden = true
            try AssetChangeRequest(for: asset).rating = 3
        }
        #expect(try recorded() == ["isHidden - 1"])
    }

    @Test("an edit, an undo and a revert record states by position and last edit")
    func states() throws {
        let asset = try library.importAsset("one")
        try library.edit(asset.id, recipe: "one", render: "render of one")
        let edit = try #require(try library.history(ofAsset: asset.id).chain.last?.identifier)
        #expect(try recorded() == ["state 0  1 \(edit)"])
        let edited = try library.asset(withLocalIdentifier: asset.id)
        try change(edited) { try $0.undo() }
        #expect(try recorded() == ["state 1 \(edit) 0 "])
        try change(try library.asset(withLocalIdentifier: asset.id)) { try $0.redo() }
        #expect(try recorded() == ["state 0  1 \(edit)"])
        try change(edited) { try $0.revertAssetContentToOriginal() }
        #expect(try recorded() == ["state 1 \(edit) 0 "])
    }

    @Test("albums and folders record existence, title, place, cover and members")
    func collections() throws {
        let assets = try ["one", "two"].map { try library.importAsset($0) }
        let ids = try library.read {
            try Int64.fetchAll($0, sql: "SELECT id FROM asset ORDER BY id")
        }
        let gap = MemberRanks.gap
        let folder = try library.makeFolder("Folder")
        #expect(
            try recorded() == ["existence - folder", "title - Folder", "place - \(gap),"])
        let album = try library.makeAlbum("Album", assets)
        #expect(
            try recorded() == [
                "existence - album", "title - Album", "place - \(2 * gap),",
                "member \(ids[0]) - 0", "member \(ids[1]) - \(gap)",
            ])
        try library.change(album) { request in
            request.title = "Summer"
            try request.setKeyAsset(assets[1])
        }
        #expect(try recorded() == ["title Album Summer", "cover - \(ids[1])"])
        try library.change(album) { try $0.removeAssets([assets[1]]) }
        #expect(try recorded() == ["member \(ids[1]) \(gap) -", "cover \(ids[1]) -"])
        try library.performChanges {
            try CollectionListChangeRequest(for: folder)
                .addChildCollections([library.album(album.id)])
        }
        #expect(
            try recorded() == ["place \(2 * gap), \(gap),\(folder.localIdentifier)"])
        try library.performChanges {
            try CollectionListChangeRequest.deleteCollectionLists([folder])
        }
        #expect(
            try recorded() == [
                "existence folder -", "title Folder -", "place \(gap), -",
                "existence album -", "title Summer -", "member \(ids[0]) 0 -",
                "place \(gap),\(folder.localIdentifier) -",
            ])
    }

    @Test("the choice of a user from a burst is recorded, and that of a host is not")
    func bursts() throws {
        let assets = try ["one", "two"].map { try library.importAsset($0) }
        try library.performChanges {
            for asset in assets { try AssetChangeRequest(for: asset).burstIdentifier = "burst" }
        }
        #expect(try recorded() == ["burst - burst", "burstRepresentative - 1"])
        try change(assets[1]) { request in
            request.burstSelectionTypes = .userPick
            request.representsBurst = true
        }
        #expect(
            try recorded() == [
                "burstPick - 1", "burstRepresentative - 1", "burstRepresentative 1 -",
            ])
        try change(assets[0]) { $0.burstSelectionTypes = .autoPick }
        #expect(try recorded() == [])
    }

    @Test("a library of the version before has no values; its changes have no command")
    func older() throws {
        try library.importAsset("one")
        try library.close()
        try OldLibrary.downgrade(temporary.path, to: 16)
        let upgraded = try temporary.reopen()
        #expect(try upgraded.count("change_value") == 0)
        #expect(try upgraded.count("change WHERE command IS NOT NULL") == 0)
        #expect(try upgraded.check().severity == .clean)
    }
}
