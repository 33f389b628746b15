// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Library

/// Predicates and sort orders, compared with plain Swift.
@Suite("predicates")
struct PredicateTests {
    @Test("F-12 1,000 random predicates match a plain filter")
    func randomPredicates() throws {
        let seed = TestSeed.seed()
        let generated = try GeneratedLibrary(300, seed: seed, hasAlbums: true)
        try generated.trashSome()
        let plain = PlainPredicate(generated)
        let all = try generated.assets()
        var random = SeededGenerator(seed: seed &+ 1)
        var sizes: Set<Int> = []
        for _ in 0..<1000 {
            let predicate = AssetPredicate.random(depth: 3, using: &random)
            var options = FetchOptions.everything
            options.includeTrashedAssets = true
            options.predicate = predicate
            options.sortDescriptors = []
            let expected = all.filter { plain.isMet(predicate, by: $0) }.map(\.id)
            let found = try Asset.fetchAssets(in: generated.library, options: options)
                .localIdentifiers()
            try #require(found == expected, "seed \(seed): \(predicate)")
            #expect(
                try Asset.count(in: generated.library, options: options) == expected.count)
            sizes.insert(expected.count)
        }
        // The predicates must not all match everything or nothing.
        #expect(sizes.count > 50)
    }

    @Test("F-12 every single condition matches a plain filter")
    func randomConditions() throws {
        let seed = TestSeed.seed()
        let generated = try GeneratedLibrary(200, seed: seed, hasAlbums: true)
        try generated.trashSome()
        let plain = PlainPredicate(generated)
        let all = try generated.assets()
        var random = SeededGenerator(seed: seed &+ 2)
        for _ in 0..<1000 {
            let predicate = AssetPredicate.random(depth: 0, using: &random)
            for predicate in [predicate, .not(predicate)] {
                var options = FetchOptions.everything
                options.includeTrashedAssets = true
                options.predicate = predicate
                options.sortDescriptors = []
                let expected = all.filter { plain.isMet(predicate, by: $0) }.map(\.id)
                let found = try Asset.fetchAssets(in: generated.library, options: options)
                    .localIdentifiers()
                try #require(found == expected, "seed \(seed): \(predicate)")
            }
        }
    }

    @Test("F-12 every order matches a plain stable sort, forwards and backwards")
    func randomOrders() throws {
        let seed = TestSeed.seed()
        let generated = try GeneratedLibrary(300, seed: seed)
        try generated.trashSome()
        let all = try generated.assets()
        let keys = AssetSortDescriptor.Key.allCases
        for first in keys {
            for second in keys {
                for (isAscending, secondIsAscending) in [
                    (true, true), (true, false), (false, true), (false, false),
                ] {
                    let descriptors = [
                        AssetSortDescriptor(first, isAscending: isAscending),
                        AssetSortDescriptor(second, isAscending: secondIsAscending),
                    ]
                    var options = FetchOptions.everything
                    options.includeTrashedAssets = true
                    options.sortDescriptors = descriptors
                    let found = try Asset.fetchAssets(in: generated.library, options: options)
                        .localIdentifiers()
                    let expected = PlainOrder.sorted(all, by: descriptors).map(\.id)
                    #expect(found == expected, "seed \(seed): \(descriptors)")
                }
            }
        }
    }

    @Test(
        "F-12 sorting by creation date puts assets without one last, or first in reverse"
    )
    func creationDate() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        func day(_ number: Double) -> CaptureDate {
            CaptureDate(date: Date(timeIntervalSince1970: number * 86400), offset: nil)
        }
        let ids = try [3.0, 1, 2].map { try library.importAsset("\($0)", date: day($0)).id }
        let undated = try library.importAsset("none").id
        var options = FetchOptions()
        #expect(
            try Asset.fetchAssets(in: library, options: options).localIdentifiers()
                == [ids[1], ids[2], ids[0], undated])
        options.sortDescriptors = [AssetSortDescriptor(.creationDate, isAscending: false)]
        #expect(
            try Asset.fetchAssets(in: library, options: options).localIdentifiers()
                == [undated, ids[0], ids[2], ids[1]])
        options.fetchLimit = 2
        #expect(
            try Asset.fetchAssets(in: library, options: options).localIdentifiers()
                == [undated, ids[0]])
        #expect(try Asset.count(in: library, options: options) == 2)
    }

    @Test("F-12 values are arguments, never part of the SQL")
    func injection() throws {
        let generated = try GeneratedLibrary(20, seed: 1)
        let titles = ["' OR 1 --", "\"; DROP TABLE asset; --", "%", "\\", "é\u{1F600}"]
        for (index, title) in titles.enumerated() {
            try generated.execute("UPDATE asset SET title = ? WHERE id = ?", [title, index + 1])
        }
        let plain = PlainPredicate(generated)
        let all = try generated.assets()
        for text in titles + ["\u{0}"] {
            for test: AssetPredicate.TextTest in [
                .equal(text), .oneOf([text]), .beginsWith(text), .contains(text),
            ] {
                for key in AssetPredicate.TextKey.allCases {
                    var options = FetchOptions.everything
                    options.includeTrashedAssets = true
                    options.predicate = .text(key, test)
                    options.sortDescriptors = []
                    let found = try Asset.fetchAssets(in: generated.library, options: options)
                        .localIdentifiers()
                    let expected = all.filter { plain.isMet(.text(key, test), by: $0) }.map(\.id)
                    #expect(found == expected, "\(key): \(test)")
                    // At least one asset has the text as its title or as a part of it.
                    if key == .title, titles.contains(text) { #expect(!found.isEmpty) }
                }
            }
            let options = FetchOptions.everything
            #expect(
                try Asset.fetchAssets(
                    withBurstIdentifier: text, in: generated.library, options: options
                ).isEmpty)
        }
        #expect(try generated.assets().count == 20)
    }

    @Test("out-of-range values match nothing, and an oversized predicate is rejected")
    func extremes() throws {
        let generated = try GeneratedLibrary(20, seed: 2)
        let library = generated.library
        func count(_ predicate: AssetPredicate) throws -> Int {
            var options = FetchOptions.everything
            options.includeTrashedAssets = true
            options.predicate = predicate
            return try Asset.fetchAssets(in: library, options: options).localIdentifiers().count
        }
        #expect(try count(.duration(.equal(.nan))) == 0)
        #expect(try count(.not(.duration(.atLeast(.nan)))) == 20)
        #expect(try count(.duration(.atMost(.infinity))) == 20)
        #expect(try count(.date(.added, .atLeast(.distantFuture))) == 0)
        #expect(try count(.date(.added, .atLeast(Date(timeIntervalSince1970: -.infinity)))) == 20)
        #expect(try count(.and([])) == 20)
        #expect(try count(.or([])) == 0)
        let place = try #require(Location(latitude: 1, longitude: 1))
        #expect(try count(.near(place, metres: .nan)) == 0)
        #expect(try count(.near(place, metres: -1)) == 0)
        #expect(try count(.or(Array(repeating: .isFavorite, count: 4900))) <= 20)
        let many = (0..<100_000).map { "burst \($0)" }
        #expect(try count(.text(.burstIdentifier, .oneOf(many))) <= 20)

        let wide = try libraryError {
            _ = try count(.or(Array(repeating: .isFavorite, count: 5001)))
        }
        #expect(wide.code == .invalidRequest)
        let deep = try libraryError {
            _ = try count((0..<1000).reduce(.isFavorite) { part, _ in .not(part) })
        }
        #expect(deep.code == .invalidRequest)
        #expect(try count((0..<40).reduce(.and([])) { part, _ in .not(part) }) == 20)
        for (south, north, west) in [(-91.0, 0.0, 0.0), (1, 0, 0), (0, 1, 181), (.nan, 0, 0)] {
            #expect(GeographicArea(south: south, west: west, north: north, east: 0) == nil)
        }
    }
}

