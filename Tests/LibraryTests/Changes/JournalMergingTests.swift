// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import Testing

@testable import Library

/// Undos of entries that consist of several changes, with changes of others after them and in
/// between.
@Suite("undo of entries: several changes")
struct JournalMergingTests {
    private let temporary: TemporaryLibrary
    /// The library as another program has it open.
    private var other: PhotoLibrary { temporary.library }
    /// The library as one run of a command has it open.
    private let run: PhotoLibrary

    init() throws {
        temporary = try TemporaryLibrary()
        var options = PhotoLibrary.Options()
        options.command = "import"
        options.groupsChanges = true
        run = try temporary.reopen(options)
    }

    private func asset(_ asset: Asset) throws -> Asset {
        try other.history(ofAsset: asset.id).asset
    }

    private func change(
        _ asset: Asset, in library: PhotoLibrary, _ body: (AssetChangeRequest) throws -> Void
    ) throws {
        let asset = try library.asset(withLocalIdentifier: asset.id)
        try library.performChanges { try body(AssetChangeRequest(for: asset)) }
    }

    private func rate(_ asset: Asset, _ rating: Int?, in library: PhotoLibrary) throws {
        try change(asset, in: library) { $0.rating = rating }
    }

    /// The entry of the command.
    private func entry() throws -> JournalEntry.Identifier {
        try #require(try other.journal().first { $0.command == "import" }).identifier
    }

