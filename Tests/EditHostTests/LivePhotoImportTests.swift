// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// The parts of Live Photos are joined.
@Suite("Live Photo import")
struct LivePhotoImportTests {
    private static let identifier = "C3754624-A05F-474D-9F16-E9C47B5F892D"
    private static let other = "F08C4D29-CD6A-47D9-9200-02BD19D9F3F2"
    private let studio: TestStudio

    init() throws { studio = try TestStudio(extensions: { _ in }, trusted: false) }

    private func imported(_ names: String...) async throws -> [ImportResult] {
        let results = Mutex<[ImportResult]>([])
        try await studio.host.importPhotos(
            at: names.map { studio.folder.file($0) }, into: studio.library
        ) { result in results.withLock { $0.append(result) } }
        return results.withLock { $0 }
    }

    private func still(_ name: String, _ identifier: String = Self.identifier) throws {
        try TestLivePhoto.makeStill(studio.folder.file(name), identifier)
    }

    private func video(
        _ name: String, _ identifier: String? = Self.identifier, seconds: Int = 1
    ) throws {
        try TestLivePhoto.makeVideo(studio.folder.file(name), identifier, seconds: seconds)
    }

    private var assets: [Asset] {
        get throws { Array(try Asset.fetchAssets(in: studio.library)) }
    }

    private func types(_ identifier: String?) throws -> [AssetResourceType] {
        let asset = try studio.library.asset(withLocalIdentifier: try #require(identifier))
        return try AssetResource.assetResources(for: asset, in: studio.library).map(\.type)
    }

    @Test(
        "a picture and a video with one content identifier become one asset, in any order",
        arguments: [["a.jpg", "b.mov"], ["b.mov", "a.jpg"]], [true, false])
    func order(names: [String], isOneByOne: Bool) async throws {
        try still("a.jpg")
        try video("b.mov")
        var results: [ImportResult] = []
        if isOneByOne {
            for name in names { results += try await imported(name) }
        } else {
            results = try await imported(names[0], names[1])
        }
        #expect(results.allSatisfy { $0.status == .imported })
        let all = try assets
        #expect(all.count == 1 && all[0].mediaType == .image)
        #expect(all[0].mediaSubtypes.contains(.photoLive))
        #expect(try types(all[0].localIdentifier) == [.photo, .pairedVideo])
        // Both results have the asset's identifier, except for a video imported before its still.
        #expect(
            results.last { $0.path.hasSuffix("jpg") }?.assetIdentifier == all[0].localIdentifier)
        // Importing again adds nothing.
        let again = try await imported(names[0], names[1])
        #expect(again.map(\.status) == [.duplicate, .duplicate])
        #expect(again.allSatisfy { $0.assetIdentifier == all[0].localIdentifier })
        #expect(try assets.count == 1)
        await studio.host.shutDown()
    }

    @Test("without content identifiers the name joins them, unless the video is too long")
    func names() async throws {
        try TestPicture.slope(width: 60, height: 40).encoded("jpeg")
            .write(to: URL(fileURLWithPath: studio.folder.file("a.jpg")))
        try video("a.mov", nil)
        let results = try await imported("a.jpg", "a.mov")
        #expect(results.map(\.resourceType) == [.photo, .pairedVideo])
        try TestPicture.slope(width: 60, height: 42).encoded("jpeg")
            .write(to: URL(fileURLWithPath: studio.folder.file("film.jpg")))
        try video("film.mov", nil, seconds: 12)
        let apart = try await imported("film.jpg", "film.mov")
        #expect(apart.map(\.resourceType) == [.photo, .video])
        #expect(apart.map(\.status) == [.imported, .imported])
        await studio.host.shutDown()
    }

