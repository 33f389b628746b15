// SPDX-License-Identifier: Apache-2.0

import GRDB

/// What a list of collections is. The raw values are those of PhotoKit's `PHCollectionListType`,
/// whose other kinds of lists a library does not have.
public enum CollectionListType: Int, Hashable, Sendable, CaseIterable {
    /// A folder of albums and folders.
    case folder = 2
}

/// What a list of collections is, more closely. The raw values are those of PhotoKit's
/// `PHCollectionListSubtype`.
public enum CollectionListSubtype: Int, Hashable, Sendable, CaseIterable {
    /// A folder that the user made.
    case regularFolder = 100
    /// Any.
    case any = 9_223_372_036_854_775_807
}

extension CollectionList {
    /// What it is.
    public var collectionListType: CollectionListType { .folder }
    /// What it is, more closely.
    public var collectionListSubtype: CollectionListSubtype { .regularFolder }

    /// Fetches the lists of a type that the options ask for, as
    /// ``fetchCollectionLists(in:options:)``.
    ///
    /// - Parameter subtype: only of this subtype, unless it is `any`.
    /// - Throws: `LibraryError`.
    public static func fetchCollectionLists(
        with type: CollectionListType, subtype: CollectionListSubtype = .any,
        in library: PhotoLibrary, options: CollectionFetchOptions = CollectionFetchOptions()
    ) throws -> FetchResult<CollectionList> {
        // All lists are folders that the user made.
        try fetchCollectionLists(in: library, options: options)
    }

    /// Fetches all folders that the options ask for, in the order in which they were made unless the
    /// options have another.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` where the predicate is too large; so do the
    ///   other fetches.
    public static func fetchCollectionLists(
        in library: PhotoLibrary, options: CollectionFetchOptions = CollectionFetchOptions()
    ) throws -> FetchResult<CollectionList> {
        FetchResult(try CollectionQuery(folders: "1", [], options), in: library, options)
    }

    /// Fetches the folders of these identifiers, in the order in which they were made unless the
    /// options have another; unknown ones are skipped.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchCollectionLists(
        withLocalIdentifiers identifiers: [String], in library: PhotoLibrary,
        options: CollectionFetchOptions = CollectionFetchOptions()
    ) throws -> FetchResult<CollectionList> {
        let query = try CollectionQuery(
            folders: "uuid IN (SELECT value FROM json_each(?))",
            [GivenAssets(identifiers: identifiers).json.databaseValue], options)
        return FetchResult(query, in: library, options)
    }

    /// Fetches the folder that an album or a folder lies in: none where that is the top.
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

    /// Fetches the albums and folders that lie in a folder, in its order unless the options have
    /// another.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchCollections(
        in list: CollectionList, library: PhotoLibrary,
        options: CollectionFetchOptions = CollectionFetchOptions()
    ) throws -> FetchResult<PhotoCollection> {
        FetchResult(try CollectionQuery(in: list.row, options), in: library, options)
    }

    /// Fetches the albums and folders that lie in no folder, in their order unless the options have
    /// another.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchTopLevelUserCollections(
        in library: PhotoLibrary, options: CollectionFetchOptions = CollectionFetchOptions()
    ) throws -> FetchResult<PhotoCollection> {
        FetchResult(try CollectionQuery(in: nil, options), in: library, options)
    }
}
