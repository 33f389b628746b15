// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

@testable import Library

/// Titles, descriptions, labels and ratings set by the user.
@Suite("titles, descriptions, creators, labels and ratings")
struct TextTests {
    private let temporary: TemporaryLibrary
    private var library: PhotoLibrary { temporary.library }

    init() throws { temporary = try TemporaryLibrary() }

    private func changed(_ id: String, _ body: (AssetChangeRequest) -> Void) throws -> Asset {
        let asset = try library.asset(withLocalIdentifier: id)
        try library.performChanges { body(try AssetChangeRequest(for: asset)) }
        return try library.asset(withLocalIdentifier: id)
    }

    private func matches(_ predicate: AssetPredicate) throws -> [String] {
        var options = FetchOptions()
        options.predicate = predicate
        return try Asset.fetchAssets(in: library, options: options).map(\.id)
    }

    @Test("texts are set, found after reopening and cleared; unset ones stay")
    func setting() throws {
        let id = try library.importAsset("one").id
        var asset = try changed(id) {
            $0.title = "Tor"
            $0.descriptionText = "Abends.\n\tIm Regen."
            $0.label = "Rot"
            $0.rating = 5
            $0.creator = "Ada; Ben"
            $0.copyright = "© Ada"
        }
        #expect(asset.creator == "Ada; Ben" && asset.copyright == "© Ada")
        #expect(asset.title == "Tor" && asset.descriptionText == "Abends.\n\tIm Regen.")
        #expect(asset.label == "Rot" && asset.rating == 5)
        asset = try changed(id) { $0.rating = -1 }
        #expect(asset.rating == -1 && asset.title == "Tor")
        asset = try changed(id) { $0.creator = nil }
        #expect(asset.creator == nil && asset.copyright == "© Ada")
        #expect(asset.removedTexts == [.creator])
        #expect(try matches(.text(.creator, .missing)) == [id])
        #expect(try matches(.text(.creator, .equal(""))) == [])
        #expect(try matches(.text(.creator, .beginsWith(""))) == [])
        #expect(try matches(.text(.copyright, .missing)) == [])
        asset = try changed(id) { $0.creator = "Ben" }
        #expect(asset.creator == "Ben" && asset.removedTexts.isEmpty)
        asset = try temporary.reopen().asset(withLocalIdentifier: id)
        #expect(asset.descriptionText == "Abends.\n\tIm Regen." && asset.label == "Rot")
        let generation = asset.generation
        asset = try changed(id) {
            ($0.title, $0.descriptionText, $0.label, $0.rating) = (nil, nil, nil, nil)
        }
        #expect(asset.title == nil && asset.descriptionText == nil)
        #expect(asset.label == nil && asset.rating == nil && asset.generation == generation)
        #expect(try library.check().findings.isEmpty)
    }

    @Test(
        "invalid texts are rejected, and nothing of the change is kept",
        arguments: [
            { $0.title = "" }, { $0.title = " x" }, { $0.title = "a\nb" },
            { $0.title = String(repeating: "x", count: 257) }, { $0.label = "\u{1B}[2J" },
            { $0.creator = "a\nb" }, { $0.creator = "a;b" }, { $0.creator = "a; " },
            { $0.copyright = String(repeating: "x", count: 257) },
            { $0.descriptionText = "x\r\ny" }, { $0.descriptionText = "\u{0}" },
            { $0.descriptionText = String(repeating: "é", count: 8193) },
            { $0.rating = 6 }, { $0.rating = -2 },
        ] as [@Sendable (AssetChangeRequest) -> Void])
    func refused(body: @Sendable (AssetChangeRequest) -> Void) throws {
        let id = try library.importAsset("one").id
        let error = try libraryError {
            _ = try changed(id) {
                $0.isFavorite = true
                body($0)
            }
        }
        #expect(error.code == .invalidRequest && error.assetIdentifier == id)
        let asset = try library.asset(withLocalIdentifier: id)
        #expect(!asset.isFavorite && asset.title == nil && asset.rating == nil)
    }

    @Test("texts set in the creation block override those of the file")
    func creation() throws {
        let blob = try library.stage("one")
        var facts = PhotoFacts.sample()
        facts.metadata = PhotoMetadata(
            rating: 2, title: "Of the file", descriptionText: "Of the file",
            creator: "Of the file", copyright: "Of the file", label: "Green")
        var id = ""
        try library.performChanges {
            let request = try AssetCreationRequest(mediaType: .image)
            request.title = "Mine"
            request.rating = nil
            request.creator = "Me"
            try request.addResource(.photo, blob: blob, filename: "a.jpg", facts: facts)
            request.label = "Blue"
            id = request.placeholderForCreatedAsset.localIdentifier
        }
        let asset = try library.asset(withLocalIdentifier: id)
        #expect(asset.title == "Mine" && asset.descriptionText == "Of the file")
        #expect(asset.label == "Blue" && asset.rating == nil)
        #expect(asset.creator == "Me" && asset.copyright == "Of the file")
    }
}
