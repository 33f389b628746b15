// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// Files that the library already has are read again.
@Suite("import --again")
struct ImportAgainTests {
    private func results(
        _ body: ((ImportResult) -> Void) async throws -> Void
    ) async throws -> [ImportResult] {
        let results = Mutex<[ImportResult]>([])
        try await body { result in results.withLock { $0.append(result) } }
        return results.withLock { $0 }
    }

    private func imported(
        _ path: String, into studio: TestStudio, again: Bool = false
    ) async throws -> ImportResult {
        let all = try await results { report in
            try await studio.host.importPhotos(at: [path], into: studio.library, again: again) {
                report($0)
            }
        }
        return try #require(all.first)
    }

    private func tag(_ path: String, _ tags: [String]) throws {
        let tagged = try runProgram(
            "/usr/bin/env", ["exiftool", "-q", "-overwrite_original"] + tags + [path])
        #expect(tagged.status == 0, "\(tagged.errors)")
    }

    /// Removes metadata, as if an earlier version that read less of it had imported the asset.
    private func forget(_ identifier: String, in studio: TestStudio) async throws -> PhotoFacts {
        let history = try studio.library.history(ofAsset: identifier)
        let (original, facts) = (
            try #require(history.original?.contentHash), try #require(history.original?.facts)
        )
        var less = facts
        less.metadata = nil
        less.mediaSubtypes = []
        let poor = less
        try await studio.library.performChanges {
            let request = try AssetChangeRequest(for: history.asset)
            request.setFacts(poor, of: original)
            request.title = nil
            request.location = nil
        }
        return facts
    }

