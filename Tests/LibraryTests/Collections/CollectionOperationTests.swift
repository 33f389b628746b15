// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import Testing

/// The operations that collections of each kind allow, and their outcome.
@Suite("collection edit operations")
struct CollectionOperationTests {
    private let temporary: TemporaryLibrary
    private let library: PhotoLibrary

    init() throws {
        temporary = try TemporaryLibrary()
        library = temporary.library
    }

    @Test("operations have PhotoKit's raw values")
    func numbers() {
        #expect(CollectionEditOperation.allCases.map(\.rawValue) == Array(1...7))
        #expect(CollectionEditOperation.deleteContent.rawValue == 1)
        #expect(CollectionEditOperation.removeContent.rawValue == 2)
        #expect(CollectionEditOperation.addContent.rawValue == 3)
        #expect(CollectionEditOperation.createContent.rawValue == 4)
        #expect(CollectionEditOperation.rearrangeContent.rawValue == 5)
        #expect(CollectionEditOperation.delete.rawValue == 6)
        #expect(CollectionEditOperation.rename.rawValue == 7)
    }

    private enum Kind: CaseIterable {
        case album, folder, smartAlbum, moment, transient, deletedAlbum, deletedFolder
    }

    /// A collection with two members, unless it is of a deleted kind.
    private func make(_ kind: Kind) throws -> PhotoCollection {
        let date = CaptureDate(date: Date(timeIntervalSince1970: 86_400 * 365), offset: nil)
        let assets = try (0..<2).map { _ in
            try library.importAsset(UUID().uuidString, date: date)
        }
        switch kind {
        case .album, .deletedAlbum:
            let album = try library.makeAlbum("Album", assets)
            if kind == .deletedAlbum {
                try library.performChanges {
                    try AssetCollectionChangeRequest.deleteAssetCollections([album])
                }
            }
            return .assetCollection(album)
        case .folder, .deletedFolder:
            let folder = try library.makeFolder("Folder")
            try library.makeAlbum("1", in: folder)
            try library.makeAlbum("2", in: folder)
            if kind == .deletedFolder {
                try library.performChanges {
                    try CollectionListChangeRequest.deleteCollectionLists([folder])
                }
            }
            return .collectionList(folder)
        case .smartAlbum, .moment:
            return .assetCollection(
                try AssetCollection.fetchAssetCollections(
                    with: kind == .moment ? .moment : .smartAlbum, in: library)[0])
        case .transient:
            return .assetCollection(
                AssetCollection.transientAssetCollection(with: assets, title: "T"))
        }
    }

    /// Performs the operation as a program would.
    private func perform(
        _ operation: CollectionEditOperation, on collection: PhotoCollection,
        in library: PhotoLibrary
    ) throws {
        switch collection {
        case .assetCollection(let album): try perform(operation, on: album, in: library)
        case .collectionList(let folder): try perform(operation, on: folder, in: library)
        }
    }

    private func perform(
        _ operation: CollectionEditOperation, on album: AssetCollection, in library: PhotoLibrary
    ) throws {
        let members = Array(try Asset.fetchAssets(in: album, library: library))
        let other = try self.library.importAsset(UUID().uuidString)
        let file = temporary.folder + "/" + UUID().uuidString
        try Data(file.utf8).write(to: URL(fileURLWithPath: file))
        try library.performChanges {
            switch operation {
            case .deleteContent: try AssetChangeRequest.removeAssets(members)
            case .removeContent:
                try AssetCollectionChangeRequest(for: album).removeAssets(members)
            case .addContent: try AssetCollectionChangeRequest(for: album).addAssets([other])
            case .createContent:
                let request = try AssetCreationRequest(mediaType: .image)
                try request.addResource(.photo, path: file)
                try AssetCollectionChangeRequest(for: album)
                    .addAssets([request.placeholderForCreatedAsset])
            case .rearrangeContent:
                try AssetCollectionChangeRequest(for: album).moveAssets(at: [1], to: 0)
            case .delete: try AssetCollectionChangeRequest.deleteAssetCollections([album])
            case .rename: try AssetCollectionChangeRequest(for: album).title = "New"
            }
        }
    }

