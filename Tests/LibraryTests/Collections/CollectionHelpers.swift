// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

@testable import Library

extension PhotoLibrary {
    /// Makes an album with the given assets.
    @discardableResult
    func makeAlbum(
        _ title: String, _ assets: [any AssetReference] = [],
        in folder: (any CollectionReference)? = nil
    ) throws -> AssetCollection {
        var made: CollectionPlaceholder?
        try performChanges {
            let request = try AssetCollectionChangeRequest(creatingWithTitle: title, in: folder)
            try request.addAssets(assets)
            made = request.placeholderForCreatedAssetCollection
        }
        return try album(made?.localIdentifier ?? "")
    }

    func makeFolder(
        _ title: String, in folder: (any CollectionReference)? = nil
    ) throws -> CollectionList {
        var made: CollectionPlaceholder?
        try performChanges {
            made = try CollectionListChangeRequest(creatingWithTitle: title, in: folder)
                .placeholderForCreatedCollectionList
        }
        return try CollectionList.fetchCollectionLists(
            withLocalIdentifiers: [made?.localIdentifier ?? ""], in: self)[0]
    }

    /// The current album with an identifier.
    func album(_ identifier: String) throws -> AssetCollection {
        guard case .assetCollection(let album) = try collection(withLocalIdentifier: identifier)
        else { throw LibraryError(.noSuchCollection, "it is a folder") }
        return album
    }

    @discardableResult
    func change(
        _ album: AssetCollection, _ body: (AssetCollectionChangeRequest) throws -> Void
    ) throws -> ChangeToken {
        try performChanges { try body(AssetCollectionChangeRequest(for: album)) }
    }

    /// The identifiers of all assets of an album, including hidden ones, in album order.
    func members(of album: AssetCollection) throws -> [String] {
        try Asset.fetchAssets(in: album, library: self, options: .everything).localIdentifiers()
    }

    /// The titles of a folder's contents, or of the top level.
    func titles(in folder: CollectionList? = nil) throws -> [String] {
        let found = try folder.map { try CollectionList.fetchCollections(in: $0, library: self) }
        return try (found ?? CollectionList.fetchTopLevelUserCollections(in: self)).map(\.title)
    }

    /// The collection items of the last change as text, and the identifiers of its changed members.
    func lastChange() throws -> (collections: Set<String>, members: Set<String>) {
        try read { database in
            let items = try Row.fetchAll(
                database,
                sql: """
                    SELECT kind, object_uuid, is_content, is_metadata FROM change_item
                    WHERE token = (SELECT max(token) FROM change) AND object_type = 'collection'
                    """)
            let members = try String.fetchAll(
                database,
                sql: """
                    SELECT asset.uuid FROM change_member JOIN asset ON asset.id = asset_id
                    WHERE token = (SELECT max(token) FROM change)
                    """)
            let words = items.map { row in
                let marks = [(row[2], "content"), (row[3], "metadata")].filter(\.0).map(\.1)
                return ([row[0], row[1]] + marks).joined(separator: " ")
            }
            return (Set(words), Set(members))
        }
    }
}
