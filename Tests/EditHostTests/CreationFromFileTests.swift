// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// Creation of photos from files without known properties, also with a first edit.
@Suite("creation from files")
struct CreationFromFileTests {
    private let studio: TestStudio
    private let picture = TestPicture.gradient()

    init() throws {
        studio = try TestStudio()
        studio.host.attach(to: studio.library)
    }

    private var assets: [Asset] {
        get throws { Array(try Asset.fetchAssets(in: studio.library, options: .init())) }
    }

    /// A JPEG with a date.
    private func jpeg(seed: Int = 0) throws -> Data {
        try TestPicture.gradient(seed: seed).encoded("jpeg", options: ["Q": 100]) {
            $0.set("exif-ifd2-DateTimeOriginal", to: "2001:02:03 04:05:06")
        }
    }

    private func file(_ data: Data, _ name: String) throws -> URL {
        URL(fileURLWithPath: try studio.folder.write(data, to: name))
    }

    @Test("K-09 a photo created from a file is decoded before the change and has its properties")
    func fromFile() async throws {
        let url = try file(jpeg(), "IMG_1.JPG")
        let modified = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes(
            [.modificationDate: modified], ofItemAtPath: url.path)
        try await studio.library.performChanges {
            let request = try AssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url)
            request.isFavorite = true
        }
        let asset = try #require(try assets.first)
        #expect(try assets.count == 1 && asset.isFavorite)
        #expect(asset.mediaType == .image && asset.originalFilename == "IMG_1.JPG")
        #expect((asset.pixelWidth, asset.pixelHeight) == (picture.width, picture.height))
        #expect(asset.captureDate?.text == "2001-02-03T04:05:06" && asset.fileDate == modified)
        #expect(try studio.currentBytes(asset.id) == jpeg())
        // It can be edited like any other asset.
        try await studio.edit(asset.id)
        #expect(try studio.asset(asset.id).hasAdjustments)

