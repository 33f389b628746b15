// SPDX-License-Identifier: Apache-2.0

import GRDB

extension PhotoLibrary {
    /// The album, folder or smart album of this identifier.
    ///
    /// - Throws: `LibraryError` with `noSuchCollection`.
    public func collection(withLocalIdentifier identifier: String) throws -> PhotoCollection {
        if let album = AssetCollection.smartAlbums.first(where: { $0.id == identifier }) {
            return .assetCollection(album)
        }
        guard let found = try collections("uuid = ?", [identifier]).first else {
            throw LibraryError.noSuchCollection(.album, identifier)
        }
        return found
    }

    /// The albums, folders and smart albums that a name can mean: the one of this identifier; else
    /// those whose title this is, exactly, and those whose identifiers begin so, in any case. A
    /// smart album's title is taken in any case, and `recently-added` is the name of Recently
    /// Added.
    ///
    /// - Throws: `LibraryError`.
    public func collections(named name: String) throws -> [PhotoCollection] {
        if let exact = try? collection(withLocalIdentifier: name) { return [exact] }
        let title = name.lowercased()
        let smart = AssetCollection.smartAlbums.filter {
            $0.title.lowercased() == title || $0.smartAlbumName == title
        }
        var found = smart.map(PhotoCollection.assetCollection)
        if !name.utf8.contains(0) { found += try collections("title = ?", [name]) }
        if Asset.isIdentifier(title) {
            // "g" comes after every character that an identifier can have.
            found += try collections(
                "uuid >= ? AND uuid < ? AND title <> ?", [title, title + "g", name])
        }
        return found
    }

    private func collections(
        _ condition: String, _ arguments: StatementArguments
    ) throws -> [PhotoCollection] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT \(PhotoCollection.columns) FROM collection
                    WHERE \(condition) ORDER BY title, id
                    """,
                arguments: arguments
            ).map(PhotoCollection.init(row:))
        }
    }
}