    @Test("files of one import are added in their order, however long they take to decode")
    func order() async throws {
        let studio = try TestStudio()
        var paths = [
            try studio.folder.write(
                TestPicture.gradient(width: 2000, height: 1500).encoded(), to: "large.png")
        ]
        for seed in 1...6 {
            paths.append(
                try studio.folder.write(
                    TestPicture.gradient(seed: seed).encoded(), to: "small\(seed).png"))
        }
        try await studio.host.importPhotos(at: paths, into: studio.library) {
            #expect($0.status == .imported)
        }
        var options = FetchOptions()
        options.sortDescriptors = [AssetSortDescriptor(.addedDate)]
        let assets = try Asset.fetchAssets(in: studio.library, options: options).elements()
        #expect(
            assets.map(\.originalFilename) == paths.map { ($0 as NSString).lastPathComponent })
        await studio.host.shutDown()
    }

    @Test("import --again reads what an earlier version did not understand")
    func earlierVersion() async throws {
        let studio = try TestStudio(extensions: { _ in }, trusted: false)
        let path = try studio.folder.write(
            TestPicture.slope(width: 60, height: 40).encoded(), to: "Screenshot.png")
        try tag(
            path,
            [
                "-XMP:Title=Two hills", "-Model=Box", "-ExposureTime=1/8", "-GPSLatitude=49",
                "-GPSLatitudeRef=N", "-GPSLongitude=16", "-GPSLongitudeRef=E",
                "-UserComment=Screenshot",
            ])
        let identifier = try #require(try await imported(path, into: studio).assetIdentifier)
        let fresh = try studio.library.asset(withLocalIdentifier: identifier)
        #expect(fresh.title == "Two hills" && fresh.cameraModel == "Box")
        let facts = try await forget(identifier, in: studio)
        let poor = try studio.library.asset(withLocalIdentifier: identifier)
        #expect(poor.title == nil && poor.cameraModel == nil && poor.mediaSubtypes == [])

        // A normal import reports a duplicate and changes nothing.
        #expect(try await imported(path, into: studio).status == .duplicate)
        #expect(try studio.library.asset(withLocalIdentifier: identifier).title == nil)
        let again = try await imported(path, into: studio, again: true)
        #expect(again.status == .updated && again.assetIdentifier == identifier)
        let asset = try studio.library.asset(withLocalIdentifier: identifier)
        #expect(asset.title == fresh.title && asset.cameraModel == fresh.cameraModel)
        #expect(asset.mediaSubtypes == fresh.mediaSubtypes && asset.location == fresh.location)
        #expect(asset.exposureTime == fresh.exposureTime)
        #expect(try studio.library.history(ofAsset: identifier).original?.facts == facts)
        // Reading again is idempotent.
        #expect(try await imported(path, into: studio, again: true).status == .duplicate)
        await studio.host.shutDown()
    }

    @Test("properties set by users are kept, and so is the size of edited photos")
    func ownWords() async throws {
        let studio = try TestStudio()
        let path = try studio.folder.write(
            TestPicture.slope(width: 60, height: 40).encoded(), to: "hills.png")
        try tag(path, ["-XMP:Title=Two hills", "-XMP:Rating=5"])
        let identifier = try #require(try await imported(path, into: studio).assetIdentifier)
        try await studio.edit(identifier)
        _ = try await forget(identifier, in: studio)
        let asset = try studio.library.asset(withLocalIdentifier: identifier)
        try await studio.library.performChanges {
            let request = try AssetChangeRequest(for: asset)
            request.title = "Mine"
            request.rating = 2
        }
        let before = try studio.library.asset(withLocalIdentifier: identifier)
        let all = try await results { report in
            try await studio.host.readAgain(studio.library) { report($0) }
        }
        #expect(all.map(\.assetIdentifier) == [identifier])
        let after = try studio.library.asset(withLocalIdentifier: identifier)
        #expect(after.title == "Mine" && after.rating == 2 && after.hasAdjustments)
        #expect(after.pixelWidth == before.pixelWidth && after.generation == before.generation)
        await studio.host.shutDown()
    }

    @Test("without the media runner videos are kept and exported; edits say what to install")
    func withoutMediaRunner() async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.assemble("SepiaFilter", in: $0) },
            configure: { $0.mediaRunnerExecutable = nil })
        let path = studio.folder.file("a.mp4")
        try TestVideo.make(path, size: "64x48", seconds: 1, [])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let result = try await imported(path, into: studio)
        #expect(result.status == .imported && result.resourceType == .video)
        #expect(result.warnings.contains { $0.contains("edithost-media-runner") })
        let identifier = try #require(result.assetIdentifier)
        let asset = try studio.library.asset(withLocalIdentifier: identifier)
        #expect(asset.mediaType == .video && asset.duration == 0 && asset.pixelWidth == 0)
        let exported = try await studio.host.export(
            identifier, from: studio.library, to: studio.folder.file("out"), ExportOptions())
        #expect(try Data(contentsOf: URL(fileURLWithPath: exported)) == bytes)
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(identifier, "sepia")
        }
        #expect(error?.message.contains("edithost-media-runner") == true)
        let unread = try await imported(path, into: studio, again: true)
        #expect(unread.status == .rejected)

        // Once the media runner is installed, the video is read.
        var configuration = HostConfiguration(
            runnerExecutable: BuildProducts.runner, extensionFolders: [])
        configuration.mediaRunnerExecutable = BuildProducts.mediaRunner
        let host = ExtensionHost(configuration)
        let all = try await results { report in
            try await host.readAgain(studio.library) { report($0) }
        }
        #expect(all.map(\.status) == [.updated])
        let read = try studio.library.asset(withLocalIdentifier: identifier)
        #expect(read.pixelWidth == 64 && read.pixelHeight == 48 && abs(read.duration - 1) < 0.1)
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test("missing and damaged originals are reported and otherwise unchanged")
    func damaged() async throws {
        let studio = try TestStudio(extensions: { _ in }, trusted: false)
        let identifier = try await studio.add(.slope(width: 60, height: 40))
        let original = try #require(
            try studio.library.history(ofAsset: identifier).original?.contentHash)
        let file = studio.blobPath(original)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        bytes[bytes.count / 2] ^= 0xFF
        try bytes.write(to: URL(fileURLWithPath: file))
        let before = try studio.library.asset(withLocalIdentifier: identifier)
        let all = try await results { report in
            try await studio.host.readAgain(studio.library) { report($0) }
        }
        #expect(all.map(\.status) == [.rejected])
        let after = try studio.library.asset(withLocalIdentifier: identifier)
        #expect(after.modificationDate == before.modificationDate)
        await studio.host.shutDown()
    }

    @Test("the halves of a Live Photo imported without video support are joined")
    func halves() async throws {
        let studio = try TestStudio(
            extensions: { _ in }, trusted: false, configure: { $0.mediaRunnerExecutable = nil })
        let identifier = "C3754624-A05F-474D-9F16-E9C47B5F892D"
        // The names differ, so only the identifier joins the files.
        let (still, video) = (studio.folder.file("a.jpg"), studio.folder.file("b.mov"))
        try TestLivePhoto.makeStill(still, identifier)
        try TestLivePhoto.makeVideo(video, identifier)
        for path in [still, video] { _ = try await imported(path, into: studio) }
        #expect(try Asset.fetchAssets(in: studio.library).count == 2)
        var configuration = HostConfiguration(
            runnerExecutable: BuildProducts.runner, extensionFolders: [])
        configuration.mediaRunnerExecutable = BuildProducts.mediaRunner
        let host = ExtensionHost(configuration)
        let all = try await results { report in
            try await host.readAgain(studio.library) { report($0) }
        }
        #expect(all.last?.status == .updated)
        #expect(all.last?.warnings.contains { $0.contains("joined with its video") } == true)
        let assets = Array(try Asset.fetchAssets(in: studio.library))
        #expect(assets.count == 1 && assets[0].mediaSubtypes.contains(.photoLive))
        let types = try AssetResource.assetResources(for: assets[0], in: studio.library)
        #expect(types.map(\.type) == [.photo, .pairedVideo])
        // A second run has nothing to join.
        let again = try await results { report in
            try await host.readAgain(studio.library) { report($0) }
        }
        #expect(again.map(\.status) == [.duplicate])
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test("the unread video of a Live Photo is read again")
    func unknownMotion() async throws {
        let studio = try TestStudio(extensions: {
            try TestExtension.assemble("SepiaFilter", in: $0)
        })
        let (still, video) = (studio.folder.file("a.jpg"), studio.folder.file("a.mov"))
        let identifier = "C3754624-A05F-474D-9F16-E9C47B5F892D"
        try TestLivePhoto.makeStill(still, identifier)
        try TestLivePhoto.makeVideo(video, identifier)
        let facts = try await studio.host.photoFacts(ofFileAt: still)
        try await studio.library.performChanges {
            let request = try AssetCreationRequest(mediaType: .image)
            try request.addResource(.photo, path: still, facts: facts)
            // No host is attached that could read it.
            try request.addResource(.pairedVideo, path: video)
        }
        let asset = try #require(try Asset.fetchAssets(in: studio.library).first)
        #expect(try !studio.library.history(ofAsset: asset.localIdentifier).hasMotion)
        let all = try await results { report in
            try await studio.host.readAgain(studio.library) { report($0) }
        }
        #expect(all.map(\.status) == [.updated])
        #expect(try studio.library.history(ofAsset: asset.localIdentifier).hasMotion)
        try await studio.edit(asset.localIdentifier, "sepia")
        let edited = try studio.library.history(ofAsset: asset.localIdentifier)
        #expect(edited.chain.last?.coversMotion == true)
        await studio.host.shutDown()
    }
}
