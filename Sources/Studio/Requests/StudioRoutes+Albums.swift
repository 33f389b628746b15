// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import JSONOutput
import Library

extension StudioRoutes {
    private struct NewAlbum: Decodable, Sendable {
        let title: String
        let folder: String?
        let assets: [String]?

        private enum CodingKeys: String, CodingKey, CaseIterable { case title, folder, assets }

        init(from decoder: any Decoder) throws {
            try UnknownKeys.reject(decoder, known: CodingKeys.allCases.map(\.rawValue))
            let values = try decoder.container(keyedBy: CodingKeys.self)
            title = try values.decode(String.self, forKey: .title)
            folder = try values.decodeIfPresent(String.self, forKey: .folder)
            assets = try values.decodeIfPresent([String].self, forKey: .assets)
        }
    }

    private struct AlbumChange: Decodable, Sendable {
        let title: String?
        let cover: String?
        let setsCover: Bool
        let add: [String]?
        let remove: [String]?

        private enum CodingKeys: String, CodingKey, CaseIterable { case title, cover, add, remove }

        init(from decoder: any Decoder) throws {
            try UnknownKeys.reject(decoder, known: CodingKeys.allCases.map(\.rawValue))
            let values = try decoder.container(keyedBy: CodingKeys.self)
            title = try values.decodeIfPresent(String.self, forKey: .title)
            cover = try values.decodeIfPresent(String.self, forKey: .cover)
            setsCover = values.contains(.cover)
            add = try values.decodeIfPresent([String].self, forKey: .add)
            remove = try values.decodeIfPresent([String].self, forKey: .remove)
        }
    }

    /// Adds the requests for albums.
    func addAlbums(to router: Router<StudioContext>) {
        router.get("/api/albums") { request, _ -> Response in
            let kind = try Query(request).choice(
                "kind",
                of: ["user": nil, "smart": AssetCollectionType.smartAlbum, "moments": .moment])
            return try .json(["albums": collections(kind ?? nil).map(\.row)])
        }
        router.post("/api/albums") { request, _ -> Response in
            try makeAlbum(await json.decode(NewAlbum.self, from: request))
        }
        router.patch("/api/albums/:album") { request, context -> Response in
            let body = try await json.decode(AlbumChange.self, from: request)
            let album = try library.assetCollection(named: context.parameters.require("album"))
            let change = try AlbumEdit(body, in: library)
            try await library.performChanges { try change.apply(to: album) }
            return try .json(library.collection(withLocalIdentifier: album.id).row)
        }
        router.delete("/api/albums/:album") { _, context -> Response in
            let album = try library.assetCollection(named: context.parameters.require("album"))
            try await library.performChanges {
                try AssetCollectionChangeRequest.deleteAssetCollections([album])
            }
            return .noContent
        }
    }

    private func makeAlbum(_ body: NewAlbum) throws -> Response {
        let folder = try body.folder.map { try library.collectionList(named: $0) }
        let assets = try (body.assets ?? []).map { try library.asset(withLocalIdentifier: $0) }
        var made: String?
        try library.performChanges {
            let request = try AssetCollectionChangeRequest(
                creatingWithTitle: body.title, in: folder)
            if !assets.isEmpty { try request.addAssets(assets) }
            made = request.placeholderForCreatedAssetCollection?.localIdentifier
        }
        let row = try library.collection(withLocalIdentifier: made ?? "").row
        return try .json(row, status: .created)
    }

    /// The assets of a change to an album, found before the transaction.
    private struct AlbumEdit: Sendable {
        let change: AlbumChange
        let cover: Asset?
        let added: [Asset]
        let removed: [Asset]

        init(_ change: AlbumChange, in library: PhotoLibrary) throws {
            self.change = change
            cover = try change.cover.map { try library.asset(withLocalIdentifier: $0) }
            added = try (change.add ?? []).map { try library.asset(withLocalIdentifier: $0) }
            removed = try (change.remove ?? []).map { try library.asset(withLocalIdentifier: $0) }
        }

        func apply(to album: AssetCollection) throws {
            let request = try AssetCollectionChangeRequest(for: album)
            if let title = change.title { request.title = title }
            if !removed.isEmpty { try request.removeAssets(removed) }
            if !added.isEmpty { try request.addAssets(added) }
            if change.setsCover { try request.setKeyAsset(cover) }
        }
    }

    /// Returns the albums and folders in their order, each folder before its contents; or all smart albums or moments.
    private func collections(_ type: AssetCollectionType?) throws -> [PhotoCollection] {
        if let type {
            return try AssetCollection.fetchAssetCollections(with: type, in: library).elements()
                .map { .assetCollection($0) }
        }
        var found: [PhotoCollection] = []
        // Folders can be nested arbitrarily deep, so there is no recursion.
        var waiting = Array(
            try CollectionList.fetchTopLevelUserCollections(in: library).elements().reversed())
        while let next = waiting.popLast() {
            found.append(next)
            guard case .collectionList(let folder) = next else { continue }
            waiting += try CollectionList.fetchCollections(in: folder, library: library).elements()
                .reversed()
        }
        return found
    }
}
