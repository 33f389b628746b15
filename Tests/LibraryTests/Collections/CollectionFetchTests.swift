// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Fetches of collections with conditions, orders and limits, compared with plain Swift.
@Suite("collection fetches")
struct CollectionFetchTests {
    private let temporary: TemporaryLibrary
    private let library: PhotoLibrary

    init() throws {
        temporary = try TemporaryLibrary()
        library = temporary.library
    }

    private func options(
        _ predicate: CollectionPredicate? = nil, by keys: CollectionSortDescriptor.Key...,
        ascending: Bool = true, limit: Int = 0
    ) -> CollectionFetchOptions {
        var options = CollectionFetchOptions()
        options.predicate = predicate
        if !keys.isEmpty {
            options.sortDescriptors = keys.map {
                CollectionSortDescriptor($0, isAscending: ascending)
            }
        }
        options.fetchLimit = limit
        return options
    }

    private func albums(_ options: CollectionFetchOptions) throws -> [String] {
        try AssetCollection.fetchAssetCollections(with: .album, in: library, options: options)
            .map(\.title)
    }

    /// Makes albums with zero, one, two and two assets.
    private func makeAlbums() throws {
        let assets = try ["1", "2"].map { try library.importAsset($0) }
        try library.makeAlbum("beach", assets)
        try library.makeAlbum("Alps", [])
        try library.makeAlbum("Étretat", Array(assets.prefix(1)))
        try library.makeAlbum("alps", assets)
    }

