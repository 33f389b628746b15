// SPDX-License-Identifier: Apache-2.0

import GRDB

extension AssetCollection {
    /// Fetches the collections of a type that match the options. By default, albums come in
    /// creation order, smart albums in listing order, and moments with the newest last. Transient
    /// collections are never found.
    ///
    /// - Parameter subtype: The only subtype to fetch, or `any`.
    /// - Throws: `LibraryError` with `invalidRequest` if the predicate is too large. The other
    ///   fetches throw the same error.
    public static func fetchAssetCollections(
        with type: AssetCollectionType, subtype: AssetCollectionSubtype = .any,
        in library: PhotoLibrary, options: CollectionFetchOptions = CollectionFetchOptions()
    ) throws -> FetchResult<AssetCollection> {
        let isAny = subtype == .any
        switch type {
        case .album where isAny || subtype == .albumRegular:
            return FetchResult(try CollectionQuery(albums: "1", [], options), in: library, options)
        case .smartAlbum:
            let albums = smartAlbums.filter { isAny || $0.subtype == subtype }
            return FetchResult(try options.selected(albums))
        case .moment where isAny:
            return FetchResult(try options.selected(fetchMoments(in: library).elements()))
        case .album, .moment, .transient: return FetchResult(try options.selected([]))
        }
    }

    /// Fetches the albums, smart albums and moments with these identifiers that match the options.
    /// Unknown identifiers are skipped. By default, albums come first, in creation order.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchAssetCollections(
        withLocalIdentifiers identifiers: [String], in library: PhotoLibrary,
        options: CollectionFetchOptions = CollectionFetchOptions()
    ) throws -> FetchResult<AssetCollection> {
        func albums(_ options: CollectionFetchOptions) throws -> FetchResult<AssetCollection> {
            let query = try CollectionQuery(
                albums: "uuid IN (SELECT value FROM json_each(?))",
                [PreselectedAssets(identifiers: identifiers).json.databaseValue], options)
            return FetchResult(query, in: library, options)
        }
        let wanted = Set(identifiers)
        let others =
            smartAlbums.filter { wanted.contains($0.id) }
            + (try wanted.sorted().compactMap { try moment(withLocalIdentifier: $0, in: library) })
        if others.isEmpty { return try albums(options) }
        return FetchResult(
            try options.selected(albums(CollectionFetchOptions()).elements() + others))
    }

    /// Fetches the collections of a type that contain an asset and match the options.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchAssetCollectionsContaining(
        _ asset: Asset, with type: AssetCollectionType, in library: PhotoLibrary,
        options: CollectionFetchOptions = CollectionFetchOptions()
    ) throws -> FetchResult<AssetCollection> {
        switch type {
        case .album:
            let query = try CollectionQuery(
                albums: """
                    id IN (SELECT album_id FROM album_member JOIN asset ON asset.id = asset_id
                        WHERE asset.uuid = ? AND +trashed_date IS NULL)
                    """, [asset.localIdentifier.databaseValue], options)
            return FetchResult(query, in: library, options)
        case .smartAlbum:
            return FetchResult(
                try options.selected(smartAlbums.filter { try $0.has(asset, in: library) }))
        case .moment:
            let moment = try moment(containing: asset, in: library)
            return FetchResult(try options.selected(moment.map { [$0] } ?? []))
        case .transient: return FetchResult(try options.selected([]))
        }
    }

    /// Whether a smart album contains an asset.
    private func has(_ asset: Asset, in library: PhotoLibrary) throws -> Bool {
        var options = FetchOptions.everything
        options.predicate = .text(.localIdentifier, .equal(asset.localIdentifier))
        options.includeHiddenAssets = subtype == .smartAlbumAllHidden
        return try !Asset.fetchAssets(in: self, library: library, options: options)
            .elements().isEmpty
    }

    /// Creates a collection that is not stored in the library. Duplicate assets are ignored.
    public static func transientAssetCollection(
        with assets: [any AssetReference], title: String
    ) -> AssetCollection {
        AssetCollection(transient: assets.map(\.localIdentifier), title: title)
    }

    /// Creates a collection from a fetch result. It is not stored in the library.
    ///
    /// - Throws: `LibraryError` if the library cannot be read.
    public static func transientAssetCollection(
        with assets: FetchResult<Asset>, title: String
    ) throws -> AssetCollection {
        AssetCollection(transient: try assets.localIdentifiers(), title: title)
    }
}
