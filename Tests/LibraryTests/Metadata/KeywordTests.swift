// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

@testable import Library

/// Metadata of files other than date and location, and keywords set by the user.
@Suite struct KeywordTests {
    private let temporary: TemporaryLibrary
    private var library: PhotoLibrary { temporary.library }

    init() throws { temporary = try TemporaryLibrary() }

    private func photo(_ metadata: PhotoMetadata?) throws -> Asset {
        let blob = try library.stage(UUID().uuidString)
        var facts = PhotoFacts.sample()
        facts.metadata = metadata
        var id = ""
        try library.performChanges {
            id = try AssetCreationRequest.photo(blob, facts)
                .placeholderForCreatedAsset.localIdentifier
        }
        return try library.asset(withLocalIdentifier: id)
    }

    private func change(_ asset: Asset, _ body: (AssetChangeRequest) throws -> Void) throws {
        try library.performChanges { try body(AssetChangeRequest(for: asset)) }
    }

    private func found(_ predicate: AssetPredicate) throws -> [String] {
        var options = FetchOptions()
        options.predicate = predicate
        return try Asset.fetchAssets(in: library, options: options).map(\.localIdentifier)
    }

    @Test("a file's metadata is stored with its asset and can be searched")
    func stored() throws {
        let asset = try photo(
            PhotoMetadata(
                contentIdentifier: "content", cameraMake: "Maker", cameraModel: "Model",
                lensModel: "50mm", rating: 4, keywords: ["lake", "Été"],
                title: "A lake", descriptionText: "Mist\nand reeds", label: "Red",
                exposureTime: 1.5))
        _ = try photo(nil)
        #expect(asset.title == "A lake" && asset.descriptionText == "Mist\nand reeds")
        #expect(asset.label == "Red" && asset.exposureTime == 1.5)
        #expect(asset.cameraMake == "Maker" && asset.cameraModel == "Model")
        #expect(asset.lensModel == "50mm" && asset.rating == 4)
        #expect(asset.contentIdentifier == "content")
        #expect(try asset.keywords(in: library) == ["lake", "Été"])
        let predicates: [AssetPredicate] = [
            .keyword(.equal("lake")), .keyword(.contains("éT")), .keyword(.beginsWith("LA")),
            .keyword(.oneOf(["x", "lake"])), .not(.keyword(.missing)), .rating(.atLeast(4)),
            .text(.cameraMake, .equal("Maker")), .text(.cameraModel, .contains("mod")),
            .text(.title, .contains("LAKE")), .text(.description, .contains("reeds")),
            .text(.label, .equal("Red")), .exposureTime(.atLeast(1)),
            .text(.lensModel, .beginsWith("50")), .text(.contentIdentifier, .equal("content")),
        ]
        for predicate in predicates {
            #expect(try found(predicate) == [asset.localIdentifier], "\(predicate)")
        }
        #expect(try found(.keyword(.equal("Lake"))).isEmpty)
    }

    @Test("P-02 an asset with two subtypes has both and is found by each and by both")
    func subtypes() throws {
        let asset = try photo(nil)
        #expect(asset.mediaSubtypes.contains(.photoPanorama))
        #expect(asset.mediaSubtypes.contains(.photoHDR))
        #expect(!asset.mediaSubtypes.contains(.photoScreenshot))
        for subtypes: MediaSubtype in [.photoPanorama, .photoHDR, [.photoPanorama, .photoHDR]] {
            #expect(try found(.mediaSubtypes(subtypes)) == [asset.localIdentifier])
        }
        #expect(try found(.mediaSubtypes([.photoHDR, .photoScreenshot])).isEmpty)
    }

    @Test("keywords are added and removed, and the asset is reported as updated")
    func changed() throws {
        let asset = try photo(PhotoMetadata(keywords: ["a", "b"]))
        let token = try library.currentChangeToken
        try change(asset) {
            try $0.addKeyword("c")
            try $0.removeKeyword("a")
            try $0.removeKeyword("never there")
        }
        #expect(try asset.keywords(in: library) == ["b", "c"])
        let items = try library.fetchPersistentChanges(since: token).flatMap(\.items)
        #expect(items.map(\.identifier) == [asset.localIdentifier])
        #expect(items.allSatisfy { $0.kind == .updated && $0.isMetadataChange })
        let after = try library.asset(withLocalIdentifier: asset.localIdentifier)
        #expect(after.modificationDate > asset.modificationDate)
        #expect(after.generation == asset.generation)
    }

