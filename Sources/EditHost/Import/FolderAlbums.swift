// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Library
import Synchronization

/// The albums that an import makes from the folders of its files.
///
/// A folder with files becomes an album, and a folder with folders becomes a folder of the library. A folder with both
/// becomes a folder with an album of the same name in it. Names that differ only in the composition of characters are one
/// name, as for filters by albums.
struct FolderAlbums {
    /// A folder of the imported tree.
    private struct Node {
        /// The names of the folders in it, in the order found.
        var names: [String] = []
        /// The folders by name. Strings are equal if they are canonically equivalent.
        var folders: [String: Node] = [:]
        /// The identifiers of the assets whose files are directly in it, in the order found.
        var assets: [String] = []

        mutating func add(_ asset: String, in path: ArraySlice<String>) {
            guard let first = path.first else { return assets.append(asset) }
            let name = FileName(first).text
            if folders[name] == nil { names.append(name) }
            folders[name, default: Node()].add(asset, in: path.dropFirst())
        }
    }

    /// A place in the library: its albums and folders, and the folder that has them.
    private struct Place {
        /// Nil at the top level.
        var folder: (any CollectionReference)?
        var members: [PhotoCollection] = []

        func album(_ title: String) -> AssetCollection? {
            let albums = members.compactMap { member -> AssetCollection? in
                guard case .assetCollection(let album) = member, album.type == .album else {
                    return nil
                }
                return album
            }
            return Self.best(albums, title, \.title)
        }

        func list(_ title: String) -> CollectionList? {
            let lists = members.compactMap { member -> CollectionList? in
                if case .collectionList(let list) = member { list } else { nil }
            }
            return Self.best(lists, title, \.title)
        }

        /// Returns the first element with the bytes of a title; otherwise with an equivalent title.
        private static func best<Element>(
            _ elements: [Element], _ title: String, _ name: (Element) -> String
        ) -> Element? {
            elements.first { FileName(name($0)) == FileName(title) }
                ?? elements.first { FileName(name($0)).text == title }
        }
    }

    /// The titles of folders, if they differ from their names, by their paths.
    private let titles: [FileName: String]
    private var root = Node()

    /// - Parameter titles: The titles to use in place of the names of folders, by the paths of the folders relative to
    ///   the imported folder.
    init(titles: [FileName: String] = [:]) { self.titles = titles }

    /// Adds the asset of an original to the album of its folder, if it has one.
    ///
    /// - Parameter folders: The folders of files, relative to the imported folder.
    mutating func add(_ result: ImportResult, in folders: [FileName: String]) {
        guard let folder = folders[FileName(result.path)], let asset = result.assetIdentifier,
            result.resourceType == .photo || result.resourceType == .video
        else { return }
        var path = ""
        let names = folder.pathComponents.map { name in
            path += path.isEmpty ? name : "/" + name
            return titles[FileName(path)] ?? name
        }
        root.add(asset, in: names[...])
    }

    /// Makes the albums that do not exist yet, and adds the assets to them, in one change.
    ///
    /// Albums and folders with the same names at the same place are used. Assets that have been deleted in the
    /// meantime are skipped.
    ///
    /// - Returns: The number of new albums.
    /// - Throws: `LibraryError`.
    func make(in library: PhotoLibrary) async throws -> Int {
        let count = Mutex(0)
        try await library.performChanges {
            var maker = Maker(library: library)
            let place = Place(
                members: try CollectionList.fetchTopLevelUserCollections(in: library).elements())
            try maker.make(root, in: place)
            count.withLock { $0 = maker.count }
        }
        return count.withLock { $0 }
    }

    /// Makes the requests for the albums of a tree. It is used inside a change block.
    private struct Maker {
        let library: PhotoLibrary
        var count = 0

        mutating func make(_ node: Node, in place: Place) throws {
            for name in node.names {
                guard let folder = node.folders[name] else { continue }
                let inner = try inner(name, of: folder, in: place)
                try add(folder.assets, toAlbum: name, in: place, or: inner)
                if let inner { try make(folder, in: inner) }
            }
        }

        /// Returns the place for what is in a folder; nil if it is only an album.
        private func inner(_ name: String, of folder: Node, in place: Place) throws -> Place? {
            if let list = place.list(name) {
                return Place(
                    folder: list,
                    members: try CollectionList.fetchCollections(in: list, library: library)
                        .elements())
            }
            guard !folder.names.isEmpty else { return nil }
            let request = try CollectionListChangeRequest(
                creatingWithTitle: name, in: place.folder)
            return Place(folder: request.placeholderForCreatedCollectionList)
        }

        /// - Parameter inner: The place that has the same name as the album.
        private mutating func add(
            _ identifiers: [String], toAlbum name: String, in place: Place, or inner: Place?
        ) throws {
            let assets = try assets(identifiers)
            if assets.isEmpty { return }
            let request: AssetCollectionChangeRequest
            if let album = place.album(name) ?? inner?.album(name) {
                request = try AssetCollectionChangeRequest(for: album)
            } else {
                request = try AssetCollectionChangeRequest(
                    creatingWithTitle: name, in: (inner ?? place).folder)
                count += 1
            }
            try request.addAssets(assets)
        }

        /// Returns the assets that exist and are not in the trash, in the order given.
        private func assets(_ identifiers: [String]) throws -> [Asset] {
            let found = try Asset.fetchAssets(
                withLocalIdentifiers: identifiers, in: library
            ).elements()
            let assets = Dictionary(uniqueKeysWithValues: found.map { ($0.localIdentifier, $0) })
            return identifiers.compactMap { assets[$0] }
        }
    }
}