    @Test("a video that names another still stays separate and joins that still later")
    func anotherStill() async throws {
        try still("a.jpg")
        try video("a.mov", Self.other)
        let results = try await imported("a.jpg", "a.mov")
        #expect(results.map(\.resourceType) == [.photo, .video])
        try still("c.jpg", Self.other)
        let late = try await imported("c.jpg")
        #expect(
            late[0].warnings.contains {
                $0.contains("a.mov") && $0.contains("joined with its video")
            })
        #expect(try types(late[0].assetIdentifier) == [.photo, .pairedVideo])
        #expect(try assets.allSatisfy { $0.mediaType == .image })
        await studio.host.shutDown()
    }

    @Test("of two stills for one video, or two videos for one still, the first is joined")
    func twins() async throws {
        try still("a.jpg")
        try TestLivePhoto.makeStill(
            studio.folder.file("b.jpg"), Self.identifier, width: 170, height: 120)
        try video("a.mov")
        try video("b.mov", seconds: 2)
        let results = try await imported("a.jpg", "a.mov", "b.jpg", "b.mov")
        #expect(results.allSatisfy { $0.status == .imported })
        let stills = try assets.filter { $0.mediaType == .image }
        #expect(stills.count == 2)
        // Each still is joined with the video of its name.
        for still in stills {
            #expect(try types(still.localIdentifier) == [.photo, .pairedVideo])
        }
        try video("c.mov", seconds: 3)
        let third = try await imported("c.mov")
        #expect(third.map(\.resourceType) == [.video])
        await studio.host.shutDown()
    }

    @Test("a video that is edited, a favourite or in an album stays separate, with a warning")
    func belongings() async throws {
        try video("b.mov")
        let identifier = try #require(try await imported("b.mov").first?.assetIdentifier)
        let film = try studio.library.asset(withLocalIdentifier: identifier)
        try await studio.library.performChanges {
            try AssetChangeRequest(for: film).isFavorite = true
        }
        try still("a.jpg")
        let results = try await imported("a.jpg")
        #expect(results[0].warnings.contains { $0.contains("stays a separate video") })
        #expect(try assets.count == 2)
        await studio.host.shutDown()
    }

    @Test("a broken video next to a picture is reported, and the picture is imported")
    func brokenVideo() async throws {
        try still("a.jpg")
        try video("whole.mov")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: studio.folder.file("whole.mov")))
        try bytes.prefix(bytes.count / 2).write(
            to: URL(fileURLWithPath: studio.folder.file("a.mov")))
        let results = try await imported("a.jpg", "a.mov")
        #expect(results.map(\.status) == [.imported, .rejected])
        #expect(try types(results[0].assetIdentifier) == [.photo])
        await studio.host.shutDown()
    }

    @Test("-move removes both files; --reference leaves them")
    func methods() async throws {
        try still("a.jpg")
        try video("a.mov")
        let paths = ["a.jpg", "a.mov"].map { studio.folder.file($0) }
        try await studio.host.importPhotos(at: paths, into: studio.library, by: .reference) {
            #expect($0.status == .imported)
        }
        let asset = try #require(try assets.first)
        let resources = try AssetResource.assetResources(for: asset, in: studio.library)
        #expect(resources.map(\.blob) == [nil, nil])
        #expect(resources.map(\.type) == [.photo, .pairedVideo])
        try await studio.library.performChanges { try AssetChangeRequest.removeAssets([asset]) }
        try await studio.host.importPhotos(at: paths, into: studio.library, by: .move) {
            #expect($0.status == .imported)
        }
        #expect(paths.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
        #expect(try assets.count == 1)
        await studio.host.shutDown()
    }

    @Test("a video with its own sidecars stays a separate video")
    func described() async throws {
        let folder = studio.folder.file("in")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try video("in/b.mov")
        let packet = """
            <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
            <rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:Rating='4'/></rdf:RDF></x:xmpmeta>
            """
        try Data(packet.utf8).write(to: URL(fileURLWithPath: "\(folder)/b.xmp"))
        _ = try await imported("in")
        try still("a.jpg")
        let results = try await imported("a.jpg")
        #expect(results[0].warnings.contains { $0.contains("stays a separate video") })
        let film = try #require(try assets.first { $0.mediaType == .video })
        let types = try types(film.localIdentifier)
        #expect(types.contains(.video) && types.contains(.metadataSidecar))
        await studio.host.shutDown()
    }

    @Test("a lost video is restored by importing it")
    func lost() async throws {
        try still("a.jpg")
        try video("a.mov")
        let asset = try #require(try await imported("a.jpg", "a.mov").first?.assetIdentifier)
        let motion = try #require(
            try AssetResource.assetResources(
                for: studio.library.asset(withLocalIdentifier: asset), in: studio.library
            ).first { $0.type == .pairedVideo }?.blob)
        try FileManager.default.removeItem(atPath: studio.blobPath(motion))
        let again = try await imported("a.mov")
        #expect(again.map(\.status) == [.updated] && again[0].assetIdentifier == asset)
        #expect(FileManager.default.fileExists(atPath: studio.blobPath(motion)))
        #expect(try await imported("a.mov").map(\.status) == [.duplicate])
        #expect(try assets.count == 1)
        await studio.host.shutDown()
    }

    @Test("a video that names a still in the library joins it regardless of its file name")
    func otherName() async throws {
        try still("right.jpg")
        let right = try #require(try await imported("right.jpg").first?.assetIdentifier)
        try TestPicture.slope(width: 60, height: 40).encoded("jpeg")
            .write(to: URL(fileURLWithPath: studio.folder.file("a.jpg")))
        try video("a.mov")
        let results = try await imported("a.jpg", "a.mov")
        #expect(results.allSatisfy { $0.status == .imported }, "\(results)")
        #expect(try types(right) == [.photo, .pairedVideo])
        #expect(try types(results[0].assetIdentifier) == [.photo])
        await studio.host.shutDown()
    }

    @Test("a video that is already an asset joins its picture when that is imported")
    func both() async throws {
        try TestPicture.slope(width: 60, height: 40).encoded("jpeg")
            .write(to: URL(fileURLWithPath: studio.folder.file("a.jpg")))
        try video("a.mov", nil)
        let film = try #require(try await imported("a.mov").first?.assetIdentifier)
        let results = try await imported("a.jpg", "a.mov")
        #expect(results[0].warnings.contains { $0.contains("joined with its video") }, "\(results)")
        let all = try assets
        #expect(all.count == 1 && all[0].localIdentifier != film)
        #expect(try types(all[0].localIdentifier) == [.photo, .pairedVideo])
        // A favourite video stays separate.
        try TestPicture.slope(width: 50, height: 40).encoded("jpeg")
            .write(to: URL(fileURLWithPath: studio.folder.file("b.jpg")))
        try video("b.mov", nil, seconds: 2)
        let liked = try #require(try await imported("b.mov").first?.assetIdentifier)
        let asset = try studio.library.asset(withLocalIdentifier: liked)
        try await studio.library.performChanges {
            try AssetChangeRequest(for: asset).isFavorite = true
        }
        let second = try await imported("b.jpg", "b.mov")
        #expect(second[0].warnings.contains { $0.contains("stays a separate video") })
        #expect(try assets.count == 3)
        await studio.host.shutDown()
    }
}
