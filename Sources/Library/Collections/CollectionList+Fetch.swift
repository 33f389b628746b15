// SPDX-License-Identifier: Apache-2.0

import GRDB

extension CollectionList {
    /// The kind of list: always a folder.
    public var collectionListType: CollectionListType { .folder }
    /// The specific kind of list: always a regular folder.
    public var collectionListSubtype: CollectionListSubtype { .regularFolder }

    /// Fetches the lists of a type that match the options, as ``fetchCollectionLists(in:options:)``
    /// does.
    ///
    /// - Parameter subtype: The only subtype to fetch, or `any`.
    /// - Throws: `LibraryError`.
    public static func fetchCollectionLists(
        with type: CollectionListType, subtype: CollectionListSubtype = .any,
        in library: PhotoLibrary, options: CollectionFetchOptions = CollectionFetchOptions()
    ) throws -> FetchResult<CollectionList> {
        // All lists are folders made by the user.
        try fetchCollectionLists(in: library, options: options)
    }

    /// Fetches all folders that match the options, by default in creation order.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` if the predicate is too large. The other
    ///   fetches throw the same error.
    public static func fetchCollectionLists(
        in library: PhotoLibrary, options: CollectionFetchOptions = CollectionFetchOptions()
    ) throws -> FetchResult<CollectionList> {
        FetchResult(try CollectionQuery(folders: "1", [], options), in: library, options)
    }

    /// Fetches the folders with these identifiers, by default in creation order. Unknown
    /// identifiers are skipped.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchCollectionLists(
        withLocalIdentifiers identifiers: [String], in library: PhotoLibrary,
        options: CollectionFetchOptions = CollectionFetchOptions()
    ) throws -> FetchResult<CollectionList> {
        let query = try CollectionQuery(
            folders: "uuid IN (SELECT value FROM json_each(?))",
            [PreselectedAssets(identifiers: identifiers).json.databaseValue], options)
        return FetchResult(query, in: library, options)
    }

    /// Fetches the folder that contains an album or a folder. The result is empty for a collection
    /// at the top level.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchCollectionListsContaining(
        _ collection: any CollectionReference, in library: PhotoLibrary,
        options: CollectionFetchOptions = CollectionFetchOptions()
    ) throws -> FetchResult<CollectionList> {
        let query = try CollectionQuery(
            folders: "id IN (SELECT parent_id FROM collection WHERE uuid = ?)",
            [collection.localIdentifier.databaseValue], options)
        return FetchResult(query, in: library, options)
    }

    /// Fetches the albums and folders in a folder, by default in its own order.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchCollections(
        in list: CollectionList, library: PhotoLibrary,
        options: CollectionFetchOptions = CollectionFetchOptions()
    ) throws -> FetchResult<PhotoCollection> {
        FetchResult(try CollectionQuery(in: list.row, options), in: library, options)
    }

    /// Fetches the albums and folders at the top level, by default in their own order.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchTopLevelUserCollections(
        in library: PhotoLibrary, options: CollectionFetchOptions = CollectionFetchOptions()
    ) throws -> FetchResult<PhotoCollection> {
        FetchResult(try CollectionQuery(in: nil, options), in: library, options)
    }
}
