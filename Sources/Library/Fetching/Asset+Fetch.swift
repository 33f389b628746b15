// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import GRDB
import Glibc

extension Asset {
    /// Fetches all assets of the library that match the options. The fetch is lazy: no row is read
    /// before the result is used. No image file is read.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` if the predicate is too large. The other
    ///   fetches throw the same error.
    public static func fetchAssets(
        in library: PhotoLibrary, options: FetchOptions = FetchOptions()
    ) throws -> FetchResult<Asset> {
        try fetch(in: library, options, nil)
    }

    /// Fetches the assets of one media type that match the options.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` if the predicate is too large.
    public static func fetchAssets(
        with mediaType: MediaType, in library: PhotoLibrary, options: FetchOptions = FetchOptions()
    ) throws -> FetchResult<Asset> {
        try fetch(in: library, options, .mediaType([mediaType]))
    }

    /// Fetches the assets with these identifiers, in the order of the options. Hidden assets, all
    /// source types and all members of a burst are included. Unknown identifiers are skipped, and
    /// so are assets in the trash unless the options include them.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` if the predicate is too large.
    public static func fetchAssets(
        withLocalIdentifiers identifiers: [String], in library: PhotoLibrary,
        options: FetchOptions = FetchOptions()
    ) throws -> FetchResult<Asset> {
        var options = options
        options.includeEverything()
        return try fetch(in: library, options, .text(.localIdentifier, .oneOf(identifiers)))
    }

    /// Fetches the photos of one burst: its representative and the user's picks. With
    /// ``FetchOptions/includeAllBurstAssets``, fetches all of them.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` if the predicate is too large.
    public static func fetchAssets(
        withBurstIdentifier identifier: String, in library: PhotoLibrary,
        options: FetchOptions = FetchOptions()
    ) throws -> FetchResult<Asset> {
        try fetch(in: library, options, .text(.burstIdentifier, .equal(identifier)))
    }

    /// Fetches the assets whose originals are the files at these addresses, as
    /// ``fetchAssets(withLocalIdentifiers:in:options:)`` does.
    ///
    /// A file is identified by the hash of its content, so it is read; its name and location are
    /// ignored. A file that is missing, unreadable or not imported is skipped. Addresses are also
    /// compared with those of referenced originals, which may be offline.
    ///
    /// - Parameter addresses: Paths, `file:` URLs, and other URLs.
    /// - Throws: `LibraryError`; `CancellationError`.
    public static func fetchAssets(
        withOriginalURLs addresses: [String], in library: PhotoLibrary,
        options: FetchOptions = FetchOptions()
    ) throws -> FetchResult<Asset> {
        let hashes = try addresses.compactMap(hashOfFile)
        let identifiers = try library.read { database in
            try addresses.compactMap(addressOfOriginal)
                .flatMap { try ofOriginal("url = :url AND is_primary = 1", ["url": $0], database) }
                + hashes.flatMap {
                    try ofOriginal(AssetResource.isOriginalOfHash, ["hash": $0], database)
                }
        }
        return try fetchAssets(withLocalIdentifiers: identifiers, in: library, options: options)
    }

    /// Returns the number of assets that currently match the options, without reading their rows
    /// into memory.
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

    /// Returns the identifiers of the given rows that currently match the options, in fetch order.
    ///
    /// - Throws: `LibraryError`.
    package static func identifiers(
        ofRows rows: [Int64], in library: PhotoLibrary, options: FetchOptions
    ) throws -> [String] {
        if rows.isEmpty { return [] }
        var options = options
        // Without descriptors, the order would be that of `rows`.
        options.sortDescriptors =
            options.sortDescriptors ?? [AssetSortDescriptor(.creationDate)]
        let query = try AssetQuery(options, given: PreselectedAssets(rows: rows))
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

    /// Returns an address in the form in which references are stored, or nil for a relative path.
    private static func addressOfOriginal(_ address: String) -> String? {
        if let path = FileAddress.path(ofURL: address) { return FileAddress.url(ofPath: path) }
        if address.contains("://") { return address }
        if address.hasPrefix("/") { return FileAddress.url(ofPath: address) }
        return nil
    }

    /// Returns the hash of a file's content, or nil if there is no readable regular file.
    private static func hashOfFile(_ address: String) throws -> String? {
        let path = address.hasPrefix("file://") ? FileAddress.path(ofURL: address) : address
        guard let path, !path.isEmpty else { return nil }
        guard let file = try? OpenFile.regularFile(at: path) else { return nil }
        do {
            return try FileBytes.hash(of: file).hex
        } catch let error as CancellationError {
            throw error
        } catch {
            return nil
        }
    }

    /// Whether the text can be an identifier or a part of one.
    static func isIdentifier(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == 0x2D
            }
    }
}