    @Test("setting equal values is not a change, regardless of Unicode composition")
    func unchanged() throws {
        let asset = try photo(PhotoMetadata(keywords: ["\u{E9}t\u{E9}"]))
        let token = try library.currentChangeToken
        try change(asset) {
            try $0.addKeyword("e\u{301}te\u{301}")
            try $0.addKeyword("new")
            try $0.removeKeyword("new")
        }
        #expect(try library.currentChangeToken == token)
        #expect(try asset.keywords(in: library).count == 1)
        try change(asset) { try $0.removeKeyword("e\u{301}te\u{301}") }
        #expect(try asset.keywords(in: library).isEmpty)
    }

    @Test("a keyword in a hierarchy is added once, and removed only by all of its levels")
    func hierarchy() throws {
        let asset = try photo(PhotoMetadata(keywords: ["Places|Iceland", "f/2.8"]))
        let token = try library.currentChangeToken
        try change(asset) { try $0.addKeyword("Iceland") }
        #expect(try library.currentChangeToken == token)
        #expect(try library.keywords(inBranch: "Places") == ["Places|Iceland"])
        #expect(try library.keywords(inBranch: "f/2.8") == ["f/2.8"])
        try change(asset) {
            try $0.addKeyword("Places|Norway")
            try $0.addKeyword("f|2.8")
            try $0.removeKeyword("Iceland")
            try $0.removeKeyword("Places")
        }
        #expect(
            try asset.keywords(in: library) == [
                "Places|Iceland", "Places|Norway", "f/2.8", "f|2.8",
            ]
        )
        try change(asset) { try $0.removeKeyword("Places|Iceland") }
        try change(asset) { try $0.removeKeyword("f|2.8") }
        try change(asset) { try $0.removeKeyword("Places/Norway") }
        #expect(try asset.keywords(in: library) == ["f/2.8"])
    }

    @Test("keywords are deleted with their asset")
    func deleted() throws {
        let asset = try photo(PhotoMetadata(keywords: ["a", "b"]))
        try library.performChanges { try AssetChangeRequest.removeAssets([asset]) }
        #expect(try library.count("keyword") == 0)
        let error = try libraryError { _ = try asset.keywords(in: library) }
        #expect(error.code == .noSuchAsset)
    }

    @Test(
        "an invalid keyword is rejected, and nothing changes",
        arguments: [
            "", " ", " a", "a\n", "a\u{0}b", "\u{1B}[31m", String(repeating: "ä", count: 129),
        ])
    func refused(_ keyword: String) throws {
        let asset = try photo(PhotoMetadata(keywords: ["a"]))
        let token = try library.currentChangeToken
        let error = try libraryError {
            try change(asset) {
                $0.isFavorite = true
                try $0.addKeyword(keyword)
            }
        }
        #expect(error.code == .invalidRequest)
        #expect(error.assetIdentifier == asset.localIdentifier)
        #expect(try library.currentChangeToken == token)
        #expect(try asset.keywords(in: library) == ["a"])
        #expect(try !library.asset(withLocalIdentifier: asset.localIdentifier).isFavorite)
    }

    @Test("an asset has at most a thousand keywords")
    func tooMany() throws {
        let many = (0..<PhotoMetadata.maximumKeywords).map { "word \($0)" }
        let asset = try photo(PhotoMetadata(keywords: many))
        #expect(try asset.keywords(in: library).count == many.count)
        let error = try libraryError { try change(asset) { try $0.addKeyword("one more") } }
        #expect(error.code == .invalidRequest)
        try change(asset) {
            try $0.removeKeyword("word 1")
            try $0.addKeyword("one more")
        }
        let blob = try library.stage("another")
        let refused = try libraryError {
            try library.performChanges {
                try AssetCreationRequest.photo(blob, .sample()).keywords = many + ["one more"]
            }
        }
        #expect(refused.code == .invalidRequest)
    }

    @Test("facts read from a file are bounded, also when decoded")
    func bounded() throws {
        let long = String(repeating: "x", count: 300)
        let json = """
            {"burstIdentifier": "\(long)", "cameraMake": " M ", "cameraModel": "a\\u0007b",
             "lensModel": "", "rating": 9, "keywords": ["a", " a ", "\(long)", "", "b"]}
            """
        let metadata = try JSONDecoder().decode(PhotoMetadata.self, from: Data(json.utf8))
        #expect(metadata == PhotoMetadata(cameraMake: "M", keywords: ["a", "b"]))
        let encoded = try JSONEncoder().encode(metadata)
        #expect(try JSONDecoder().decode(PhotoMetadata.self, from: encoded) == metadata)
    }
}