/// Sort orders in plain Swift.
private enum PlainOrder {
    /// Sorts assets that are in the order in which they were added.
    static func sorted(_ assets: [Asset], by descriptors: [AssetSortDescriptor]) -> [Asset] {
        let isAscending = descriptors.first?.isAscending ?? true
        return assets.enumerated().sorted { first, second in
            for descriptor in descriptors {
                for key in keys(descriptor.key) {
                    let (one, two) = (key(first.element), key(second.element))
                    if one != two { return (one < two) == descriptor.isAscending }
                }
            }
            return (first.offset < second.offset) == isAscending
        }.map(\.element)
    }

    private static func keys(_ key: AssetSortDescriptor.Key) -> [(Asset) -> Double] {
        switch key {
        case .creationDate:
            [
                { PlainPredicate.clock(of: $0)?.timeIntervalSince1970 ?? .infinity },
                { $0.fileDate?.timeIntervalSince1970 ?? .infinity },
            ]
        case .mediaType: [{ Double($0.mediaType.rawValue) }]
        case .addedDate: [{ $0.addedDate.timeIntervalSince1970 }]
        case .modificationDate: [{ $0.modificationDate.timeIntervalSince1970 }]
        case .trashedDate: [{ $0.trashedDate?.timeIntervalSince1970 ?? .infinity }]
        case .originalFilename: [{ rank($0.originalFilename) }]
        case .pixelWidth: [{ Double($0.pixelWidth) }]
        case .pixelHeight: [{ Double($0.pixelHeight) }]
        case .duration: [{ $0.duration }]
        case .isFavorite: [{ $0.isFavorite ? 1 : 0 }]
        case .rating: [{ $0.rating.map(Double.init) ?? -0.5 }]
        }
    }

    /// The rank of a generated name in sort order.
    private static func rank(_ name: String) -> Double {
        let names = ["50%_a.tif", "ete\u{301}.png", "IMG_1.JPG", "img_2.jpg", "x'y", "Été.png"]
        return Double(names.firstIndex { Array($0.utf8) == Array(name.utf8) } ?? -1)
    }
}