        // Values set by the block are kept, even nil.
        let other = try file(jpeg(seed: 50), "IMG_2.JPG")
        let made = Mutex<AssetCreationRequest?>(nil)
        try await studio.library.performChanges {
            let request = try AssetCreationRequest.creationRequestForAssetFromImage(
                atFileURL: other)
            request.captureDate = nil
            request.location = Location(latitude: 1, longitude: 2)
            request.keywords = ["own"]
            made.withLock { $0 = request }
        }
        let request = try #require(made.withLock { $0 })
        #expect(request.result == .created)
        let second = try studio.asset(request.placeholderForCreatedAsset.localIdentifier)
        #expect(second.captureDate == nil && second.location?.latitude == 1)
        #expect(try second.keywords(in: studio.library) == ["own"])
        await studio.host.shutDown()
    }

    /// Files that are not pictures, and whether the library or the host rejects them.
    static let wrong: [(name: String, bytes: [UInt8], isRefusedByLibrary: Bool)] = [
        ("text.jpg", Array("no picture".utf8), false), ("empty.jpg", [], true),
        ("film.jpg", [0, 0, 0, 24] + Array("ftypisom".utf8) + [0, 0, 0, 0], true),
        ("cut.jpg", [0xFF, 0xD8, 0xFF, 0xE0], false), ("paper.jpg", Array("%PDF-1.7".utf8), true),
    ]

    @Test("K-09 a file that is not a picture fails the whole block", arguments: wrong)
    func refused(name: String, bytes: [UInt8], isRefusedByLibrary: Bool) async throws {
        let good = try file(jpeg(), "good.jpg")
        let bad = try file(Data(bytes), name)
        let token = try studio.library.currentChangeToken
        let error = await #expect(throws: (any Error).self) {
            try await studio.library.performChanges {
                _ = try AssetCreationRequest.creationRequestForAssetFromImage(atFileURL: good)
                _ = try AssetCreationRequest.creationRequestForAssetFromImage(atFileURL: bad)
                _ = try AssetCollectionChangeRequest(creatingWithTitle: "Album")
            }
        }
        #expect((error is LibraryError) == isRefusedByLibrary, "\(error as Any)")
        #expect((error is HostError) == !isRefusedByLibrary, "\(error as Any)")
        #expect(try studio.library.currentChangeToken == token)
        #expect(try assets.isEmpty)
        await studio.host.shutDown()
    }

    @Test("creation without a host, with a remote URL or a missing file fails")
    func without() async throws {
        let url = try file(jpeg(), "good.jpg")
        let alone = try PhotoLibrary.open(at: studio.library.path)
        func code(_ library: PhotoLibrary, _ url: URL) throws -> LibraryError.Code? {
            let error = #expect(throws: LibraryError.self) {
                try library.performChanges {
                    _ = try AssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)
                }
            }
            return error?.code
        }
        #expect(try code(alone, url) == .invalidRequest)
        let web = try #require(URL(string: "https://example.org/1.jpg"))
        #expect(try code(studio.library, web) == .invalidRequest)
        let missing = url.appendingPathExtension("missing")
        #expect(try code(studio.library, missing) == .cannotRead)
        #expect(try code(studio.library, url.deletingLastPathComponent()) == .cannotRead)
        #expect(throws: LibraryError.self) {
            try AssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)
        }
        #expect(try assets.isEmpty)
        await studio.host.shutDown()
    }

    /// Makes an asset from a file, its first edit and an album in one block.
    private func make(
        _ original: URL, _ edited: Data, as type: MediaFormat, byChangeRequest: Bool = false
    ) async throws -> String {
        let made = Mutex<AssetCreationRequest?>(nil)
        try await studio.library.performChanges {
            let request = try AssetCreationRequest.creationRequestForAssetFromImage(
                atFileURL: original)
            let placeholder = request.placeholderForCreatedAsset
            var output = try ContentEditingOutput(placeholderForCreatedAsset: placeholder)
            output.adjustmentData = try TestStudio.recipe("first")
            try edited.write(to: output.renderedContentURL(for: type))
            if byChangeRequest {
                try AssetChangeRequest(for: placeholder).contentEditingOutput = output
            } else {
                request.contentEditingOutput = output
            }
            let album = try AssetCollectionChangeRequest(creatingWithTitle: "New")
            try album.addAssets([placeholder])
            try album.setKeyAsset(placeholder)
            made.withLock { $0 = request }
        }
        return try #require(made.withLock { $0 }).placeholderForCreatedAsset.localIdentifier
    }

    @Test("K-09 an asset, its first edit and its album are created in one block", arguments: 0..<3)
    func firstEdit(_ round: Int) async throws {
        let url = try file(jpeg(), "IMG_1.JPG")
        let brighter = TestPicture.gradient(seed: 40)
        let before = try studio.library.currentChangeToken
        let isJPEG = round == 2
        let edited = try brighter.encoded(isJPEG ? "jpeg" : "png")
        let id = try await make(
            url, edited, as: isJPEG ? .jpeg : .png, byChangeRequest: round == 1)
        let asset = try studio.asset(id)
        #expect(asset.hasAdjustments && asset.originalFilename == "IMG_1.JPG")
        #expect(try studio.recipe(id) == "first")
        if isJPEG {
            #expect(try studio.currentBytes(id) == edited)
        } else {
            // The PNG is kept as the lossless base.
            let base = try studio.library.history(ofAsset: id).chain.last?.base
            #expect(try TestPicture(decoding: studio.bytes(base?.blob)) == brighter)
            let current = try studio.current(id)
            #expect(try #require(current.meanDifference(from: brighter)) < 8)
        }
        let changes = try studio.library.fetchPersistentChanges(since: before)
        #expect(changes.count == 1, "one change has made all")
        let albums = try AssetCollection.fetchAssetCollections(with: .album, in: studio.library)
        #expect(
            try Asset.fetchAssets(in: albums[0], library: studio.library).localIdentifiers() == [id]
        )
        #expect(albums[0].keyAssetLocalIdentifier == id)
        // A revert restores the file.
        try await studio.library.performChanges {
            try AssetChangeRequest(for: asset).revertAssetContentToOriginal()
        }
        #expect(try studio.currentBytes(id) == jpeg())
        let report = try await studio.host.check(studio.library, readingDataOf: 100)
        #expect(report.findings.isEmpty, "\(report.findings)")
        await studio.host.shutDown()
    }

    @Test("K-09 an invalid first edit creates no asset, nor does one without recipe or file")
    func wrongFirstEdit() async throws {
        let url = try file(jpeg(), "IMG_1.JPG")
        let token = try studio.library.currentChangeToken
        await #expect(throws: HostError.self) {
            _ = try await make(url, Data("no picture".utf8), as: .png)
        }
        for hasRecipe in [false, true] {
            let error = await #expect(throws: (any Error).self) {
                try await studio.library.performChanges {
                    let request = try AssetCreationRequest.creationRequestForAssetFromImage(
                        atFileURL: url)
                    var output = try ContentEditingOutput(
                        placeholderForCreatedAsset: request.placeholderForCreatedAsset)
                    if hasRecipe { output.adjustmentData = try TestStudio.recipe() }
                    request.contentEditingOutput = output
                }
            }
            #expect((error as? LibraryError)?.code == (hasRecipe ? nil : .missingAdjustmentData))
            #expect((error as? HostError)?.code == (hasRecipe ? .missingRenderedContent : nil))
        }
        #expect(try studio.library.currentChangeToken == token)
        #expect(try assets.isEmpty)
        await studio.host.shutDown()
    }

    @Test("K-09 E-08 an output for a placeholder is valid only for its asset and block")
    func foreignPlaceholder() async throws {
        let url = try file(jpeg(), "IMG_1.JPG")
        let kept = Mutex<ContentEditingOutput?>(nil)
        try await studio.library.performChanges {
            let request = try AssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)
            var output = try ContentEditingOutput(
                placeholderForCreatedAsset: request.placeholderForCreatedAsset)
            output.adjustmentData = try TestStudio.recipe()
            try picture.encoded().write(to: output.renderedContentURL(for: .png))
            kept.withLock { $0 = output }
        }
        let output = try #require(kept.withLock { $0 })
        let asset = try #require(try assets.first)
        #expect(throws: LibraryError.self) { try studio.commit(output) }
        let other = try file(jpeg(seed: 9), "IMG_2.JPG")
        let error = await #expect(throws: LibraryError.self) {
            try await studio.library.performChanges {
                try AssetCreationRequest.creationRequestForAssetFromImage(atFileURL: other)
                    .contentEditingOutput = output
            }
        }
        #expect(error?.code == .invalidRequest)
        #expect(!asset.hasAdjustments)
        #expect(try assets.map(\.hasAdjustments) == [false])
        await studio.host.shutDown()
    }

    @Test("if the photo already exists without edits, the first edit is applied to it")
    func duplicate() async throws {
        let existing = try await studio.add(jpeg(), named: "first.jpg")
        let url = try file(jpeg(), "again.jpg")
        let edited = try TestPicture.gradient(seed: 40).encoded()
        let placeholder = try await make(url, edited, as: .png)
        #expect(placeholder != existing)
        #expect(try assets.map(\.id) == [existing])
        #expect(try studio.recipe(existing) == "first")
        let history = try studio.library.history(ofAsset: existing)
        let error = await #expect(throws: LibraryError.self) {
            _ = try await make(url, edited, as: .png)
        }
        #expect(error?.code == .conflict && error?.assetIdentifier == existing)
        #expect(try studio.library.history(ofAsset: existing) == history)
        await studio.host.shutDown()
    }

    @Test("blocks that wait for files may occupy all threads")
    func waiting() async throws {
        let urls = try (0..<8).map { try file(jpeg(seed: $0), "IMG_\($0).JPG") }
        let library = studio.library
        let ids = try await [studio.add(.gradient(seed: 20)), studio.add(.gradient(seed: 21))]
        // Uses the blocking call from more tasks than the pool has threads.
        func make(_ url: URL) throws {
            try library.performChanges {
                _ = try AssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Other edits use runners and return them meanwhile.
            for id in ids { group.addTask { try await studio.edit(id) } }
            for url in urls { group.addTask { try make(url) } }
            try await group.waitForAll()
        }
        #expect(try assets.count == 10)
        await studio.host.shutDown()
    }

    @Test("K-09 one block makes every kind of change")
    func everything() async throws {
        let library = studio.library
        var ids: [String] = []
        for seed in 60..<64 { ids.append(try await studio.add(.gradient(seed: seed))) }
        try await studio.edit(ids[1])
        let output = try await studio.output(ids[0], picture.encoded(), as: .png)
        let old = try ids.map(studio.asset)
        let url = try file(jpeg(), "IMG_1.JPG")
        let before = try library.currentChangeToken
        let made = Mutex<String>("")
        try await library.performChanges {
            let edit = try AssetChangeRequest(for: old[0])
            edit.contentEditingOutput = output
            edit.isFavorite = true
            try edit.addKeyword("edited")
            try AssetChangeRequest(for: old[1]).revertAssetContentToOriginal()
            try AssetChangeRequest.removeAssets([old[2]])
            let facts = try AssetChangeRequest(for: old[3])
            facts.creationDate = Date(timeIntervalSince1970: 5)
            facts.location = Location(latitude: 1, longitude: 2)
            facts.isHidden = true
            try facts.addKeyword("one")
            try facts.removeKeyword("none")
            let request = try AssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url)
            let placeholder = request.placeholderForCreatedAsset
            var first = try ContentEditingOutput(placeholderForCreatedAsset: placeholder)
            first.adjustmentData = try TestStudio.recipe("first")
            try picture.encoded().write(to: first.renderedContentURL(for: .png))
            request.contentEditingOutput = first
            try AssetChangeRequest(for: placeholder).addKeyword("new")
            let album = try AssetCollectionChangeRequest(creatingWithTitle: "All")
            try album.addAssets([placeholder, old[0]] as [any AssetReference])
            made.withLock { $0 = placeholder.localIdentifier }
        }
        let new = made.withLock { $0 }
        #expect(try library.fetchPersistentChanges(since: before).count == 1)
        #expect(try studio.current(ids[0]) == picture && studio.asset(ids[0]).isFavorite)
        #expect(try studio.asset(ids[0]).keywords(in: library) == ["edited"])
        #expect(try !studio.asset(ids[1]).hasAdjustments)
        #expect(throws: LibraryError.self) { try studio.asset(ids[2]) }
        let changed = try studio.asset(ids[3])
        #expect(changed.isHidden && changed.creationDate == Date(timeIntervalSince1970: 5))
        #expect(changed.location?.longitude == 2)
        #expect(try changed.keywords(in: library) == ["one"])
        #expect(try studio.recipe(new) == "first")
        #expect(try studio.asset(new).keywords(in: library) == ["new"])
        let album = try AssetCollection.fetchAssetCollections(with: .album, in: library)[0]
        #expect(
            try Asset.fetchAssets(in: album, library: library).localIdentifiers() == [new, ids[0]])
        await studio.host.shutDown()
    }
}