    @Test("new photos that were rated, filed, edited or saved since are left")
    func changedSince() async throws {
        let assets = try (0..<6).map { try run.importAsset("\($0)") }
        try rate(assets[0], 3, in: other)
        let album = try other.makeAlbum("Album", [assets[1]])
        for index in 2...3 {
            try other.edit(assets[index].id, recipe: "one", render: "render of \(index)")
        }
        try change(assets[3], in: other) { try $0.undo() }
        // What was set back is no change, and neither are the deletion and its undo.
        try rate(assets[4], 3, in: other)
        try await other.undo(other.lastEntry())
        try other.performChangesAndWait { try AssetChangeRequest.deleteAssets([assets[5]]) }
        try await other.undo(other.lastEntry())
        let report = try await other.undo(entry())
        #expect(report.left.map(\.outcome) == [.changed, .changed, .changed])
        #expect(Set(report.left.map(\.identifier)) == Set(assets[...2].map(\.id)))
        #expect(
            try assets.map { try asset($0).isTrashed } == [false, false, false, true, true, true])
        #expect(try other.members(of: other.album(album.id)) == [assets[1].id])
    }

    @Test("new photos move to the trash again after an undo of the undo")
    func again() async throws {
        let made = try run.importAsset("one")
        try run.makeAlbum("Album", [made])
        for isTrashed in [true, false, true] {
            let undo = try isTrashed ? entry() : other.lastEntry()
            let report = try await other.undo(undo)
            #expect(report.left == [])
            #expect(try asset(made).isTrashed == isTrashed)
        }
    }

    @Test("a new photo that was joined with an older separate video is left")
    func joined() async throws {
        let video = try other.importAsset("video")
        let assets = try (0..<2).map { try run.importAsset("\($0)") }
        let blob = try run.stage("video")
        try run.performChangesAndWait {
            try AssetChangeRequest.removeAssets([video])
            try AssetChangeRequest(for: assets[0])
                .addResource(.pairedVideo, blob: blob, filename: "video.mov")
        }
        let report = try await other.undo(entry())
        #expect(report.left.map(\.identifier) == [assets[0].id])
        #expect(report.left.map(\.outcome) == [.joined])
        #expect(try assets.map { try asset($0).isTrashed } == [false, true])
    }

    @Test("a video that was joined with an older photo does not keep new Live Photos")
    func joinedToOlder() async throws {
        let still = try other.importAsset("still")
        let video = try other.importAsset("video")
        let made = try run.importAsset("new")
        let motions = try ["new motion", "video"].map { try run.stage($0) }
        try change(made, in: run) {
            try $0.addResource(.pairedVideo, blob: motions[0], filename: "new.mov")
        }
        try run.performChangesAndWait {
            try AssetChangeRequest.removeAssets([video])
            try AssetChangeRequest(for: still)
                .addResource(.pairedVideo, blob: motions[1], filename: "video.mov")
        }
        #expect(try await other.undo(entry()).left == [])
        #expect(try asset(made).isTrashed && !asset(still).isTrashed)
    }

    @Test("a new photo whose video another command added is left")
    func videoAdded() async throws {
        let made = try run.importAsset("one")
        let blob = try other.stage("video")
        try change(made, in: other) {
            try $0.addResource(.pairedVideo, blob: blob, filename: "video.mov")
        }
        #expect(try await other.undo(entry()).left.map(\.outcome) == [.changed])
        #expect(try !asset(made).isTrashed)
    }

    @Test("a new photo whose RAW file or sidecar another command added is left")
    func companionAdded() async throws {
        let assets = try (0..<4).map { try run.importAsset("\($0)") }
        let files: [(AssetResourceType, String)] = [
            (.alternatePhoto, "0.dng"), (.metadataSidecar, "1.xmp"), (.alternatePhoto, "2.dng"),
        ]
        for (index, (type, name)) in files.enumerated() {
            // The command itself has added the last one.
            let library = index == 2 ? run : other
            let blob = try library.stage(name)
            try change(assets[index], in: library) {
                try $0.addResource(type, blob: blob, filename: name)
            }
        }
        let report = try await other.undo(entry())
        #expect(report.left.map(\.outcome) == [.changed, .changed])
        #expect(Set(report.left.map(\.identifier)) == Set(assets[..<2].map(\.id)))
        #expect(try assets.map { try asset($0).isTrashed } == [false, false, true, true])
    }

    @Test("a file added to a new photo counts after the values of that change were restored")
    func companionAddedWithValue() async throws {
        let made = try run.importAsset("one")
        let blob = try other.stage("one.dng")
        try change(made, in: other) { request in
            try request.addResource(.alternatePhoto, blob: blob, filename: "one.dng")
            request.isFavorite = true
        }
        try change(made, in: other) { $0.isFavorite = false }
        let report = try await other.undo(entry())
        #expect(report.left.map(\.outcome) == [.changed])
        #expect(try !asset(made).isTrashed)
    }

    @Test("values of a photo with a RAW file that a command set and an undo restored do not count")
    func restoredValueBesideCompanion() async throws {
        let made = try run.importAsset("one")
        let blob = try run.stage("one.dng")
        try change(made, in: run) {
            try $0.addResource(.alternatePhoto, blob: blob, filename: "one.dng")
        }
        var options = PhotoLibrary.Options()
        options.command = "set"
        options.groupsChanges = true
        try rate(made, 5, in: try temporary.reopen(options))
        try await other.undo(other.lastEntry())
        let report = try await other.undo(entry())
        #expect(report.left.isEmpty)
        #expect(try asset(made).isTrashed)
    }

    @Test("a new photo keeps the values that later changes of the same command set")
    func ownValues() async throws {
        let made = try run.importAsset("one")
        try change(made, in: run) { request in
            request.rating = 4
            request.title = "Title"
            try request.addKeyword("beach")
        }
        let report = try await other.undo(entry())
        #expect(report.rows.map(\.properties) == [["creation"]])
        let found = try asset(made)
        #expect(found.isTrashed && found.rating == 4 && found.title == "Title")
        #expect(try other.keywords(ofAsset: made.id) == ["beach"])
    }

    @Test("a new folder to which another program moved an album is left, and gets the album back")
    func filled() async throws {
        let album = try other.makeAlbum("Album")
        let folder = try run.makeFolder("Folder")
        try other.performChangesAndWait {
            try CollectionListChangeRequest(for: folder).addChildCollections([album])
        }
        try run.performChangesAndWait {
            try CollectionListChangeRequest(for: folder).removeChildCollections([album])
        }
        let report = try await other.undo(entry())
        #expect(report.left.map(\.identifier) == [folder.localIdentifier])
        #expect(try other.titles() == ["Folder"])
        #expect(try other.titles(in: folder) == ["Album"])
    }

    @Test("a deleted album comes back without a photo that another program took from it before")
    func emptied() async throws {
        let made = try other.importAsset("one")
        let album = try other.makeAlbum("Album")
        try run.change(album) { try $0.addAssets([made]) }
        try other.change(album) { try $0.removeAssets([made]) }
        try run.performChangesAndWait {
            try AssetCollectionChangeRequest.deleteAssetCollections([album])
        }
        #expect(try await other.undo(entry()).left == [])
        #expect(try other.titles() == ["Album"])
        #expect(try other.members(of: other.album(album.id)) == [])
    }

    @Test("a value that another program set between two changes of a command is restored")
    func between() async throws {
        let assets = try (0..<2).map { try other.importAsset("\($0)") }
        for asset in assets { try rate(asset, 1, in: run) }
        try rate(assets[0], 4, in: other)
        for asset in assets { try rate(asset, 5, in: run) }
        let report = try await other.undo(entry())
        #expect(report.left == [])
        #expect(try assets.map { try asset($0).rating } == [4, nil])
    }

    @Test("a picture that was rendered for another state of the photo is not used")
    func otherState() async throws {
        let made = try other.importAsset("one")
        func edit(_ recipe: String, in library: PhotoLibrary) throws {
            try library.edit(made.id, recipe: recipe, render: "render of \(recipe)")
        }
        try edit("a", in: other)
        try edit("b", in: run)
        try edit("c", in: run)
        let planned = try other.plannedUndo(of: entry()).states
        #expect(planned.map(\.position) == [1])
        // The command continues after an edit of another program, to whose state the undo returns.
        try edit("d", in: other)
        try edit("e", in: run)
        #expect(try other.plannedUndo(of: entry()).states.map(\.position) == [4])
        #expect(try other.prune().renditionCount == 4)
        let state = try #require(planned.first)
        let rendered = try other.render("render of a, again", width: 7, height: 5)
        let error = await #expect(throws: LibraryError.self) {
            try await other.undo(entry(), rendered: [state: rendered])
        }
        #expect(error?.code == .renditionMissing && error?.assetIdentifier == made.id)
        #expect(try other.history(ofAsset: made.id).position == 5)
    }
}
