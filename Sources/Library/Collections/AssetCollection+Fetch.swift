// SPDX-License-Identifier: Apache-2.0

import GRDB

extension AssetCollection {
    /// Fetches the collections of a type: albums in the order in which they were made, smart
    /// albums, or moments, the newest last. Of transient ones the library knows none.
    ///
    /// - Parameter subtype: only of this subtype, unless it is `any`.
    /// - Throws: `LibraryError`.
    public static func fetchAssetCollections(
        with type: AssetCollectionType, subtype: AssetCollectionSubtype = .any,
        in library: PhotoLibrary
    ) throws -> FetchResult<AssetCollection> {
        let isAny = subtype == .any
        switch type {
        case .album where isAny || subtype == .albumRegular:
            return FetchResult(FetchedObjects(CollectionQuery(albums: "1"), in: library))
        case .smartAlbum:
            return FetchResult(smartAlbums.filter { isAny || $0.subtype == subtype })
        case .moment where isAny: return try fetchMoments(in: library)
        case .album, .moment, .transient: return FetchResult([])
        }
    }

    /// Fetches the albums, smart albums and moments of these identifiers; unknown ones are
    /// skipped. Albums come in the order in which they were made, before others.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchAssetCollections(
        withLocalIdentifiers identifiers: [String], in library: PhotoLibrary
    ) throws -> FetchResult<AssetCollection> {
        let query = CollectionQuery(
            albums: "uuid IN (SELECT value FROM json_each(?))",
            [GivenAssets(identifiers: identifiers).json.databaseValue])
        let albums = FetchResult(FetchedObjects(query, in: library))
        let wanted = Set(identifiers)
        let others =
            smartAlbums.filter { wanted.contains($0.id) }
            + (try wanted.sorted().compactMap { try moment(withLocalIdentifier: $0, in: library) })
        return others.isEmpty ? albums : FetchResult(try albums.elements() + others)
    }

    /// Fetches the collections of a type that have an asset in them.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchAssetCollectionsContaining(
        _ asset: Asset, with type: AssetCollectionType, in library: PhotoLibrary
    ) throws -> FetchResult<AssetCollection> {
        switch type {
        case .album:
            let query = CollectionQuery(
                albums: """
                    id IN (SELECT album_id FROM album_member JOIN asset ON asset.id = asset_id
                        WHERE asset.uuid = ?)
                    """, [asset.localIdentifier.databaseValue])
            return FetchResult(FetchedObjects(query, in: library))
        case .smartAlbum:
            var options = FetchOptions.everything
            options.predicate = .text(.localIdentifier, .equal(asset.localIdentifier))
            return FetchResult(
                try smartAlbums.filter { album in
                    options.includeHiddenAssets = album.subtype == .smartAlbumAllHidden
                    let found = try Asset.fetchAssets(in: album, library: library, options: options)
                    return try !found.elements().isEmpty
                })
        case .moment:
            return FetchResult(try moment(containing: asset, in: library).map { [$0] } ?? [])
        case .transient: return FetchResult([])
        }
    }

    /// Makes a collection that only the program knows, of assets each of which counts once.
    public static func transientAssetCollection(
        with assets: [any AssetReference], title: String
    ) -> AssetCollection {
        AssetCollection(transient: assets.map(\.localIdentifier), title: title)
    }

    /// Makes a collection that only the program knows of what a fetch has found.
    ///
    /// - Throws: `LibraryError` where the library cannot be read.
    public static func transientAssetCollection(
        with assets: FetchResult<Asset>, title: String
    ) throws -> AssetCollection {
        AssetCollection(transient: try assets.localIdentifiers(), title: title)
    }
}

extension CollectionList {
    /// Fetches all folders, in the order in which they were made.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchCollectionLists(
        in library: PhotoLibrary
    ) throws -> FetchResult<CollectionList> {
        FetchResult(FetchedObjects(CollectionQuery(folders: "1"), in: library))
    }

    /// Fetches the folders of these identifiers, in the order in which they were made; unknown ones
    /// are skipped.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchCollectionLists(
        withLocalIdentifiers identifiers: [String], in library: PhotoLibrary
    ) throws -> FetchResult<CollectionList> {
        let query = CollectionQuery(
            folders: "uuid IN (SELECT value FROM json_each(?))",
            [GivenAssets(identifiers: identifiers).json.databaseValue])
        return FetchResult(FetchedObjects(query, in: library))
    }

    /// Fetches the albums and folders that lie in a folder, in its order.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchCollections(
        in list: CollectionList, library: PhotoLibrary
    ) throws -> FetchResult<PhotoCollection> {
        FetchResult(FetchedObjects(CollectionQuery(in: list.row), in: library))
    }

    /// Fetches the albums and folders that lie in no folder, in their order.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchTopLevelUserCollections(
        in library: PhotoLibrary
    ) throws -> FetchResult<PhotoCollection> {
        FetchResult(FetchedObjects(CollectionQuery(in: nil), in: library))
    }
}
