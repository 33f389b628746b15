// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

extension Asset {
    /// Fetches all assets of the library that the options ask for. No picture is read.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchAssets(
        in library: PhotoLibrary, options: FetchOptions = FetchOptions()
    ) throws -> FetchResult<Asset> {
        try fetch(in: library, where: "1", [], options)
    }

    /// Fetches the assets of one medium.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchAssets(
        with mediaType: MediaType, in library: PhotoLibrary, options: FetchOptions = FetchOptions()
    ) throws -> FetchResult<Asset> {
        try fetch(in: library, where: "media_type = ?", [mediaType.rawValue], options)
    }

    /// Fetches the assets of these identifiers, hidden ones too, in the order of the options;
    /// unknown identifiers are skipped.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchAssets(
        withLocalIdentifiers identifiers: [String], in library: PhotoLibrary,
        options: FetchOptions = FetchOptions()
    ) throws -> FetchResult<Asset> {
        var options = options
        options.includeHiddenAssets = true
        let list =
            "["
            + identifiers.filter(isIdentifier).map { "\"\($0)\"" }
            .joined(separator: ",") + "]"
        return try fetch(
            in: library, where: "uuid IN (SELECT value FROM json_each(?))", [list], options)
    }

    /// Fetches the pictures of one burst.
    ///
    /// - Throws: `LibraryError`.
    public static func fetchAssets(
        withBurstIdentifier identifier: String, in library: PhotoLibrary,
        options: FetchOptions = FetchOptions()
    ) throws -> FetchResult<Asset> {
        try fetch(in: library, where: "burst_identifier = ?", [identifier], options)
    }

    private static func fetch(
        in library: PhotoLibrary, where condition: String, _ arguments: StatementArguments,
        _ options: FetchOptions
    ) throws -> FetchResult<Asset> {
        try library.read { database in
            let assets = try Row.fetchAll(
                database,
                sql: "SELECT \(columns) FROM asset WHERE \(options.sql(where: condition))",
                arguments: arguments)
            return FetchResult(assets.map(Asset.init(row:)))
        }
    }

    /// Whether these characters can be (a part of) an identifier.
    static func isIdentifier(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == 0x2D
            }
    }
}
