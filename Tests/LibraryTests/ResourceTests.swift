// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

@testable import Library

/// Assets with several files.
@Suite("resources")
struct ResourceTests {
    private let temporary: TemporaryLibrary
    private let library: PhotoLibrary

    init() throws {
        temporary = try TemporaryLibrary()
        library = temporary.library
    }

    /// A photo whose companion files are texts.
    private func make(
        _ text: String, _ companions: [(AssetResourceType, String, String)]
    ) throws -> AssetCreationRequest {
        let blob = try library.stage(text)
        var request: AssetCreationRequest?
        try library.performChanges {
            let new = try AssetCreationRequest.photo(blob, .sample())
            for (type, name, text) in companions {
                try new.addResource(type, data: Data(text.utf8), filename: name)
            }
            request = new
        }
        return try #require(request)
    }

    private func resources(_ identifier: String) throws -> [AssetResource] {
        try AssetResource.assetResources(
            for: library.asset(withLocalIdentifier: identifier), in: library)
    }

    @Test("K-15 types have PhotoKit's numbers; additional ones do not collide")
    func numbers() {
        #expect(
            AssetResourceType.allCases.map(\.rawValue)
                == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1001, 1002])
    }

    @Test("A-10 an edited video lists no previous version; a photo lists one")
    func video() throws {
        func types(_ edited: String) throws -> [AssetResourceType] {
            try resources(edited).map(\.type).filter { $0 != .photo }
        }
        let id = try library.importAsset("picture").localIdentifier
        try library.edit(id, recipe: "first", render: "render")
        #expect(try types(id) == [.adjustmentBasePhoto, .fullSizePhoto, .adjustmentData])
        // This version does not edit videos, but another may have.
        try library.writer().0.write { database in
            try database.execute(
                sql: "UPDATE asset SET media_type = ?", arguments: [MediaType.video.rawValue])
        }
        #expect(try types(id) == [.fullSizeVideo, .adjustmentData])
        try library.writer().0.write { database in
            try database.execute(sql: "UPDATE asset SET position = NULL, adjustment_format = NULL")
        }
        #expect(try types(id) == [])
    }

    @Test("K-15 K-16 RAW, sidecars and video are listed with type, name, kind and size")
    func listing() throws {
        let raw = "FUJIFILMCCD-RAW and more"
        let movie = "\0\0\0\u{14}ftypqt  \0\0\0\0qt  "
        let id = try make(
            "picture",
            [
                (.alternatePhoto, "1.RAF", raw), (.pairedVideo, "1.MOV", movie),
                (.adjustmentData, "1.AAE", "<plist>"), (.metadataSidecar, "1.xmp", "<x:xmpmeta>"),
            ]
        ).placeholderForCreatedAsset.localIdentifier
        let found = try resources(id)
        #expect(
            found.map(\.type) == [
                .photo, .alternatePhoto, .pairedVideo, .adjustmentData, .metadataSidecar,
            ])
        #expect(
            found.map(\.originalFilename) == ["picture.jpg", "1.RAF", "1.MOV", "1.AAE", "1.xmp"])
        #expect(
            found.map(\.uniformTypeIdentifier) == [
                "public.jpeg", "public.camera-raw-image", "com.apple.quicktime-movie",
                "com.apple.property-list", "public.xml",
            ])
        #expect(found.map(\.isPrimary) == [true, false, false, false, false])
        #expect(
            try found.map { try library.text(of: $0) }
                == ["picture", raw, movie, "<plist>", "<x:xmpmeta>"])
        #expect(found.map(\.size) == [7, raw.utf8.count, movie.utf8.count, 7, 11])
        let asset = try library.asset(withLocalIdentifier: id)
        #expect(asset.mediaSubtypes.contains(.photoLive))
        #expect(try library.check(readingDataOf: 100).findings == [])
    }

    @Test("K-15 the files of an edited photo are listed with sizes; the recipe is not an AAE")
    func edited() throws {
        let id = try make("picture", [(.adjustmentData, "1.AAE", "<plist>")])
            .placeholderForCreatedAsset.localIdentifier
        try library.edit(id, recipe: "one", render: "first")
        try library.edit(id, recipe: "two two", render: "the second")
        let found = try resources(id)
        #expect(
            found.map(\.type) == [
                .photo, .adjustmentData, .adjustmentBasePhoto, .fullSizePhoto, .adjustmentData,
            ])
        #expect(found.map(\.size) == [7, 7, 5, 10, 7])
        #expect(found[4].contentHash == nil && found[4].uniformTypeIdentifier == "public.data")
        _ = try library.prune()
        #expect(try resources(id).map(\.size) == [7, 7, nil, 10, 7])
    }

    @Test("adding a companion is one change, and repeating it has no effect")
    func adding() throws {
        let id = try make("picture", []).placeholderForCreatedAsset.localIdentifier
        let before = try library.asset(withLocalIdentifier: id)
        let raw = try library.stage("raw")
        func add() throws -> ChangeToken {
            try library.performChanges {
                try AssetChangeRequest(for: before)
                    .addResource(.alternatePhoto, blob: raw, filename: "1.DNG")
            }
        }
        let token = try add()
        #expect(try add() == token)
        let after = try library.asset(withLocalIdentifier: id)
        #expect(after.modificationDate > before.modificationDate)
        #expect(after.generation == before.generation)
        let second = try make(
            "picture", [(.alternatePhoto, "1.DNG", "raw"), (.metadataSidecar, "1.xmp", "x")])
        #expect(second.result == .duplicate(existing: id))
        #expect(try library.currentChangeToken > token)
        #expect(
            try resources(id).map(\.type) == [.photo, .alternatePhoto, .metadataSidecar])
        #expect(try library.count("asset") == 1)
    }

    @Test("a moved referenced RAW is attached again with its picture")
    func movedCompanion() throws {
        let folder = temporary.folder
        let paths = ["1.DNG", "2.DNG"].map { folder + "/" + $0 }
        for path in paths { try Data("raw".utf8).write(to: URL(fileURLWithPath: path)) }
        let picture = try library.stage("picture")
        func add(_ path: String) throws -> String? {
            let raw = try FileReference(path: path)
            try library.performChanges {
                try AssetCreationRequest.photo(picture, .sample())
                    .addResource(.alternatePhoto, reference: raw, filename: "1.DNG")
            }
            let id = try #require(Asset.fetchAssets(in: library).first).localIdentifier
            return try resources(id).last?.url
        }
        let urls = try paths.map { try FileReference(path: $0).url }
        #expect(try add(paths[0]) == urls[0])
        #expect(try add(paths[1]) == urls[0])
        try FileManager.default.removeItem(atPath: paths[0])
        #expect(try add(paths[1]) == urls[1])
        #expect(try library.count("asset") == 1)
    }

    @Test("a photo's companions are deleted with it, and nothing else is")
    func deletion() throws {
        let request = try make("picture", [(.alternatePhoto, "1.DNG", "raw")])
        let id = request.placeholderForCreatedAsset.localIdentifier
        let other = try make("another", [(.alternatePhoto, "2.DNG", "raw")])
        let found = try resources(id)
        let asset = try library.asset(withLocalIdentifier: id)
        try library.performChanges { try AssetChangeRequest.removeAssets([asset]) }
        _ = try library.prune(emptyingTrash: true)
        #expect(found.map { library.isLocallyAvailable($0) } == [false, true])
        #expect(
            try resources(other.placeholderForCreatedAsset.localIdentifier).count == 2)
        #expect(try library.check(readingDataOf: 100).findings == [])
    }

    @Test("files are staged only inside the request's block, and empty ones are rejected")
    func outsideBlock() throws {
        let request = try make("picture", [])
        #expect(
            try libraryError {
                try request.addResource(.audio, data: Data([1]), filename: "1")
            }.code == .outsideChangeBlock)
        #expect(try libraryError { _ = try make("new", [(.audio, "1", "")]) }.code == .sizeMismatch)
        #expect(try library.count("asset") == 1)
    }
}
