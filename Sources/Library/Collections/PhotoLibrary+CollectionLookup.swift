// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

extension PhotoLibrary {
    /// Returns the album, folder or smart album with this identifier.
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

    /// Returns the albums, folders and smart albums that a name can refer to. An identifier takes
    /// precedence over a title, and a title over an identifier prefix, which ignores case. Titles
    /// are compared regardless of Unicode normalisation. An exact match in case takes precedence
    /// over matches that ignore case. Titles of smart albums always ignore case, and
    /// `recently-added` is a name of Recently Added.
    ///
    /// - Throws: `LibraryError`.
    package func collections(named name: String) throws -> [PhotoCollection] {
        do {
            return [try collection(withLocalIdentifier: name)]
        } catch let error as LibraryError where error.code == .noSuchCollection {
            // The name may be a title.
        }
        if let moment = try AssetCollection.moment(withLocalIdentifier: name, in: self) {
            return [.assetCollection(moment)]
        }
        let title = name.lowercased()
        let smart = AssetCollection.smartAlbums.filter {
            $0.title.lowercased() == title || $0.smartAlbumName == title
        }
        var found = smart.map(PhotoCollection.assetCollection)
        if !name.utf8.contains(0) {
            let titled = try collections("is_same_name(title, ?)", [name])
            let exact = titled.filter { $0.title == name }
            found += exact.isEmpty ? titled : exact
        }
        guard found.isEmpty, Asset.isIdentifier(title) else { return found }
        // "g" sorts after every character of an identifier.
        return try collections("uuid >= ? AND uuid < ?", [title, title + "g"])
    }

    /// Returns the only album, smart album or moment that a name refers to; see
    /// ``collections(named:)``.
    ///
    /// - Throws: `LibraryError` with `noSuchCollection`, or `ambiguousIdentifier`, which lists the
    ///   candidates.
    package func assetCollection(named name: String) throws -> AssetCollection {
        let found: [AssetCollection] = try collections(named: name).compactMap {
            if case .assetCollection(let collection) = $0 { collection } else { nil }
        }
        return try only(found.map { ($0, $0.title, $0.id) }, "album", name)
    }

    /// Returns the only folder that a name refers to; see ``collections(named:)``.
    ///
    /// - Throws: `LibraryError` with `noSuchCollection`, or `ambiguousIdentifier`, which lists the
    ///   candidates.
    package func collectionList(named name: String) throws -> CollectionList {
        let found: [CollectionList] = try collections(named: name).compactMap {
            if case .collectionList(let list) = $0 { list } else { nil }
        }
        return try only(found.map { ($0, $0.title, $0.id) }, "folder", name)
    }

    /// Returns the only album or folder that a name refers to; see ``collections(named:)``.
    ///
    /// - Throws: `LibraryError` with `noSuchCollection`, or `ambiguousIdentifier`, which lists the
    ///   candidates.
    package func collection(named name: String) throws -> PhotoCollection {
        try only(
            collections(named: name).map { ($0, $0.title, $0.id) }, "album or folder", name)
    }

    private func only<Element>(
        _ found: [(element: Element, title: String, identifier: String)], _ kind: String,
        _ name: String
    ) throws -> Element {
        guard let first = found.first else {
            throw LibraryError(
                .noSuchCollection,
                "there is no \(kind) \(name) in the library"
                    + name.closest(among: try someTitles()).suggestion)
        }
        guard found.count == 1 else {
            let candidates = found.map { "\($0.identifier) (\($0.title))" }
                .joined(separator: ", ")
            throw LibraryError(
                .ambiguousIdentifier,
                "\"\(name)\" is ambiguous; give the identifier of the \(kind): \(candidates)")
        }
        return first.element
    }

    /// Returns titles to suggest in an error message, from at most 1000 collections.
    private func someTitles() throws -> [String] {
        try collections("id IN (SELECT id FROM collection LIMIT 1000)", []).map(\.title)
            + AssetCollection.smartAlbums.map(\.title)
    }

    private func collections(
        _ condition: String, _ arguments: StatementArguments
    ) throws -> [PhotoCollection] {
        try read { database in
            try database.records(
                """
                SELECT \(PhotoCollection.columns) FROM collection
                WHERE \(condition) ORDER BY title, id
                """,
                arguments, PhotoCollection.init(row:))
        }
    }
}

extension PhotoLibrary {
    /// Whether the library has an album or a folder with this identifier.
    func has(_ kind: CollectionKind, _ identifier: String) throws -> Bool {
        try read { database in
            try database.value(
                "SELECT EXISTS (SELECT 1 FROM collection WHERE uuid = ? AND kind = ?)",
                [identifier, kind.rawValue]) ?? false
        }
    }
}