    @Test(
        "albums sort by title and count, with ties in creation order"
    )
    func orders() throws {
        try makeAlbums()
        #expect(try albums(options()) == ["beach", "Alps", "Étretat", "alps"])
        #expect(
            try albums(options(by: .localizedTitle)) == ["Alps", "alps", "beach", "Étretat"])
        #expect(
            try albums(options(by: .localizedTitle, ascending: false))
                == ["Étretat", "beach", "alps", "Alps"])
        #expect(
            try albums(options(by: .estimatedAssetCount)) == ["Alps", "Étretat", "beach", "alps"])
        #expect(
            try albums(options(by: .estimatedAssetCount, ascending: false))
                == ["alps", "beach", "Étretat", "Alps"])
        #expect(
            try albums(options(by: .estimatedAssetCount, .localizedTitle))
                == ["Alps", "Étretat", "alps", "beach"])
        // Albums have no dates, so they are all equal.
        #expect(try albums(options(by: .startDate)) == ["beach", "Alps", "Étretat", "alps"])
        #expect(
            try albums(options(by: .endDate, ascending: false))
                == ["alps", "Étretat", "Alps", "beach"])
    }

    @Test("albums are found by title, identifier and count, up to a limit")
    func conditions() throws {
        try makeAlbums()
        #expect(try albums(options(.text(.localizedTitle, .equal("alps")))) == ["alps"])
        #expect(
            try albums(options(.text(.localizedTitle, .beginsWith("AL")))) == ["Alps", "alps"])
        #expect(try albums(options(.text(.localizedTitle, .contains("TRE")))) == ["Étretat"])
        #expect(
            try albums(options(.text(.localizedTitle, .oneOf(["beach", "Alps"]))))
                == ["beach", "Alps"])
        #expect(try albums(options(.text(.localizedTitle, .missing))) == [])
        let first = try AssetCollection.fetchAssetCollections(with: .album, in: library)[0]
        #expect(
            try albums(options(.text(.localIdentifier, .equal(first.localIdentifier))))
                == ["beach"])
        #expect(
            try albums(options(.estimatedAssetCount(.greaterThan(0))))
                == ["beach", "Étretat", "alps"])
        #expect(try albums(options(.estimatedAssetCount(.missing))) == [])
        #expect(try albums(options(.date(.startDate, .missing))).count == 4)
        #expect(try albums(options(.date(.endDate, .atMost(.distantFuture)))) == [])
        #expect(
            try albums(
                options(
                    .and([
                        .not(.text(.localizedTitle, .equal("beach"))),
                        .or([.estimatedAssetCount(.equal(0)), .estimatedAssetCount(.equal(2))]),
                    ]), by: .estimatedAssetCount, ascending: false)) == ["alps", "Alps"])
        #expect(try albums(options(by: .localizedTitle, limit: 2)) == ["Alps", "alps"])
        #expect(try albums(options(limit: 9)).count == 4)
    }

    @Test("folders and their contents take the same options")
    func folders() throws {
        let outer = try library.makeFolder("outer")
        let inner = try library.makeFolder("Inner", in: outer)
        let asset = try library.importAsset("1")
        let album = try library.makeAlbum("zebra", [asset], in: outer)
        try library.makeAlbum("Ant", in: outer)
        let byTitle = options(by: .localizedTitle)
        #expect(
            try CollectionList.fetchCollections(in: outer, library: library, options: byTitle)
                .map(\.title) == ["Ant", "Inner", "zebra"])
        #expect(
            try CollectionList.fetchCollections(in: outer, library: library).map(\.title)
                == ["Inner", "zebra", "Ant"])
        // A folder has no asset count and comes last.
        #expect(
            try CollectionList.fetchCollections(
                in: outer, library: library, options: options(by: .estimatedAssetCount)
            ).map(\.title) == ["Ant", "zebra", "Inner"])
        #expect(
            try CollectionList.fetchCollections(
                in: outer, library: library, options: options(.estimatedAssetCount(.missing))
            ).map(\.title) == ["Inner"])
        #expect(
            try CollectionList.fetchCollectionLists(
                with: .folder, subtype: .regularFolder, in: library, options: byTitle
            ).map(\.title) == ["Inner", "outer"])
        #expect(
            try CollectionList.fetchTopLevelUserCollections(
                in: library, options: options(.text(.localizedTitle, .beginsWith("x")))
            ).isEmpty)
        for collection: any CollectionReference in [album, inner] {
            #expect(
                try CollectionList.fetchCollectionListsContaining(collection, in: library)
                    .map(\.title) == ["outer"])
        }
        #expect(
            try CollectionList.fetchCollectionListsContaining(outer, in: library).isEmpty)
        #expect(
            try AssetCollection.fetchAssetCollectionsContaining(
                asset, with: .album, in: library,
                options: options(.text(.localizedTitle, .equal("other")))
            ).isEmpty)
        #expect(outer.collectionListType.rawValue == 2)
        #expect(outer.collectionListSubtype.rawValue == 100)
    }

    @Test("smart albums and moments are filtered and sorted like albums")
    func given() throws {
        func day(_ number: Double, _ name: String) throws {
            let date = Date(timeIntervalSince1970: 86_400 * number)
            try library.importAsset(name, date: CaptureDate(date: date, offset: nil))
        }
        try day(0.25, "1")
        try day(0.5, "2")
        try day(31, "3")
        try day(62, "4")
        func moments(_ options: CollectionFetchOptions) throws -> [String] {
            try AssetCollection.fetchAssetCollections(
                with: .moment, in: library, options: options
            ).map(\.title)
        }
        let days = ["1970-01-01", "1970-02-01", "1970-03-04"]
        #expect(try moments(options()) == days)
        #expect(try moments(options(by: .endDate, ascending: false)) == days.reversed())
        #expect(
            try moments(options(by: .estimatedAssetCount)) == [days[1], days[2], days[0]])
        // Alphabetical order: "1 February", "1 January", "4 March".
        #expect(
            try moments(options(by: .localizedTitle)) == [days[1], days[0], days[2]])
        let end = Date(timeIntervalSince1970: 86_400 * 0.5)
        #expect(try moments(options(.date(.endDate, .equal(end)))) == [days[0]])
        #expect(try moments(options(.date(.startDate, .greaterThan(end)), limit: 1)) == [days[1]])
        #expect(try moments(options(.estimatedAssetCount(.between(2, 3)))) == [days[0]])

        let smart = try AssetCollection.fetchAssetCollections(
            with: .smartAlbum, in: library,
            options: options(.text(.localizedTitle, .contains("s")), by: .localizedTitle))
        let titles = smart.map(\.title)
        #expect(titles == titles.sorted() && titles.contains("Selfies") && titles.count > 3)
        #expect(
            try AssetCollection.fetchAssetCollections(
                with: .smartAlbum, in: library, options: options(.estimatedAssetCount(.atLeast(0)))
            ).isEmpty)
    }

    @Test("identifiers of albums and smart albums are fetched together in one order")
    func mixed() throws {
        try makeAlbums()
        let all = try AssetCollection.fetchAssetCollections(with: .album, in: library)
            .localIdentifiers()
        let found = try AssetCollection.fetchAssetCollections(
            withLocalIdentifiers: all + ["smart-album/all", "nothing"], in: library,
            options: options(
                .not(.text(.localizedTitle, .contains("é"))), by: .localizedTitle, limit: 3))
        #expect(found.map(\.title) == ["All", "Alps", "alps"])
    }

    @Test("random orders and conditions agree with SQLite and plain Swift")
    func agreement() throws {
        var random = SeededGenerator(seed: TestSeed.seed())
        let assets = try (0..<4).map { try library.importAsset("\($0)") }
        for _ in 0..<25 {
            try library.makeAlbum(
                .word(using: &random) + .word(using: &random),
                Array(assets.prefix(Int.random(in: 0...4, using: &random))))
        }
        let all = try AssetCollection.fetchAssetCollections(with: .album, in: library)
            .localIdentifiers()
        for _ in 0..<300 {
            var options = CollectionFetchOptions()
            options.predicate = .random(depth: 2, using: &random)
            options.sortDescriptors = CollectionSortDescriptor.Key.allCases
                .shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)).map {
                    CollectionSortDescriptor($0, isAscending: Bool.random(using: &random))
                }
            options.fetchLimit = Int.random(in: 0...30, using: &random)
            // If the identifiers include a smart album, they are selected and sorted without
            // SQLite.
            let stored = try AssetCollection.fetchAssetCollections(
                withLocalIdentifiers: all, in: library, options: options)
            var unlimited = options
            unlimited.fetchLimit = 0
            let mixed = try AssetCollection.fetchAssetCollections(
                withLocalIdentifiers: all + ["smart-album/all"], in: library, options: unlimited
            ).filter { $0.type == .album }
            let limit = options.fetchLimit == 0 ? all.count : options.fetchLimit
            #expect(
                stored.map(\.id) == mixed.prefix(limit).map(\.id),
                "seed \(TestSeed.seed()): \(options)")
        }
    }

    @Test("an oversized collection predicate is rejected, stored or not")
    func tooLarge() throws {
        let deep = (0..<100).reduce(CollectionPredicate.and([])) { part, _ in .not(part) }
        let wide = CollectionPredicate.or(
            Array(repeating: .estimatedAssetCount(.missing), count: 5001))
        for predicate in [deep, wide] {
            for type in AssetCollectionType.allCases {
                let error = try libraryError {
                    _ = try AssetCollection.fetchAssetCollections(
                        with: type, in: library, options: options(predicate))
                }
                #expect(error.code == .invalidRequest)
            }
        }
    }
}

