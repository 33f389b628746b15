// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import Synchronization
import Testing

@testable import Library

/// Undos of journal entries that concern photos.
@Suite("undo of entries: photos")
struct JournalUndoTests {
    private let temporary: TemporaryLibrary
    private var library: PhotoLibrary { temporary.library }

    init() throws { temporary = try TemporaryLibrary() }

    private func asset(_ asset: Asset) throws -> Asset {
        try library.history(ofAsset: asset.id).asset
    }

    private func change(_ asset: Asset, _ body: (AssetChangeRequest) throws -> Void) throws {
        let asset = try library.asset(withLocalIdentifier: asset.id)
        try library.performChanges { try body(AssetChangeRequest(for: asset)) }
    }

    @Test("all properties of a change are restored, and an undo of the undo sets them again")
    func properties() async throws {
        let date = CaptureDate(date: Date(timeIntervalSince1970: 1_600_000_000), offset: 7200)
        let made = try library.importAsset("one", date: date)
        try change(made) { try $0.addKeyword("beach") }
        let before = try asset(made)
        try change(made) { request in
            request.captureDate = nil
            request.location = Location(latitude: 47.123456789, longitude: 8.25)
            request.isFavorite = true
            request.isHidden = true
            request.rating = 4
            request.title = "Title"
            request.descriptionText = "Text"
            request.creator = "Ada; Ben"
            // Recorded as a removal, which an undo takes back.
            request.copyright = nil
            request.label = "Red"
            request.originalFolder = "2024/May"
            try request.removeKeyword("beach")
            try request.addKeyword("Places|Iceland")
        }
        let after = try asset(made)
        let report = try await library.undo(library.lastEntry())
        #expect(report.left == [] && report.undone.map(\.identifier) == [made.id])
        #expect(
            Set(report.undone[0].properties) == [
                "date", "location", "favorite", "hidden", "rating", "title", "description",
                "creator", "copyright", "label", "folder", "keywords",
            ])
        #expect(report.undone[0].properties.count == 12)
        #expect(try properties(of: made) == values(before))
        #expect(try library.keywords(ofAsset: made.id) == ["beach"])
        try await library.undo(library.lastEntry())
        #expect(try properties(of: made) == values(after))
        #expect(try library.keywords(ofAsset: made.id) == ["Places|Iceland"])
        #expect(try library.check().severity == .clean)
    }

    /// The values of an asset that a journal contains, as text.
    private func values(_ asset: Asset) -> [String] {
        [
            "\(String(describing: asset.captureDate))", "\(String(describing: asset.location))",
            "\(asset.isFavorite) \(asset.isHidden)", "\(String(describing: asset.rating))",
            asset.title ?? "-", asset.descriptionText ?? "-", asset.label ?? "-",
            asset.originalFolder ?? "-", asset.creator ?? "-", asset.copyright ?? "-",
            asset.removedTexts.map(\.rawValue).sorted().joined(),
        ]
    }

    private func properties(of asset: Asset) throws -> [String] { try values(self.asset(asset)) }

    @Test("a value that has changed since is left and reported, and the others are restored")
    func changedSince() async throws {
        let assets = try ["one", "two"].map { try library.importAsset($0) }
        try library.performChangesAndWait {
            for asset in assets {
                let request = try AssetChangeRequest(for: asset)
                request.rating = 3
                request.title = "Title"
            }
        }
        let entry = try library.lastEntry()
        try change(assets[0]) { $0.rating = 5 }
        // A value that is the old one again is neither restored nor left.
        try change(assets[1]) { $0.title = nil }
        let planned = try library.plannedUndo(of: entry).report
        let report = try await library.undo(entry)
        #expect(planned.rows == report.rows)
        #expect(report.left.map(\.identifier) == [assets[0].id])
        #expect(report.left.map(\.properties) == [["rating"]])
        #expect(report.left.map(\.outcome) == [.changed])
        #expect(report.undone.map(\.properties) == [["title"], ["rating"]])
        #expect(try assets.map { try asset($0).rating } == [5, nil])
        #expect(try assets.map { try asset($0).title } == [nil, nil])
    }

    @Test("new assets move to the trash, and deleted ones come back and are deleted again")
    func trash() async throws {
        let assets = try ["one", "two"].map { try library.importAsset($0) }
        let imported = try library.lastEntry()
        try library.performChangesAndWait { try AssetChangeRequest.deleteAssets([assets[0]]) }
        let deleted = try library.lastEntry()
        let date = try asset(assets[0]).trashedDate
        try await library.undo(deleted)
        #expect(try !asset(assets[0]).isTrashed)
        try await library.undo(library.lastEntry())
        // The time until it is removed for good begins again.
        let again = try #require(try asset(assets[0]).trashedDate)
        #expect(try again > #require(date))
        // The deletion is that of the entry still.
        let last = try library.lastEntryToUndo(exceptOf: "undo")
        #expect(last?.identifier == deleted)
        try await library.undo(deleted)
        #expect(try !asset(assets[0]).isTrashed)
        try await library.undo(imported)
        #expect(try asset(assets[1]).isTrashed)
        try await library.undo(library.lastEntry())
        #expect(try !asset(assets[1]).isTrashed)
        try library.performChangesAndWait { try AssetChangeRequest.restoreAssets([assets[0]]) }
        try library.performChangesAndWait { try AssetChangeRequest.deleteAssets([assets[0]]) }
        // It was restored and deleted again.
        #expect(try library.plannedUndo(of: deleted).report.left.map(\.outcome) == [.changed])
    }

    @Test("assets removed for good are counted, and the rest of the entry is undone")
    func removed() async throws {
        let assets = try ["one", "two", "three"].map { try library.importAsset($0) }
        try library.performChangesAndWait {
            for asset in assets { try AssetChangeRequest(for: asset).rating = 3 }
            try AssetChangeRequest.removeAssets([assets[2]])
        }
        let entry = try library.lastEntry()
        try library.performChangesAndWait { try AssetChangeRequest.removeAssets([assets[1]]) }
        let report = try await library.undo(entry)
        #expect(report.removedAssetCount == 1)
        #expect(report.left.map(\.outcome) == [.removed])
        #expect(report.undone.map(\.identifier) == [assets[0].id])
        #expect(try asset(assets[0]).rating == nil)
    }

    @Test("edits are undone one command after another, and a revert too")
    func states() async throws {
        let made = try library.importAsset("one")
        for recipe in ["one", "two"] {
            try library.edit(made.id, recipe: recipe, render: "render of \(recipe)")
        }
        try change(made) { try $0.revertAssetContentToOriginal() }
        func position() throws -> Int { try library.history(ofAsset: made.id).position }
        var positions: [Int] = []
        for _ in 0..<3 {
            let entry = try #require(try library.lastEntryToUndo(exceptOf: "undo"))
            try await library.undo(entry.identifier)
            positions.append(try position())
        }
        #expect(positions == [2, 1, 0])
        // The last undo is taken back.
        try await library.undo(library.lastEntry())
        #expect(try position() == 1)
        #expect(try library.check().severity == .clean)
    }

    @Test("a state that a later edit discarded, or that is not current, is left")
    func discarded() async throws {
        let made = try library.importAsset("one")
        for recipe in ["one", "two"] {
            try library.edit(made.id, recipe: recipe, render: "render of \(recipe)")
        }
        let second = try library.lastEntry()
        try change(made) { try $0.undo() }
        let undone = try library.lastEntry()
        try library.edit(made.id, recipe: "three", render: "render of three")
        #expect(try library.plannedUndo(of: second).report.left.map(\.outcome) == [.changed])
        try change(made) { try $0.undo() }
        // The state with the second edit was replaced.
        #expect(try library.plannedUndo(of: undone).report.left.map(\.outcome) == [.discarded])
        let report = try await library.undo(undone)
        #expect(report.undone == [] && report.left.map(\.properties) == [["edits"]])
        #expect(try library.history(ofAsset: made.id).position == 1)
        try library.performChangesAndWait { try AssetChangeRequest.deleteAssets([made]) }
        #expect(try library.plannedUndo(of: library.lastEntry()).report.left == [])
    }

    @Test("the authorisation hook gets what an undo deletes, creates and changes")
    func summary() async throws {
        let made = try library.importAsset("one")
        let (imported, old) = (try library.lastEntry(), try library.makeAlbum("Old"))
        let created = try library.lastEntry()
        let kept = try library.importAsset("two")
        try change(kept) { $0.rating = 3 }
        let rated = try library.lastEntry()
        let album = try library.makeAlbum("Album")
        try library.performChangesAndWait {
            try AssetCollectionChangeRequest.deleteAssetCollections([album])
        }
        let deleted = try library.lastEntry()
        let asked = Mutex<[ChangeSummary]>([])
        var options = PhotoLibrary.Options()
        options.authorization = { summary in asked.withLock { $0.append(summary) } }
        let asking = try temporary.reopen(options)
        for entry in [imported, created, rated, deleted] { try await asking.undo(entry) }
        let summaries = asked.withLock { $0 }
        #expect(summaries.map(\.removed) == [[made.id], [], [], []])
        #expect(summaries.map(\.updated) == [[], [], [kept.id], []])
        #expect(summaries.map(\.removedCollections) == [[], [old.id], [], []])
        #expect(summaries.map(\.insertedCollections) == [[], [], [], [album.id]])
        #expect(summaries.allSatisfy { $0.updatedCollections.isEmpty && $0.inserted.isEmpty })
        try asking.close()
    }

    @Test("the edits of a photo in the trash are left")
    func trashedStates() async throws {
        let made = try library.importAsset("one")
        try library.edit(made.id, recipe: "one", render: "render of one")
        let edited = try library.lastEntry()
        try library.performChangesAndWait { try AssetChangeRequest.deleteAssets([made]) }
        let report = try await library.undo(edited)
        #expect(report.left.map(\.outcome) == [.trashed])
        #expect(try library.history(ofAsset: made.id).position == 1)
    }

    @Test("the representative and the pick of a burst are restored")
    func bursts() async throws {
        let assets = try (0..<3).map { try library.importAsset("\($0)") }
        try library.performChangesAndWait {
            for asset in assets { try AssetChangeRequest(for: asset).burstIdentifier = "burst" }
        }
        let grouped = try library.lastEntry()
        try change(assets[1]) { request in
            request.burstSelectionTypes = .userPick
            request.representsBurst = true
        }
        let chosen = try library.lastEntry()
        try library.performChangesAndWait { try AssetChangeRequest.deleteAssets([assets[1]]) }
        func represents() throws -> [Bool] { try assets.map { try asset($0).representsBurst } }
        #expect(try represents() == [true, false, false])
        try await library.undo(library.lastEntry())
        #expect(try represents() == [false, true, false])
        try await library.undo(chosen)
        #expect(try represents() == [true, false, false])
        #expect(try asset(assets[1]).burstSelectionTypes == [])
        try await library.undo(grouped)
        let names = try assets.map { try asset($0).burstIdentifier }
        #expect(names == [nil, nil, nil])
        #expect(try library.check().severity == .clean)
    }

    @Test("each undo of the last entry makes progress after the representative was removed")
    func removedRepresentative() async throws {
        let assets = try (0..<2).map { try library.importAsset("\($0)") }
        try library.performChangesAndWait {
            for asset in assets { try AssetChangeRequest(for: asset).burstIdentifier = "burst" }
        }
        let grouped = try library.lastEntry()
        try library.performChangesAndWait { try AssetChangeRequest.deleteAssets([assets[0]]) }
        let deleted = try library.lastEntry()
        #expect(try asset(assets[1]).representsBurst)
        try library.performChangesAndWait { try AssetChangeRequest.removeAssets([assets[0]]) }
        let planned = try library.plannedUndo(of: deleted).report
        #expect(planned.undone == [] && planned.left.allSatisfy { $0.outcome == .removed })
        var undone: [JournalEntry.Identifier] = []
        while let entry = try library.lastEntryToUndo(exceptOf: "undo"), undone.count < 5 {
            undone.append(entry.identifier)
            try await library.undo(entry.identifier)
        }
        #expect(undone.first == grouped && Set(undone).count == undone.count)
        #expect(try library.lastEntryToUndo(exceptOf: "undo") == nil)
        #expect(try library.check().severity == .clean)
    }

    @Test("the pick of a photo that has left its burst is left")
    func pickOutsideBurst() async throws {
        let assets = try (0..<2).map { try library.importAsset("\($0)") }
        try library.performChangesAndWait {
            for asset in assets { try AssetChangeRequest(for: asset).burstIdentifier = "burst" }
        }
        try change(assets[1]) { $0.burstSelectionTypes = .userPick }
        try change(assets[1]) { $0.burstSelectionTypes = [] }
        let entry = try library.lastEntry()
        try change(assets[1]) { $0.burstIdentifier = nil }
        #expect(try library.plannedUndo(of: entry).report.left.map(\.outcome) == [.changed])
        try await library.undo(library.lastEntry())
        let report = try await library.undo(entry)
        #expect(report.left == [])
        #expect(try asset(assets[1]).burstSelectionTypes == .userPick)
    }

    @Test("an undo that turns out to change nothing reports nothing as undone")
    func withoutChange() async throws {
        let made = try library.importAsset("one")
        try change(made) { $0.rating = 3 }
        let rated = try library.lastEntry()
        // Both are the same keyword, in different compositions.
        try change(made) { try $0.addKeyword("caf\u{e9}") }
        try change(made) { try $0.removeKeyword("caf\u{e9}") }
        let entry = try library.lastEntry()
        try change(made) { try $0.addKeyword("cafe\u{301}") }
        let token = try library.currentChangeToken
        let report = try await library.undo(entry)
        #expect(report.undone == [])
        #expect(try library.currentChangeToken == token)
        let older = try library.lastEntryToUndo(exceptOf: "undo", before: entry)
        #expect(older?.identifier == rated)
    }

    @Test("keywords are left if the photo has too many others now, unless there is room again")
    func tooManyKeywords() async throws {
        let made = try library.importAsset("one")
        let maximum = PhotoMetadata.maximumKeywords
        let (pool, _) = try library.writer()
        try await pool.write { database in
            for number in 0..<maximum {
                try database.execute(
                    sql: "INSERT INTO keyword (asset_id, text) SELECT id, ? FROM asset",
                    arguments: ["\(number)"])
            }
        }
        try change(made) { request in
            request.rating = 3
            try request.removeKeyword("0")
            try request.removeKeyword("1")
            try request.addKeyword("other")
        }
        let entry = try library.lastEntry()
        try change(made) { try $0.addKeyword("last") }
        let report = try await library.undo(entry)
        #expect(report.left.map(\.outcome) == [.full])
        #expect(try asset(made).rating == nil)
        let keywords = try library.keywords(ofAsset: made.id)
        #expect(keywords.count == maximum && keywords.contains("last"))
        #expect(keywords.contains("0") && !keywords.contains("other"))
    }
}

extension PhotoLibrary {
    /// The identifier of the last entry of the journal.
    func lastEntry() throws -> JournalEntry.Identifier {
        try #require(try journal(limit: 1).first).identifier
    }
}
