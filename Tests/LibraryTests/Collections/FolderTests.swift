// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Library

@Suite("folders") struct FolderTests {
    let temporary: TemporaryLibrary
    var library: PhotoLibrary { temporary.library }

    init() throws { temporary = try TemporaryLibrary() }

    @Test("albums and folders are ordered inside folders and move between them")
    func moving() throws {
        let outer = try library.makeFolder("Outer")
        let inner = try library.makeFolder("Inner", in: outer)
        let albums = try ["A", "B", "C"].map { try library.makeAlbum($0) }
        #expect(try library.titles() == ["Outer", "A", "B", "C"])
        #expect(inner.parentLocalIdentifier == outer.id)

        try library.performChanges {
            try CollectionListChangeRequest(for: outer)
                .insertChildCollections([albums[2], albums[0]], at: [0, 2])
        }
        #expect(try library.titles(in: outer) == ["C", "Inner", "A"])
        #expect(try library.titles() == ["Outer", "B"])
        let a = albums[0].id
        let c = albums[2].id
        #expect(try library.album(a).parentLocalIdentifier == outer.id)
        #expect(
            try library.lastChange().collections == [
                "updated \(outer.id) content", "updated \(a) metadata", "updated \(c) metadata",
            ])
        try library.performChanges {
            try CollectionListChangeRequest(for: inner).addChildCollections([albums[0]])
        }
        #expect(try library.titles(in: inner) == ["A"])
        #expect(try library.titles(in: outer) == ["C", "Inner"])
        try library.performChanges {
            let request = try CollectionListChangeRequest(for: outer)
            try request.moveChildCollections(at: [1], to: 0)
            request.title = "Renamed"
        }
        #expect(try library.titles(in: outer) == ["Inner", "C"])
        try library.performChanges {
            try CollectionListChangeRequest(for: outer).removeChildCollections(at: [1])
        }
        #expect(try library.titles() == ["Renamed", "B", "C"])
        try library.performChanges {
            let top = try CollectionListChangeRequest.forTopLevelUserCollections()
            try top.addChildCollections([albums[0]])
            try top.moveChildCollections(at: [3, 2], to: 0)
        }
        #expect(try library.titles() == ["C", "A", "Renamed", "B"])
    }

    @Test("a folder cannot contain itself")
    func noCycles() throws {
        let outer = try library.makeFolder("Outer")
        let middle = try library.makeFolder("Middle", in: outer)
        let inner = try library.makeFolder("Inner", in: middle)
        let before = try library.currentChangeToken
        for (folder, into) in [(outer, inner), (outer, outer), (middle, inner)] {
            let error = try libraryError {
                try library.performChanges {
                    try CollectionListChangeRequest(for: into).addChildCollections([folder])
                }
            }
            #expect(error.code == .folderInItself)
            let inserting = try libraryError {
                try library.performChanges {
                    try CollectionListChangeRequest(for: into)
                        .insertChildCollections([folder], at: [0])
                }
            }
            #expect(inserting.code == .folderInItself)
        }
        #expect(try library.currentChangeToken == before)
    }

    @Test("a folder is deleted with its contents; photos stay")
    func deletion() throws {
        let asset = try library.importAsset("a")
        let outer = try library.makeFolder("Outer")
        let inner = try library.makeFolder("Inner", in: outer)
        let album = try library.makeAlbum("A", [asset], in: inner)
        let kept = try library.makeAlbum("B", [asset])
        let before = try library.currentChangeToken
        try library.performChanges {
            try CollectionListChangeRequest.deleteCollectionLists([outer, inner])
        }
        #expect(try library.titles() == ["B"])
        #expect(try library.members(of: kept) == [asset.id])
        #expect(try library.count("album_member") == 1)
        #expect(
            try library.lastChange().collections
                == Set([outer.id, inner.id, album.id].map { "removed \($0) content metadata" }))
        #expect(try library.fetchPersistentChanges(since: before).count == 1)
        #expect(try CollectionList.fetchCollections(in: outer, library: library).isEmpty)
        let error = try libraryError {
            try library.performChanges {
                _ = try AssetCollectionChangeRequest(creatingWithTitle: "x", in: inner)
            }
        }
        #expect(error.code == .noSuchCollection)
        #expect(try library.check().findings.isEmpty)
    }

    @Test("invalid folder requests are rejected, and nothing changes")
    func refused() throws {
        let folder = try library.makeFolder("F")
        let album = try library.makeAlbum("A")
        let before = try library.currentChangeToken
        let top = CollectionListChangeRequest.forTopLevelUserCollections
        let changes: [() throws -> Void] = [
            { try top().title = "x" },
            { try top().removeChildCollections([album]) },
            { try top().removeChildCollections(at: [0]) },
            { try top().moveChildCollections(at: [2], to: 0) },
            { try top().moveChildCollections(at: [0], to: 2) },
            {
                try CollectionListChangeRequest(for: folder).insertChildCollections(
                    [album], at: [1])
            },
            { try CollectionListChangeRequest(for: folder).removeChildCollections(at: [0]) },
            { try CollectionListChangeRequest(for: folder).title = "" },
            { _ = try CollectionListChangeRequest(creatingWithTitle: "") },
        ]
        for change in changes {
            #expect(try libraryError { try library.performChanges(change) }.code == .invalidRequest)
        }
        // An album cannot contain collections.
        let error = try libraryError {
            try library.performChanges {
                _ = try CollectionListChangeRequest(creatingWithTitle: "x", in: album)
            }
        }
        #expect(error.code == .noSuchCollection)
        #expect(try library.currentChangeToken == before)
    }

    @Test("a collection is found by title, identifier or a part of it")
    func names() throws {
        let album = try library.makeAlbum("Summer")
        let first = try library.makeAlbum("Twice")
        let second = try library.makeFolder("Twice")
        func found(_ name: String) throws -> [String] {
            try library.collections(named: name).map(\.localIdentifier)
        }
        #expect(try found("Summer") == [album.id])
        #expect(try found("summer") == [album.id])
        #expect(try Set(found("Twice")) == [first.id, second.id])
        #expect(try found(first.id) == [first.id])
        #expect(try found(String(album.id.prefix(12)).uppercased()) == [album.id])
        #expect(try found("favorites") == ["smart-album/favorites"])
        #expect(try found("Recently Added") == ["smart-album/recently-added"])
        #expect(try found("smart-album/all") == ["smart-album/all"])
        #expect(try found("") == [])
        #expect(try found("a\0b") == [])
        // A title takes precedence over the prefix of another's identifier.
        let beginning = String(album.id.prefix(1))
        #expect(try found(beginning).contains(album.id))
        let short = try library.makeFolder(beginning)
        #expect(try found(beginning) == [short.id])
    }
}
