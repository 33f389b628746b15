// SPDX-License-Identifier: Apache-2.0

extension Asset {
    /// Fetches the assets of a collection that the options ask for: of an album and a transient
    /// collection in its own order, of others in the usual one, unless the options have another.
    ///
    /// Hidden assets are members of albums like others, and are given with
    /// ``FetchOptions/includeHiddenAssets``. The smart album of hidden assets has nothing else; a
    /// moment never has them. Of a collection that has been deleted, nothing is found.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchAssets(
        in collection: AssetCollection, library: PhotoLibrary,
        options: FetchOptions = FetchOptions()
    ) throws -> FetchResult<Asset> {
        let query = try collection.query(options)
        return FetchResult(
            FetchedObjects(
                query, in: library, isIncremental: options.wantsIncrementalChangeDetails))
    }

    /// Fetches the asset that stands for a collection: of an album the cover, where one was chosen
    /// and the options let it through, else the first; of a moment the first; of a smart album
    /// the one that was taken last.
    ///
    /// - Returns: the asset, or an empty result where there is none; nil for a transient
    ///   collection.
    /// - Throws: `LibraryError`.
    public static func fetchKeyAssets(
        in collection: AssetCollection, library: PhotoLibrary,
        options: FetchOptions = FetchOptions()
    ) throws -> FetchResult<Asset>? {
        var options = options
        options.fetchLimit = 1
        switch collection.type {
        case .transient: return nil
        case .album:
            return try fetchCover(of: collection, library, options)
                ?? fetchAssets(in: collection, library: library, options: options)
        case .moment: return try fetchAssets(in: collection, library: library, options: options)
        case .smartAlbum:
            options.sortDescriptors = [AssetSortDescriptor(.creationDate, isAscending: false)]
            let newest = try fetchAssets(
                in: collection, library: library,
                options: options.narrowed(by: .not(.date(.creation, .missing))))
            try newest.load()
            if !newest.isEmpty { return newest }
            return try fetchAssets(in: collection, library: library, options: options)
        }
    }

    /// The cover as it is now; nil where there is none that the options let through.
    private static func fetchCover(
        of collection: AssetCollection, _ library: PhotoLibrary, _ options: FetchOptions
    ) throws -> FetchResult<Asset>? {
        let now = try AssetCollection.fetchAssetCollections(
            withLocalIdentifiers: [collection.localIdentifier], in: library)
        guard let cover = try now.object(at: 0)?.keyAssetLocalIdentifier else { return nil }
        let assets = try fetchAssets(
            in: collection, library: library,
            options: options.narrowed(by: .text(.localIdentifier, .equal(cover))))
        try assets.load()
        return assets.isEmpty ? nil : assets
    }
}

extension FetchOptions {
    /// The same for what meets one more condition.
    fileprivate func narrowed(by condition: AssetPredicate) -> FetchOptions {
        var options = self
        options.predicate = .and([condition] + (predicate.map { [$0] } ?? []))
        return options
    }
}

extension AssetCollection {
    /// The fetch of its assets.
    fileprivate func query(_ options: FetchOptions) throws -> AssetQuery {
        var options = options
        switch members {
        case .album(let row): return try AssetQuery(options, album: row)
        case .identifiers(let identifiers):
            return try AssetQuery(options, given: GivenAssets(identifiers: identifiers))
        case .rows(let rows):
            options.includeHiddenAssets = false
            options.sortDescriptors =
                options.sortDescriptors ?? [AssetSortDescriptor(.creationDate)]
            return try AssetQuery(options, given: GivenAssets(rows: rows))
        case .smart:
            guard let album = SmartAlbum.all.first(where: { $0.subtype == subtype }) else {
                return try AssetQuery(options, given: GivenAssets(rows: []))
            }
            if album.isOfHidden { options.includeHiddenAssets = true }
            options.sortDescriptors = options.sortDescriptors ?? album.order
            return try AssetQuery(options, restriction: album.condition())
        }
    }
}
