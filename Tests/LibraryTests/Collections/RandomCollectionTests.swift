// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Library

/// Random changes of albums and folders, compared with plain arrays.
@Suite("random collection changes") struct RandomCollectionTests {
    @Test(
        "a thousand random changes keep albums equal to plain arrays",
        arguments: [TestSeed.seed(), TestSeed.seed(usually: 2) &+ 1])
    func changes(seed: UInt64) throws {
        var run = try RandomCollections(seed: seed)
        for step in 0..<500 {
            try run.change(Int.random(in: 1...3, using: &run.random))
            try run.compare("seed \(seed), step \(step)")
        }
        let broken = try run.library.read { database in
            try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
        }
        #expect(broken.isEmpty)
    }
}

/// A library and the expected contents of its collections.
struct RandomCollections {
    struct Node: Equatable {
        var title: String
        var isFolder: Bool
        /// Identifiers of assets, or of collections.
        var members: [String] = []
        var cover: String?
    }

    private let generated: GeneratedLibrary
    var library: PhotoLibrary { generated.library }
    var random: SeededGenerator
    /// All collections by identifier. The top level has an empty one.
    private var nodes = ["": Node(title: "", isFolder: true)]
    private var assets: [String]
    private var trashed: Set<String> = []
    /// The assets outside the trash.
    private var shown: [String] { assets.filter { !trashed.contains($0) } }
    private var count = 0

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        generated = try GeneratedLibrary(150, seed: seed)
        assets = try generated.assets().map(\.id)
        // The rows were inserted without allocating numbers.
        try generated.execute("UPDATE library SET next_asset_id = 1000")
    }

    private func sorted(isFolder: Bool) -> [String] {
        nodes.filter { !$0.key.isEmpty && $0.value.isFolder == isFolder }.map(\.key).sorted()
    }

    private mutating func some<Value>(_ values: [Value], _ most: Int = 6) -> [Value] {
        Array(values.shuffled(using: &random).prefix(Int.random(in: 0...most, using: &random)))
    }

    private mutating func one(_ values: [String]) -> String? {
        values.randomElement(using: &random)
    }

    /// Commits a block with this many changes, and applies the same to the arrays.
    mutating func change(_ requests: Int) throws {
        let before = self
        var ran = false
        do {
            try library.performChanges {
                for _ in 0..<requests { try request() }
                ran = true
            }
        } catch let error as LibraryError where ran && error.code == .folderInItself {
            // The library rejects the block as a whole because a folder would contain itself.
            let after = random
            self = before
            random = after
        }
    }

    private mutating func request() throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: try create(isFolder: false)
        case 1: try create(isFolder: true)
        case 2: try delete(isFolder: Int.random(in: 0..<3, using: &random) == 0)
        case 3: try Bool.random(using: &random) ? deleteAsset() : moveToTrash()
        case 4...6: try changeFolder()
        default: try changeAlbum()
        }
    }

    // MARK: - Collections

    private mutating func create(isFolder: Bool) throws {
        count += 1
        let title = "collection \(count)"
        let parent = one(sorted(isFolder: true)) ?? ""
        let folder = parent.isEmpty ? nil : CollectionPlaceholder(localIdentifier: parent)
        let made =
            isFolder
            ? try CollectionListChangeRequest(creatingWithTitle: title, in: folder)
                .placeholderForCreatedCollectionList
            : try AssetCollectionChangeRequest(creatingWithTitle: title, in: folder)
                .placeholderForCreatedAssetCollection
        let identifier = try #require(made).localIdentifier
        nodes[identifier] = Node(title: title, isFolder: isFolder)
        nodes[parent]?.members.append(identifier)
    }

    /// Collections created in the same block cannot be fetched, so only earlier ones are deleted.
    private mutating func delete(isFolder: Bool) throws {
        guard let identifier = one(sorted(isFolder: isFolder)) else { return }
        if isFolder {
            let found = try CollectionList.fetchCollectionLists(
                withLocalIdentifiers: [identifier], in: library)
            guard let list = found.first else { return }
            try CollectionListChangeRequest.deleteCollectionLists([list])
        } else {
            let found = try AssetCollection.fetchAssetCollections(
                withLocalIdentifiers: [identifier], in: library)
            guard let album = found.first else { return }
            try AssetCollectionChangeRequest.deleteAssetCollections([album])
        }
        for key in Array(nodes.keys) { nodes[key]?.members.removeAll { $0 == identifier } }
        forget(identifier)
    }

    private mutating func forget(_ identifier: String) {
        guard let node = nodes.removeValue(forKey: identifier), node.isFolder else { return }
        for child in node.members { forget(child) }
    }

    private mutating func deleteAsset() throws {
        guard assets.count > 60, let identifier = one(assets) else { return }
        try AssetChangeRequest.removeAssets(fetch([identifier]))
        assets.removeAll { $0 == identifier }
        for key in Array(nodes.keys) { take([identifier], from: key) }
    }

    /// Moves some assets to the trash, and restores those that are there.
    private mutating func moveToTrash() throws {
        let chosen = some(assets, 20)
        try AssetChangeRequest.restoreAssets(fetch(chosen.filter(trashed.contains)))
        try AssetChangeRequest.deleteAssets(fetch(chosen.filter { !trashed.contains($0) }))
        trashed.formSymmetricDifference(chosen)
    }

    private func fetch(_ identifiers: [String]) throws -> [Asset] {
        var options = FetchOptions()
        options.includeTrashedAssets = true
        return try Asset.fetchAssets(
            withLocalIdentifiers: identifiers, in: library, options: options
        ).elements()
    }

    private mutating func take(_ members: [String], from key: String) {
        nodes[key]?.members.removeAll { members.contains($0) }
        if let cover = nodes[key]?.cover, members.contains(cover) { nodes[key]?.cover = nil }
    }

    private mutating func changeFolder() throws {
        let key = one([""] + sorted(isFolder: true)) ?? ""
        let request =
            key.isEmpty
            ? try CollectionListChangeRequest.forTopLevelUserCollections()
            : try CollectionListChangeRequest(for: CollectionPlaceholder(localIdentifier: key))
        let here = nodes[key]?.members ?? []
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let indexes = some(Array(here.indices))
            let rest = here.indices.filter { !indexes.contains($0) }
            let place = Int.random(in: 0...rest.count, using: &random)
            try request.moveChildCollections(at: indexes, to: place)
            var order = rest.map { here[$0] }
            order.insert(contentsOf: indexes.sorted().map { here[$0] }, at: place)
            nodes[key]?.members = order
        case 1 where !key.isEmpty:
            let indexes = some(Array(here.indices), 2)
            try request.removeChildCollections(at: indexes)
            for index in indexes.sorted() { move(here[index], to: "") }
        case 2 where !key.isEmpty:
            count += 1
            request.title = "title \(count)"
            nodes[key]?.title = "title \(count)"
        default:
            let children = some(sorted(isFolder: false) + sorted(isFolder: true), 3)
            try request.addChildCollections(
                children.map { CollectionPlaceholder(localIdentifier: $0) })
            for child in children where !here.contains(child) { move(child, to: key) }
        }
    }

    private mutating func move(_ child: String, to key: String) {
        for other in Array(nodes.keys) where nodes[other]?.isFolder == true {
            nodes[other]?.members.removeAll { $0 == child }
        }
        nodes[key]?.members.append(child)
    }

    // MARK: - Albums

    private mutating func changeAlbum() throws {
        guard let key = one(sorted(isFolder: false)) else { return }
        let request = try AssetCollectionChangeRequest(
            for: CollectionPlaceholder(localIdentifier: key))
        let here = (nodes[key]?.members ?? []).filter { !trashed.contains($0) }
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            count += 1
            request.title = "title \(count)"
            nodes[key]?.title = "title \(count)"
        case 1:
            let gone = some(assets, 3)
            try request.removeAssets(references(gone))
            take(gone, from: key)
        case 2:
            let indexes = some(Array(here.indices), 3)
            try request.removeAssets(at: indexes)
            take(indexes.map { here[$0] }, from: key)
        case 3: try replace(key, here, request)
        case 4: try move(key, here, request)
        case 5:
            let cover = one(here)
            try request.setKeyAsset(cover.map { AssetPlaceholder(localIdentifier: $0) })
            nodes[key]?.cover = cover
        case 6: try insert(key, here, request)
        default:
            let added = some(shown, 12)
            try request.addAssets(references(added + added))
            nodes[key]?.members += added.filter { !here.contains($0) }
        }
    }

    private func references(_ identifiers: [String]) -> [any AssetReference] {
        identifiers.map { AssetPlaceholder(localIdentifier: $0) }
    }

    private mutating func insert(
        _ key: String, _ here: [String], _ request: AssetCollectionChangeRequest
    ) throws {
        let chosen = some(shown, 5)
        let new = chosen.filter { !here.contains($0) }
        // The new members get random positions.
        let places = (0..<(here.count + new.count)).shuffled(using: &random).prefix(new.count)
            .sorted()
        try request.insertAssets(references(new), at: places)
        for (asset, place) in zip(new, places) { insert([asset], at: place, in: key) }
    }

    /// Inserts members before the one that has this index among those outside the trash.
    private mutating func insert(_ new: [String], at index: Int, in key: String) {
        let members = nodes[key]?.members ?? []
        let shown = members.indices.filter { !trashed.contains(members[$0]) }
        let place = index < shown.count ? shown[index] : members.count
        nodes[key]?.members.insert(contentsOf: new, at: place)
    }

    private mutating func replace(
        _ key: String, _ here: [String], _ request: AssetCollectionChangeRequest
    ) throws {
        let indexes = some(Array(here.indices), 3)
        let old = indexes.map { here[$0] }
        // Other assets, or the same ones in another order.
        let new =
            Bool.random(using: &random)
            ? old.shuffled(using: &random)
            : Array(shown.filter { !here.contains($0) }.shuffled(using: &random).prefix(old.count))
        guard new.count == old.count else { return }
        try request.replaceAssets(at: indexes, with: references(new))
        let replaced = Dictionary(uniqueKeysWithValues: zip(old, new))
        let members = nodes[key]?.members ?? []
        nodes[key]?.members = members.map { replaced[$0] ?? $0 }
        if let cover = nodes[key]?.cover, old.contains(cover), !new.contains(cover) {
            nodes[key]?.cover = nil
        }
    }

    private mutating func move(
        _ key: String, _ here: [String], _ request: AssetCollectionChangeRequest
    ) throws {
        let indexes = some(Array(here.indices), 4)
        let rest = here.indices.filter { !indexes.contains($0) }.map { here[$0] }
        var place = Int.random(in: 0...rest.count, using: &random)
        var moved = indexes.sorted().map { here[$0] }
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where place < rest.count:
            moved = indexes.map { here[$0] }
            try request.moveAssets(
                references(moved), to: .before(AssetPlaceholder(localIdentifier: rest[place])))
        case 1 where place > 0:
            moved = indexes.map { here[$0] }
            try request.moveAssets(
                references(moved), to: .after(AssetPlaceholder(localIdentifier: rest[place - 1])))
        case 2:
            place = 0
            try request.moveAssets(references(moved), to: .start)
        default: try request.moveAssets(at: indexes, to: place)
        }
        var order = rest
        order.insert(contentsOf: moved, at: place)
        if order == here { return }
        nodes[key]?.members.removeAll { moved.contains($0) }
        insert(moved, at: place, in: key)
    }

    // MARK: - Comparison

    /// Compares the model with the library.
    func compare(_ comment: String) throws {
        var found: [String: Node] = [
            "": Node(
                title: "", isFolder: true,
                members: try CollectionList.fetchTopLevelUserCollections(in: library)
                    .localIdentifiers())
        ]
        for list in try CollectionList.fetchCollectionLists(in: library) {
            found[list.id] = Node(
                title: list.title, isFolder: true,
                members: try CollectionList.fetchCollections(in: list, library: library)
                    .localIdentifiers())
        }
        for album in try AssetCollection.fetchAssetCollections(with: .album, in: library) {
            found[album.id] = Node(
                title: album.title, isFolder: false, members: try library.members(of: album),
                cover: album.keyAssetLocalIdentifier)
        }
        let expected = nodes.mapValues { node in
            var node = node
            node.members.removeAll(where: trashed.contains)
            if let cover = node.cover, trashed.contains(cover) { node.cover = nil }
            return node
        }
        try #require(found == expected, "\(comment)")
    }
}
