// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Predicates and sort orders that programs store as JSON.
@Suite("stored conditions")
struct StoredConditionTests {
    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func asset(_ json: String) throws -> AssetPredicate {
        try JSONDecoder().decode(AssetPredicate.self, from: Data(json.utf8))
    }

    private func collection(_ json: String) throws -> CollectionPredicate {
        try JSONDecoder().decode(CollectionPredicate.self, from: Data(json.utf8))
    }

    /// Programs have stored these values, so they must never change.
    @Test("every condition has its JSON")
    func keys() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000.25)
        let place = try #require(Location(latitude: 1.5, longitude: -2))
        let area = try #require(GeographicArea(south: -1, west: 170, north: 2, east: -170))
        let written: [(AssetPredicate, String)] = [
            (.and([.isFavorite, .isHidden]), #"{"and":[{"isFavorite":true},{"isHidden":true}]}"#),
            (.or([]), #"{"or":[]}"#),
            (.not(.hasAdjustments), #"{"not":{"hasAdjustments":true}}"#),
            (.isInBurst, #"{"isInBurst":true}"#),
            (.representsBurst, #"{"representsBurst":true}"#),
            (.hasRAW, #"{"hasRAW":true}"#), (.hasLocation, #"{"hasLocation":true}"#),
            (.mediaType([.image, .video]), #"{"mediaType":[1,2]}"#),
            (.mediaSubtypes([.photoHDR, .photoLive]), #"{"mediaSubtypes":10}"#),
            (.mediaSubtypeMask(.anyOf(.photoHDR)), #"{"mediaSubtypeMask":{"anyOf":2}}"#),
            (.mediaSubtypeMask(.allOf([])), #"{"mediaSubtypeMask":{"allOf":0}}"#),
            (.burstSelectionMask(.noneOf(.userPick)), #"{"burstSelectionMask":{"noneOf":2}}"#),
            (.burstSelectionMask(.exactly(.autoPick)), #"{"burstSelectionMask":{"exactly":1}}"#),
            (.sourceType(.cloudShared), #"{"sourceType":2}"#),
            (.burstSelectionTypes(.autoPick), #"{"burstSelectionTypes":1}"#),
            (
                .date(.creation, .atLeast(date)),
                #"{"date":{"creation":{"atLeast":1700000000.25}}}"#
            ),
            (.date(.clock, .missing), #"{"date":{"clock":{"missing":true}}}"#),
            (
                .size(.originalPixelWidth, .equal(5)),
                #"{"size":{"originalPixelWidth":{"equal":5}}}"#
            ),
            (.duration(.between(0.5, 2)), #"{"duration":{"between":[0.5,2]}}"#),
            (.exposureTime(.lessThan(0.5)), #"{"exposureTime":{"lessThan":0.5}}"#),
            (.rating(.oneOf([4, 5])), #"{"rating":{"oneOf":[4,5]}}"#),
            (.rating(.atMost(-1)), #"{"rating":{"atMost":-1}}"#),
            (.rating(.greaterThan(2)), #"{"rating":{"greaterThan":2}}"#),
            (.text(.title, .contains("é\"")), #"{"text":{"title":{"contains":"é\""}}}"#),
            (.text(.label, .oneOf(["a"])), #"{"text":{"label":{"oneOf":["a"]}}}"#),
            (.text(.cameraMake, .beginsWith("")), #"{"text":{"cameraMake":{"beginsWith":""}}}"#),
            (.keyword(.equal("x")), #"{"keyword":{"equal":"x"}}"#),
            (.keyword(.missing), #"{"keyword":{"missing":true}}"#),
            (.editedBy("org.example"), #"{"editedBy":"org.example"}"#),
            (.folder("2024/*"), #"{"folder":"2024/*"}"#),
            (.isInAlbum, #"{"isInAlbum":true}"#),
            (.originalFormat([.jpeg, .raw]), #"{"originalFormat":["jpeg","raw"]}"#),
            (
                .originalHash(GeneratedLibrary.hash(7)),
                #"{"originalHash":"\#(String(repeating: "0", count: 63))7"}"#
            ),
            (
                .near(place, metres: 100),
                #"{"near":{"latitude":1.5,"longitude":-2,"metres":100}}"#
            ),
            (.inside(area), #"{"inside":{"east":-170,"north":2,"south":-1,"west":170}}"#),
        ]
        for (predicate, text) in written {
            #expect(try json(predicate) == text)
            #expect(try asset(text) == predicate)
        }
        let collections: [(CollectionPredicate, String)] = [
            (
                .and([.not(.estimatedAssetCount(.equal(0))), .or([])]),
                #"{"and":[{"not":{"estimatedAssetCount":{"equal":0}}},{"or":[]}]}"#
            ),
            (
                .text(.localizedTitle, .beginsWith("S")),
                #"{"text":{"localizedTitle":{"beginsWith":"S"}}}"#
            ),
            (
                .date(.endDate, .lessThan(date)),
                #"{"date":{"endDate":{"lessThan":1700000000.25}}}"#
            ),
        ]
        for (predicate, text) in collections {
            #expect(try json(predicate) == text)
            #expect(try collection(text) == predicate)
        }
    }

    @Test("every order has its JSON, and unknown ones are rejected")
    func orders() throws {
        for key in AssetSortDescriptor.Key.allCases {
            let text = #"{"isAscending":false,"key":"\#(key)"}"#
            let order = AssetSortDescriptor(key, isAscending: false)
            #expect(try json(order) == text)
            #expect(
                try JSONDecoder().decode(AssetSortDescriptor.self, from: Data(text.utf8)) == order)
        }
        for key in CollectionSortDescriptor.Key.allCases {
            let text = #"{"isAscending":true,"key":"\#(key)"}"#
            #expect(try json(CollectionSortDescriptor(key)) == text)
            let read = try JSONDecoder().decode(
                CollectionSortDescriptor.self, from: Data(text.utf8))
            #expect(read == CollectionSortDescriptor(key))
        }
        for text in [#"{"isAscending":true,"key":"shoeSize"}"#, "{}", "[]", "5"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(AssetSortDescriptor.self, from: Data(text.utf8))
            }
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(CollectionSortDescriptor.self, from: Data(text.utf8))
            }
        }
    }

    @Test("random predicates round-trip")
    func roundTrip() throws {
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let predicate = AssetPredicate.random(depth: 4, using: &random)
            let text = try json(predicate)
            #expect(try asset(text) == predicate, "seed \(seed): \(text)")
        }
    }

    /// Text that is not a condition, or not one that any version wrote.
    static let wrong = [
        "", "{", "null", "5", "[]", "{}", #"{"isFavorite":false}"#, #"{"isFavorite":1}"#,
        #"{"isFavorite":true,"isHidden":true}"#, #"{"shoeSize":{"equal":43}}"#, #"{"and":5}"#,
        #"{"and":[5]}"#, #"{"and":[{}]}"#, #"{"not":[]}"#, #"{"not":{}}"#, #"{"mediaType":[9]}"#,
        #"{"mediaType":["image"]}"#, #"{"mediaSubtypes":1e40}"#, #"{"mediaSubtypes":-1.5}"#,
        #"{"mediaSubtypeMask":{"some":1}}"#, #"{"mediaSubtypeMask":{"anyOf":1,"allOf":1}}"#,
        #"{"date":{"birthday":{"equal":0}}}"#, #"{"date":{"creation":{"about":0}}}"#,
        #"{"date":{"creation":{"equal":NaN}}}"#, #"{"date":{"creation":{"equal":"NaN"}}}"#,
        #"{"date":{"creation":{"equal":1e999}}}"#, #"{"date":{}}"#, #"{"size":{"pixelWidth":{}}}"#,
        #"{"size":{"pixelWidth":{"equal":99999999999999999999}}}"#,
        #"{"size":{"pixelWidth":{"equal":0.5}}}"#, #"{"duration":{"between":[1]}}"#,
        #"{"duration":{"between":[1,2,3]}}"#, #"{"duration":{"equal":-1e999}}"#,
        #"{"duration":{"missing":false}}"#, #"{"rating":{"oneOf":[1,null]}}"#,
        #"{"text":{"title":{"matches":".*"}}}"#, #"{"text":{"shoe":{"equal":""}}}"#,
        #"{"near":{"latitude":1,"longitude":2}}"#,
        #"{"near":{"latitude":91,"longitude":2,"metres":1}}"#,
        #"{"near":{"latitude":1,"longitude":2,"metres":1e999}}"#,
        #"{"inside":{"east":0,"north":0,"south":1,"west":0}}"#,
        #"{"near":{"latitude":1,"longitude":2,"metres":1,"miles":1}}"#,
        #"{"isInAlbum":false}"#, #"{"originalFormat":"jpeg"}"#, #"{"originalFormat":["JPG"]}"#,
        #"{"originalFormat":[1]}"#, #"{"originalHash":"abc"}"#, #"{"originalHash":null}"#,
        #"{"folder":1}"#,
        "{\"originalHash\":\"\(String(repeating: "A", count: 64))\"}",
        #"{"inside":{"east":0,"north":0,"south":0}}"#, #"{"editedBy":5}"#,
        #"{"inside":{"east":0,"north":0,"south":0,"west":0,"up":0}}"#,
        String(repeating: #"{"not":"#, count: 10_000),
        String(repeating: #"{"not":"#, count: 10_000) + #"{"isFavorite":true}"#
            + String(repeating: "}", count: 10_000),
        String(repeating: #"{"and":["#, count: 10_000)
            + String(repeating: "]}", count: 10_000),
        String(repeating: #"{"not":"#, count: 41) + #"{"isFavorite":true}"#
            + String(repeating: "}", count: 41),
    ]

    @Test("an invalid condition is a DecodingError", arguments: wrong.indices)
    func refused(index: Int) {
        let text = Self.wrong[index]
        #expect(throws: DecodingError.self, "\(text.prefix(80))") { try asset(text) }
        #expect(throws: DecodingError.self, "\(text.prefix(80))") { try collection(text) }
    }

    @Test("an unknown name is reported with the known ones")
    func message() {
        let error = #expect(throws: DecodingError.self) {
            try asset(#"{"and":[{"date":{"birthday":{"equal":0}}}]}"#)
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(context.debugDescription.contains("birthday"))
        #expect(context.debugDescription.contains("modification"))
        #expect(context.codingPath.map(\.stringValue).first == "and")
    }

    @Test("predicate limits are those of fetches; lists have their own")
    func limits() throws {
        let condition = #"{"isFavorite":true}"#
        func list(_ name: String, _ part: String, _ count: Int) -> String {
            #"{"\#(name)":["# + String(repeating: part + ",", count: count - 1) + part + "]}"
        }
        // The list counts as a condition too.
        #expect(
            try asset(list("or", condition, 4999))
                == .or(Array(repeating: .isFavorite, count: 4999)))
        #expect(throws: DecodingError.self) { try asset(list("or", condition, 5000)) }
        // About 100 MB.
        #expect(throws: DecodingError.self) { try asset(list("and", condition, 5_000_000)) }
        let few = #"{"rating":\#(list("oneOf", "5", 1000))}"#
        let many = #"{"rating":\#(list("oneOf", "5", 1_000_001))}"#
        #expect(throws: Never.self) { try asset(few) }
        #expect(throws: DecodingError.self) { try asset(many) }

        let deep = (0..<41).reduce(AssetPredicate.isFavorite) { part, _ in .not(part) }
        let wide = AssetPredicate.or(Array(repeating: .isFavorite, count: 5000))
        for predicate in [deep, wide, .duration(.equal(.nan)), .duration(.atMost(.infinity))] {
            #expect(throws: EncodingError.self) { try json(predicate) }
        }
        let deepList = (0..<41).reduce(CollectionPredicate.or([])) { part, _ in .not(part) }
        #expect(throws: EncodingError.self) { try json(deepList) }
    }

    @Test("NaN and infinities are rejected with any decoder")
    func notJSON() throws {
        let objects: [[String: Any]] = [
            ["duration": ["equal": Double.nan]], ["duration": ["oneOf": [1.0, Double.infinity]]],
            ["date": ["creation": ["atLeast": -Double.infinity]]],
            ["near": ["latitude": 1.0, "longitude": 1.0, "metres": Double.nan]],
            ["near": ["latitude": Double.nan, "longitude": 1.0, "metres": 1.0]],
        ]
        for object in objects {
            let data = try PropertyListSerialization.data(
                fromPropertyList: object, format: .binary, options: 0)
            #expect(throws: DecodingError.self, "\(object)") {
                try PropertyListDecoder().decode(AssetPredicate.self, from: data)
            }
        }
    }

    @Test("a stored predicate finds the same assets")
    func fetch() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let wanted = try library.importAsset("1", width: 50)
        try library.importAsset("2", width: 60)
        var options = FetchOptions()
        options.predicate = try asset(#"{"and":[{"size":{"pixelWidth":{"lessThan":60}}}]}"#)
        #expect(
            try Asset.fetchAssets(in: library, options: options).localIdentifiers() == [wanted.id])
    }
}