extension CollectionPredicate {
    /// A random predicate of albums.
    fileprivate static func random(
        depth: Int, using random: inout SeededGenerator
    ) -> CollectionPredicate {
        if depth > 0, Bool.random(using: &random) {
            let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                Self.random(depth: depth - 1, using: &random)
            }
            switch Int.random(in: 0...2, using: &random) {
            case 0: return .and(parts)
            case 1: return .or(parts)
            default: return .not(.and(parts))
            }
        }
        let one = Int.random(in: 0...4, using: &random)
        let two = Int.random(in: 0...4, using: &random)
        let word = String.word(using: &random)
        let numbers: [AssetPredicate.ValueTest<Int>] = [
            .equal(one), .lessThan(one), .atMost(one), .greaterThan(one), .atLeast(one),
            .between(one, two), .oneOf([one, two]), .missing,
        ]
        let texts: [AssetPredicate.TextTest] = [
            .equal(word + .word(using: &random)), .oneOf([word + word, word + "z"]),
            .beginsWith(word), .contains(word), .contains(""), .beginsWith("\u{0}"), .missing,
        ]
        switch Int.random(in: 0...2, using: &random) {
        case 0: return .estimatedAssetCount(numbers.randomElement(using: &random) ?? .missing)
        case 1: return .date(.endDate, Bool.random(using: &random) ? .missing : .equal(.now))
        default: return .text(.localizedTitle, texts.randomElement(using: &random) ?? .missing)
        }
    }
}

extension String {
    /// A random one of some similar texts.
    fileprivate static func word(using random: inout SeededGenerator) -> String {
        ["a", "A", "b", "Ab", "é", "É", "e\u{301}", "%", "_", "ab c", "z"]
            .randomElement(using: &random) ?? "a"
    }
}
