// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library
import TestSupport
import Testing

/// Changes of albums of which a program shows only some assets.
@Suite("shown assets")
struct ShownAssetTests {
    private let temporary: TemporaryLibrary
    private let library: PhotoLibrary

    init() throws {
        temporary = try TemporaryLibrary()
        library = temporary.library
    }

    private func visible(_ album: AssetCollection) throws -> [String] {
        try Asset.fetchAssets(in: album, library: library).localIdentifiers()
    }

    /// Makes assets, hiding every third.
    private func makeAssets(_ count: Int) throws -> [Asset] {
        let assets = try (0..<count).map { try library.importAsset("\($0)") }
        try library.performChanges {
            for index in stride(from: 0, to: count, by: 3) {
                try AssetChangeRequest(for: assets[index]).isHidden = true
            }
        }
        return assets
    }

    @Test("indexes count the shown assets and skip the others in the album")
    func indexes() throws {
        let assets = try makeAssets(9)
        let album = try library.makeAlbum("Album", Array(assets.prefix(6)))
        let shown = try Asset.fetchAssets(in: album, library: library)
        // 0 and 3 are hidden.
        #expect(try shown.localIdentifiers() == [1, 2, 4, 5].map { assets[$0].id })
        try library.performChanges {
            let request = try AssetCollectionChangeRequest(for: album, assets: shown)
            try request.removeAssets(at: [2])
            try request.moveAssets(at: [2], to: 0)
            try request.insertAssets([assets[7], assets[8]], at: [1, 4])
            try request.replaceAssets(at: [0, 2], with: [assets[1], assets[5]])
        }
        // [1,2,5], [5,1,2], [5,7,1,2,8], [1,7,5,2,8]
        #expect(try visible(album) == [1, 7, 5, 2, 8].map { assets[$0].id })
        let all = try library.members(of: album)
        #expect(all.count == 7 && all.contains(assets[0].id) && all.contains(assets[3].id))
    }

    @Test("random changes by shown index match a plain array")
    func random() throws {
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        let assets = try makeAssets(30)
        let seen = assets.indices.filter { $0 % 3 != 0 }.map { assets[$0] }
        let album = try library.makeAlbum("Album", Array(assets.prefix(15)))
        for step in 0..<150 {
            let shown = try Asset.fetchAssets(in: album, library: library)
            var list = try shown.localIdentifiers()
            try library.performChanges {
                let request = try AssetCollectionChangeRequest(for: album, assets: shown)
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    try change(&list, by: request, seen, &random)
                }
            }
            try #require(visible(album) == list, "seed \(seed), step \(step)")
            #expect(try library.members(of: album).count == list.count + 5)
        }
    }

    /// Makes the same random change to an array and to an album.
    private func change(
        _ list: inout [String], by request: AssetCollectionChangeRequest, _ assets: [Asset],
        _ random: inout SeededGenerator
    ) throws {
        let places = list.indices.shuffled(using: &random)
            .prefix(Int.random(in: 0...3, using: &random))
        let others = assets.filter { !list.contains($0.id) }.shuffled(using: &random)
        switch Int.random(in: 0...5, using: &random) {
        case 0:
            try request.removeAssets(at: Array(places))
            for place in places.sorted(by: >) { list.remove(at: place) }
        case 1:
            let moved = places.sorted().map { list[$0] }
            var rest = list.filter { !moved.contains($0) }
            let place = Int.random(in: 0...rest.count, using: &random)
            try request.moveAssets(at: Array(places), to: place)
            rest.insert(contentsOf: moved, at: place)
            list = rest
        case 2:
            guard let new = others.first else { return }
            let place = Int.random(in: 0...list.count, using: &random)
            try request.insertAssets([new], at: [place])
            list.insert(new.id, at: place)
        case 3:
            let new = others.prefix(places.count)
            let some = places.prefix(new.count)
            try request.replaceAssets(at: Array(some), with: Array(new))
            for (place, asset) in zip(some, new) { list[place] = asset.id }
        case 4:
            // The same assets in another order.
            let before = places.map { place in assets.first { $0.id == list[place] } }
            let after = before.compactMap(\.self).shuffled(using: &random)
            try request.replaceAssets(at: Array(places), with: after)
            for (place, asset) in zip(places, after) { list[place] = asset.id }
        default:
            let new = others.prefix(2)
            try request.addAssets(Array(new))
            list += new.map(\.id)
        }
    }

    @Test("indexes out of range and assets no longer in the album are rejected")
    func refused() throws {
        let assets = try (0..<4).map { try library.importAsset("\($0)") }
        let album = try library.makeAlbum("Album", Array(assets.prefix(3)))
        let shown = try Asset.fetchAssets(in: album, library: library)
        try shown.load()
        let wrong: [(AssetCollectionChangeRequest) throws -> Void] = [
            { try $0.removeAssets(at: [3]) }, { try $0.removeAssets(at: [-1]) },
            { try $0.moveAssets(at: [0], to: 3) }, { try $0.moveAssets(at: [.max], to: 0) },
            { try $0.insertAssets([assets[3]], at: [4]) },
            { try $0.insertAssets([assets[3]], at: []) },
            { try $0.replaceAssets(at: [0], with: [assets[1]]) },
            { try $0.replaceAssets(at: [0, 0], with: [assets[3], assets[3]]) },
        ]
        for (index, body) in wrong.enumerated() {
            let error = try libraryError {
                try library.performChanges {
                    try body(AssetCollectionChangeRequest(for: album, assets: shown))
                }
            }
            #expect(error.code == .invalidRequest, "\(index)")
        }
        try library.change(album) { try $0.removeAssets([assets[0]]) }
        let error = try libraryError {
            try library.performChanges {
                try AssetCollectionChangeRequest(for: album, assets: shown)
                    .moveAssets(at: [2], to: 1)
            }
        }
        #expect(error.code == .invalidRequest)
        #expect(try visible(album) == [assets[1].id, assets[2].id])
    }
}
