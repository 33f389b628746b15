// SPDX-License-Identifier: Apache-2.0

extension Asset {
    /// Fetches the assets of a collection that match the options. Albums and transient collections
    /// have their own order, which descriptors in the options override. Other collections have the
    /// default order.
    ///
    /// Albums may contain hidden assets, which ``FetchOptions/includeHiddenAssets`` includes. The
    /// smart album of hidden assets contains nothing else; a moment never contains any. Only the
    /// smart album of recently deleted assets contains those in the trash, unless the options
    /// include them. A deleted collection has no assets.
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

    /// Fetches the key asset of a collection. For an album, this is the chosen cover if the options
    /// include it, otherwise the first asset. For a moment, it is the first asset; for a smart
    /// album, the one captured last.
    ///
    /// - Returns: The asset, or an empty result if there is none; nil for a transient collection.
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

    /// Returns the current cover, or nil if there is none that the options include.
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
    /// Returns the same options with one more condition.
    fileprivate func narrowed(by condition: AssetPredicate) -> FetchOptions {
        var options = self
        options.predicate = .and([condition] + (predicate.map { [$0] } ?? []))
        return options
    }
}

extension AssetCollection {
    /// Returns the query for the assets of the collection.
    fileprivate func query(_ options: FetchOptions) throws -> AssetQuery {
        var options = options
        switch members {
        case .album(let row): return try AssetQuery(options, album: row)
        case .identifiers(let identifiers):
            return try AssetQuery(options, given: PreselectedAssets(identifiers: identifiers))
        case .rows(let rows):
            options.includeHiddenAssets = false
            options.sortDescriptors =
                options.sortDescriptors ?? [AssetSortDescriptor(.creationDate)]
            return try AssetQuery(options, given: PreselectedAssets(rows: rows))
        case .smart:
            guard let album = SmartAlbum.all.first(where: { $0.subtype == subtype }) else {
                return try AssetQuery(options, given: PreselectedAssets(rows: []))
            }
            if album.isOfHidden { options.includeHiddenAssets = true }
            if album.isOfTrashed {
                options.includeEverything()
                options.includeTrashedAssets = true
            }
            options.sortDescriptors = options.sortDescriptors ?? album.order
            return try AssetQuery(options, restriction: album.condition())
        }
    }
}
