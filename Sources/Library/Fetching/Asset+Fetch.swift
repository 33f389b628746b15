// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import GRDB
import Glibc

extension Asset {
    /// Fetches all assets of the library that the options ask for. Nothing is read yet, and no
    /// picture ever is.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` where the predicate is too large; so do the
    ///   other fetches.
    public static func fetchAssets(
        in library: PhotoLibrary, options: FetchOptions = FetchOptions()
    ) throws -> FetchResult<Asset> {
        try fetch(in: library, options, nil)
    }

    /// Fetches the assets of one medium.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchAssets(
        with mediaType: MediaType, in library: PhotoLibrary, options: FetchOptions = FetchOptions()
    ) throws -> FetchResult<Asset> {
        try fetch(in: library, options, .mediaType([mediaType]))
    }

    /// Fetches the assets of these identifiers, hidden ones too, from anywhere, and all of a
    /// burst, in the order of the options; unknown identifiers are skipped.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchAssets(
        withLocalIdentifiers identifiers: [String], in library: PhotoLibrary,
        options: FetchOptions = FetchOptions()
    ) throws -> FetchResult<Asset> {
        var options = options
        options.includeEverything()
        return try fetch(in: library, options, .text(.localIdentifier, .oneOf(identifiers)))
    }

    /// Fetches the pictures of one burst: the one that stands for it and those that the user
    /// picked, or all, as the options say.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchAssets(
        withBurstIdentifier identifier: String, in library: PhotoLibrary,
        options: FetchOptions = FetchOptions()
    ) throws -> FetchResult<Asset> {
        try fetch(in: library, options, .text(.burstIdentifier, .equal(identifier)))
    }

    /// Fetches the assets that files are the originals of, as by
    /// ``fetchAssets(withLocalIdentifiers:in:options:)``.
    ///
    /// A file is known by its bytes, whatever its name or place is now, so it is read; one that
    /// is not there, cannot be read or was not imported is skipped. Addresses are also compared
    /// with those of originals that lie outside the library, whether they are there or away.
    ///
    /// - Parameter addresses: paths, `file:` URLs, and other URLs.
    /// - Throws: `LibraryError`.
    public static func fetchAssets(
        withOriginalURLs addresses: [String], in library: PhotoLibrary,
        options: FetchOptions = FetchOptions()
    ) throws -> FetchResult<Asset> {
        let hashes = addresses.compactMap(hashOfFile)
        let identifiers = try library.read { database in
            try addresses.compactMap(addressOfOriginal)
                .flatMap { try ofOriginal("url = :url AND is_primary = 1", ["url": $0], database) }
                + hashes.flatMap {
                    try ofOriginal(AssetResource.isOriginalOfHash, ["hash": $0], database)
                }
        }
        return try fetchAssets(withLocalIdentifiers: identifiers, in: library, options: options)
    }

    /// How many assets a fetch with these options would find now. None of them is read.
    ///
    /// - Throws: `LibraryError`.
    public static func count(
        in library: PhotoLibrary, options: FetchOptions = FetchOptions()
    ) throws -> Int {
        let query = try AssetQuery(options)
        return try library.read { database in
            let statement = try database.cachedStatement(sql: query.count)
            return try statement.value(query.arguments) ?? 0
        }
    }

    /// The identifiers of those of some rows that a fetch with these options would find now, in its order.
    ///
    /// - Throws: `LibraryError`.
    package static func identifiers(
        ofRows rows: [Int64], in library: PhotoLibrary, options: FetchOptions
    ) throws -> [String] {
        if rows.isEmpty { return [] }
        var options = options
        // Else it would be that of the rows.
        options.sortDescriptors =
            options.sortDescriptors ?? [AssetSortDescriptor(.creationDate)]
        let query = try AssetQuery(options, given: GivenAssets(rows: rows))
        return try FetchResult(FetchedObjects(query, in: library, isIncremental: false))
            .localIdentifiers()
    }

    private static func fetch(
        in library: PhotoLibrary, _ options: FetchOptions, _ restriction: AssetPredicate?
    ) throws -> FetchResult<Asset> {
        let query = try AssetQuery(options, restriction: restriction)
        return FetchResult(
            FetchedObjects(
                query, in: library, isIncremental: options.wantsIncrementalChangeDetails))
    }

    private static func ofOriginal(
        _ condition: String, _ arguments: StatementArguments, _ database: Database
    ) throws -> [String] {
        try database.values(
            """
            SELECT uuid FROM asset WHERE id IN (
                SELECT asset_id FROM resource WHERE \(condition))
            """,
            arguments)
    }

    /// An address as references are stored; nil for a path that leads nowhere.
    private static func addressOfOriginal(_ address: String) -> String? {
        if let path = FileAddress.path(ofURL: address) { return FileAddress.url(ofPath: path) }
        if address.contains("://") { return address }
        if address.hasPrefix("/") { return FileAddress.url(ofPath: address) }
        return nil
    }

    /// The hash of a file's bytes; nil where there is no regular file that can be read.
    private static func hashOfFile(_ address: String) -> String? {
        let path = address.hasPrefix("file://") ? URL(string: address)?.path : address
        guard let path, !path.isEmpty else { return nil }
        guard let file = try? OpenFile.regularFile(at: path) else { return nil }
        return (try? FileBytes.hash(of: file))?.hex
    }

    /// Whether these characters can be (a part of) an identifier.
    static func isIdentifier(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == 0x2D
            }
    }
}