    private func perform(
        _ operation: CollectionEditOperation, on folder: CollectionList, in library: PhotoLibrary
    ) throws {
        let other = try self.library.makeAlbum("Other")
        let members = Array(try CollectionList.fetchCollections(in: folder, library: library))
        let albums = members.compactMap {
            if case .assetCollection(let album) = $0 { album } else { nil }
        }
        try library.performChanges {
            switch operation {
            case .deleteContent:
                // The content of a deleted folder is deleted too, so request a change of the folder
                // itself.
                if members.isEmpty { _ = try CollectionListChangeRequest(for: folder) }
                try AssetCollectionChangeRequest.deleteAssetCollections(albums)
            case .removeContent:
                try CollectionListChangeRequest(for: folder).removeChildCollections(members)
            case .addContent:
                try CollectionListChangeRequest(for: folder).addChildCollections([other])
            case .createContent:
                _ = try AssetCollectionChangeRequest(creatingWithTitle: "New", in: folder)
            case .rearrangeContent:
                try CollectionListChangeRequest(for: folder).moveChildCollections(at: [1], to: 0)
            case .delete: try CollectionListChangeRequest.deleteCollectionLists([folder])
            case .rename: try CollectionListChangeRequest(for: folder).title = "New"
            }
        }
    }

    @Test("canPerform predicts the outcome for every kind of collection and operation")
    func prediction() throws {
        for kind in Kind.allCases {
            for operation in CollectionEditOperation.allCases {
                let collection = try make(kind)
                let answer = try collection.canPerform(operation, in: library)
                let isDeleted = kind == .deletedAlbum || kind == .deletedFolder
                let isUsers = kind == .album || kind == .folder
                let expected = isUsers || !isDeleted && operation == .deleteContent
                #expect(answer == expected, "\(kind) \(operation)")
                // A value does not reflect a later deletion.
                #expect(collection.canPerform(operation) == (answer || isDeleted))
                if answer {
                    try perform(operation, on: collection, in: library)
                } else if !(kind == .deletedAlbum && operation == .deleteContent) {
                    // Deleting the content of a deleted album deletes nothing and does not fail.
                    let before = try library.currentChangeToken
                    #expect(throws: LibraryError.self, "\(kind) \(operation)") {
                        try perform(operation, on: collection, in: library)
                    }
                    let items = try library.fetchPersistentChanges(since: before)
                        .flatMap(\.updatedCollections)
                    #expect(!items.contains(collection.localIdentifier))
                }
            }
        }
    }

    @Test("in a read-only library no operation is possible on collections")
    func readOnly() throws {
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        let reading = try temporary.reopen(options)
        for kind in Kind.allCases {
            let collection = try make(kind)
            for operation in CollectionEditOperation.allCases {
                #expect(try !collection.canPerform(operation, in: reading))
                #expect(throws: LibraryError.self) {
                    try perform(operation, on: collection, in: reading)
                }
            }
        }
    }

    @Test("no operation is possible on a collection that was already deleted")
    func remnant() throws {
        let album = try library.makeAlbum("Album")
        let held = try AssetCollection.fetchAssetCollections(with: .album, in: library)
        try held.load()
        try library.performChanges {
            try AssetCollectionChangeRequest.deleteAssetCollections([album])
        }
        #expect(held[0].isRemoved)
        for operation in CollectionEditOperation.allCases {
            #expect(!held[0].canPerform(operation))
            #expect(try !held[0].canPerform(operation, in: library))
        }
    }
}

extension PersistentChange {
    /// The identifiers of the albums and folders that the change updated.
    fileprivate var updatedCollections: [String] {
        changeDetails(for: .collection).updatedLocalIdentifiers.sorted()
    }
}
