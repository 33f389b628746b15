// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Library

/// Undos of journal entries that concern albums and folders.
@Suite("undo of entries: albums and folders")
struct JournalCollectionTests {
    private let temporary: TemporaryLibrary
    private let assets: [Asset]
    private var library: PhotoLibrary { temporary.library }

    init() throws {
        temporary = try TemporaryLibrary()
        let library = temporary.library
        assets = try (0..<4).map { try library.importAsset("\($0)") }
    }

    private var ids: [String] { assets.map(\.id) }

    private func undoLast() async throws -> UndoReport {
        try await library.undo(library.lastEntry())
    }

    @Test("a deleted folder comes back with its albums, their photos, order, cover and place")
    func folders() async throws {
        let outer = try library.makeFolder("Outer")
        let inner = try library.makeFolder("Inner", in: outer)
        let album = try library.makeAlbum("Album", [assets[2], assets[0]], in: inner)
        try library.makeAlbum("Last")
        try library.change(album) { try $0.setKeyAsset(assets[0]) }
        try library.performChangesAndWait {
            try CollectionListChangeRequest.deleteCollectionLists([outer])
        }
        #expect(try library.titles() == ["Last"])
        let report = try await undoLast()
        #expect(report.left == [] && Set(report.undone.map(\.name)) == ["Outer", "Inner", "Album"])
        #expect(try library.titles() == ["Outer", "Last"])
        let folder = try #require(
            try CollectionList.fetchCollectionLists(
                withLocalIdentifiers: [inner.localIdentifier], in: library
            ).firstObject)
        #expect(try library.titles(in: folder) == ["Album"])
        let found = try library.album(album.id)
        #expect(try library.members(of: found) == [ids[2], ids[0]])
        #expect(found.keyAssetLocalIdentifier == ids[0])
        #expect(try library.check().severity == .clean)
        // The entry has nothing more to undo.
        let deleted = try #require(try library.journal(limit: 1).first?.undoes)
        #expect(try library.plannedUndo(of: deleted).report.rows == [])
        // The undo is taken back, and that again.
        _ = try await undoLast()
        #expect(try library.titles() == ["Last"])
        _ = try await undoLast()
        #expect(try library.members(of: library.album(album.id)) == [ids[2], ids[0]])
    }

    @Test("photos are put back into an album at their places, and moved ones too")
    func members() async throws {
        let album = try library.makeAlbum("Album", assets)
        try library.change(album) { try $0.removeAssets([assets[1], assets[2]]) }
        _ = try await undoLast()
        #expect(try library.members(of: album) == ids)
        try library.change(album) { try $0.moveAssets([assets[3]], to: .start) }
        #expect(try library.members(of: album) == [ids[3], ids[0], ids[1], ids[2]])
        _ = try await undoLast()
        #expect(try library.members(of: album) == ids)
        try library.change(album) { try $0.removeAssets([assets[0]]) }
        let removed = try library.lastEntry()
        try library.change(album) { try $0.addAssets([assets[0]]) }
        let report = try await library.undo(removed)
        // It is a member again, by another change.
        #expect(report.rows == [])
        #expect(try library.members(of: album) == [ids[1], ids[2], ids[3], ids[0]])
    }

    @Test("titles, folders and covers are restored unless they have changed since")
    func properties() async throws {
        let folder = try library.makeFolder("Folder")
        let album = try library.makeAlbum("Album", assets)
        try library.makeAlbum("Other")
        try library.performChangesAndWait {
            let request = try AssetCollectionChangeRequest(for: album)
            request.title = "Summer"
            try request.setKeyAsset(assets[1])
            try CollectionListChangeRequest(for: folder).addChildCollections([album])
        }
        let entry = try library.lastEntry()
        try library.change(album) { $0.title = "Winter" }
        let report = try await library.undo(entry)
        #expect(report.left.map(\.properties) == [["title"]])
        #expect(report.left.map(\.name) == ["Winter"])
        #expect(Set(report.undone.flatMap(\.properties)) == ["cover", "place"])
        #expect(try library.titles() == ["Folder", "Winter", "Other"])
        #expect(try library.album(album.id).keyAssetLocalIdentifier == nil)
    }

    @Test("a new album is deleted with the photos that the entry put into it, but not with others")
    func created() async throws {
        let album = try library.makeAlbum("Album", [assets[0]])
        let entry = try library.lastEntry()
        try library.change(album) { try $0.addAssets([assets[1]]) }
        #expect(try library.plannedUndo(of: entry).report.left.map(\.name) == ["Album"])
        _ = try await undoLast()
        let report = try await library.undo(entry)
        #expect(report.undone.map(\.properties) == [["creation"]])
        #expect(try library.titles() == [])
        #expect(try Asset.count(in: library) == 4)
        try await library.undo(library.lastEntry())
        #expect(try library.members(of: library.album(album.id)) == [ids[0]])
    }

    @Test("a new album whose cover was chosen since is left")
    func coverSince() async throws {
        let album = try library.makeAlbum("Album", [assets[0]])
        let entry = try library.lastEntry()
        try library.change(album) { try $0.setKeyAsset(assets[0]) }
        #expect(try await library.undo(entry).left.map(\.identifier) == [album.id])
        #expect(try library.titles() == ["Album"])
        _ = try await undoLast()
        #expect(try await library.undo(entry).left == [])
        #expect(try library.titles() == [])
    }

    @Test("a photo that was removed for good is missing from an album that comes back")
    func removedMembers() async throws {
        let album = try library.makeAlbum("Album", assets)
        try library.performChangesAndWait {
            try AssetCollectionChangeRequest.deleteAssetCollections([album])
        }
        let entry = try library.lastEntry()
        try library.performChangesAndWait { try AssetChangeRequest.removeAssets([assets[1]]) }
        let report = try await library.undo(entry)
        #expect(report.left.map(\.outcome) == [.removed])
        #expect(try library.members(of: library.album(album.id)) == [ids[0], ids[2], ids[3]])
    }

    @Test("a folder is not moved back into a folder that is inside it now")
    func cycle() async throws {
        let outer = try library.makeFolder("Outer")
        let inner = try library.makeFolder("Inner", in: outer)
        try library.performChangesAndWait {
            try CollectionListChangeRequest(for: outer).removeChildCollections([inner])
        }
        let entry = try library.lastEntry()
        try library.performChangesAndWait {
            try CollectionListChangeRequest(for: inner).addChildCollections([outer])
        }
        let report = try await library.undo(entry)
        #expect(report.undone == [] && report.left.map(\.outcome) == [.changed])
        #expect(try library.titles(in: inner) == ["Outer"])
    }

    @Test("folders that exchanged their places return to them")
    func exchanged() async throws {
        let outer = try library.makeFolder("Outer")
        let inner = try library.makeFolder("Inner", in: outer)
        try library.performChangesAndWait {
            try CollectionListChangeRequest(for: outer).removeChildCollections([inner])
            try CollectionListChangeRequest(for: inner).addChildCollections([outer])
        }
        let report = try await undoLast()
        #expect(report.left == [])
        #expect(try library.titles() == ["Outer"])
        #expect(try library.titles(in: outer) == ["Inner"])
    }

    @Test("folders return to their places even if the inner one is older")
    func exchangedOlder() async throws {
        let inner = try library.makeFolder("Inner")
        let outer = try library.makeFolder("Outer")
        try library.performChangesAndWait {
            try CollectionListChangeRequest(for: outer).addChildCollections([inner])
        }
        try library.performChangesAndWait {
            try CollectionListChangeRequest(for: outer).removeChildCollections([inner])
            try CollectionListChangeRequest(for: inner).addChildCollections([outer])
        }
        let report = try await undoLast()
        #expect(report.left == [])
        #expect(try library.titles() == ["Outer"])
        #expect(try library.titles(in: outer) == ["Inner"])
    }

    @Test("an album whose folder no longer exists comes back at the top level")
    func lostFolder() async throws {
        let folder = try library.makeFolder("Folder")
        let album = try library.makeAlbum("Album", in: folder)
        try library.performChangesAndWait {
            try AssetCollectionChangeRequest.deleteAssetCollections([album])
        }
        let entry = try library.lastEntry()
        try library.performChangesAndWait {
            try CollectionListChangeRequest.deleteCollectionLists([folder])
        }
        try await library.undo(entry)
        #expect(try library.titles() == ["Album"])
    }
}
