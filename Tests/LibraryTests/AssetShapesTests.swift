// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Testing

@testable import Library

@Suite("shapes and content keys")
struct AssetShapesTests {
    private let temporary: TemporaryLibrary
    private var library: PhotoLibrary { temporary.library }

    init() throws { temporary = try TemporaryLibrary() }

    @Test("shapes have the aspect ratios, days and flags of all positions")
    func shapes() throws {
        let day = CalendarDay(year: 2024, month: 5, day: 31)
        let noon = try #require(day).daysSinceEpoch
        let wide = try library.importAsset(
            "wide", width: 60, height: 30,
            date: CaptureDate(dayOf: .init(timeIntervalSince1970: Double(noon) * 86400 + 43200)))
        let tall = try library.importAsset("tall", width: 10, height: 40)
        try library.performChanges {
            let request = try AssetChangeRequest(for: tall)
            request.isFavorite = true
            request.rating = 4
        }
        let result = try Asset.fetchAssets(in: library)
        let shapes = try result.shapes()
        #expect(shapes.count == 2)
        let places = try [wide, tall].map {
            try #require(try result.index(ofIdentifier: $0.localIdentifier))
        }
        #expect(places.map { shapes.aspects[$0] } == [8192, 1024])
        #expect(places.map { shapes.days[$0] } == [Int32(noon), AssetShapes.unknownDay])
        #expect(shapes.flags[places[0]] == [])
        #expect(shapes.flags[places[1]].rawValue == 2 | 4 << 8)
        #expect(shapes.flags[places[1]].stars == 4)
        let tallOnly = try result.shapes(at: places[1]..<places[1] + 1)
        #expect(tallOnly.aspects == [1024] && tallOnly.flags == [shapes.flags[places[1]]])
        #expect(try result.shapes(at: 2..<2).count == 0)
    }

    @Test("hidden and rejected assets have their own flags, and no other ones")
    func marks() throws {
        let asset = try library.importAsset("a")
        try library.performChanges {
            let request = try AssetChangeRequest(for: asset)
            request.isHidden = true
            request.rating = -1
        }
        #expect(try Asset.fetchAssets(in: library).shapes().count == 0)
        let hidden = try Asset.fetchAssets(in: library, options: .everything).shapes()
        #expect(hidden.flags == [[.hidden, .rejected]])
        #expect(hidden.flags.map(\.stars) == [0])
    }

    @Test("a day before 1970 is negative, also with an offset from UTC")
    func earlyDays() throws {
        let date = CaptureDate(date: .init(timeIntervalSince1970: -3600), offset: -7200)
        try library.importAsset("early", date: date)
        #expect(try Asset.fetchAssets(in: library).shapes().days == [-1])
    }

    @Test("shapes of a few of many assets are looked up, with the same result")
    func few() throws {
        for number in 1...20 { try library.importAsset("\(number)", width: number, height: 1) }
        var options = FetchOptions()
        options.predicate = .size(.pixelWidth, .oneOf([3, 7]))
        let few = try Asset.fetchAssets(in: library, options: options)
        let all = try Asset.fetchAssets(in: library)
        #expect(try Set(few.shapes().aspects) == [3 * 4096, 7 * 4096])
        #expect(try all.shapes().aspects.count == 20)
    }

    @Test("a deleted asset keeps its position, without a shape and a key")
    func deleted() throws {
        let (first, second) = (try library.importAsset("a"), try library.importAsset("b"))
        let result = try Asset.fetchAssets(in: library)
        try result.load()
        try library.performChanges { try AssetChangeRequest.removeAssets([first]) }
        let place = try #require(try result.index(ofIdentifier: first.localIdentifier))
        #expect(try result.shapes().aspects[place] == AssetShapes.aspectUnit)
        let keys = try result.contentKeys(at: 0..<2)
        #expect(keys[place] == nil && keys[1 - place] != nil)
        #expect(throws: LibraryError.self) {
            try library.contentKey(ofAsset: first.localIdentifier)
        }
        #expect(try library.contentKey(ofAsset: second.localIdentifier) == keys[1 - place])
    }

    @Test("a content key depends on the extensions only if a picture is not stored")
    func keysOfMissingRenditions() throws {
        let asset = try library.importAsset("a")
        func key(_ extensions: String) throws -> ContentKey {
            try library.contentKey(ofAsset: asset.localIdentifier, extensions: extensions)
        }
        #expect(try key("1") == key("2"))
        for name in ["a", "b"] {
            try library.edit(asset.localIdentifier, recipe: name, render: "after \(name)")
        }
        #expect(try key("1") == key("2"))
        #expect(try library.prune().renditionCount == 1)
        #expect(try key("1") != key("2"))
        let result = try Asset.fetchAssets(in: library)
        #expect(try result.contentKeys(at: 0..<1, extensions: "1") == [key("1")])
    }

    @Test("a content key depends on the content and the seed, not on metadata")
    func keys() throws {
        let asset = try library.importAsset("a")
        let key = try library.contentKey(ofAsset: asset.localIdentifier)
        try library.performChanges { try AssetChangeRequest(for: asset).isFavorite = true }
        #expect(try library.contentKey(ofAsset: asset.localIdentifier) == key)
        #expect(try library.contentKey(ofAsset: asset.localIdentifier, seed: "2") != key)
        let other = try library.importAsset("b")
        #expect(try library.contentKey(ofAsset: other.localIdentifier) != key)
        #expect(ContentKey(key.description) == key)
        for text in ["", "0", key.description.uppercased() + "x", key.description + "0"] {
            #expect(ContentKey(text) == nil)
        }
    }
}
