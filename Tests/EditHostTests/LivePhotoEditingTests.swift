// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// The still and motion of a Live Photo are edited as one change.
@Suite("Live Photo editing")
struct LivePhotoEditingTests {
    private static let identifier = "C3754624-A05F-474D-9F16-E9C47B5F892D"
    private let studio: TestStudio

    init() throws {
        studio = try TestStudio(extensions: {
            try TestExtension.assemble("SepiaFilter", in: $0)
            try TestExtension.assemble("CropRotate", in: $0)
            try TestExtension.buildAdder(in: $0)
        })
    }

    private func livePhoto() async throws -> String {
        let still = studio.folder.file("a.jpg")
        let video = studio.folder.file("a.mov")
        try TestLivePhoto.makeStill(still, Self.identifier)
        try TestLivePhoto.makeVideo(video, Self.identifier)
        var identifier: String?
        try await studio.host.importPhotos(at: [still, video], into: studio.library) {
            identifier = $0.assetIdentifier
            #expect($0.status == .imported)
        }
        return try #require(identifier)
    }

    private func blob(_ type: AssetResourceType, _ asset: String) throws -> SHA256Digest? {
        let asset = try studio.library.asset(withLocalIdentifier: asset)
        return try AssetResource.assetResources(for: asset, in: studio.library)
            .first { $0.type == type }?.blob
    }

    private func motion(_ asset: String) throws -> String {
        studio.blobPath(try #require(try blob(.fullSizePairedVideo, asset)))
    }

    private func hasMotion(_ asset: String) throws -> Bool {
        try studio.library.history(ofAsset: asset).hasMotion
    }

    /// Sepia at full strength, as a matrix.
    private static let sepia = "colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131"

    @Test("an edit changes the still and every frame as one change with one recipe")
    func edited() async throws {
        let asset = try await livePhoto()
        let before = try studio.library.currentChangeToken
        let result = try await studio.edit(asset, "sepia", ["intensity": "1"])
        #expect(result.status == .committed && result.warnings.isEmpty)
        let changes = try studio.library.fetchPersistentChanges(since: before)
        #expect(changes.count == 1)
        let edited = try motion(asset)
        let original = studio.folder.file("a.mov")
        #expect(try TestVideo.times(edited) == TestVideo.times(original))
        #expect(try TestVideo.sound(edited) == TestVideo.sound(original))
        let ratios = try TestVideo.ratios(edited, to: original, filter: Self.sepia)
        #expect(ratios.count == 25 && ratios.allSatisfy { $0 > 30 }, "\(ratios)")
        let tags = try runProgram(
            "/usr/bin/env",
            ["exiftool", "-s3", "-ContentIdentifier", edited])
        #expect(tags.output.contains(Self.identifier))
        let still = studio.blobPath(try #require(try blob(.fullSizePhoto, asset)))
        let stillTags = try runProgram(
            "/usr/bin/env",
            ["exiftool", "-s3", "-MakerNotes:all", still])
        #expect(stillTags.output.contains(Self.identifier), "\(stillTags.output)")
        #expect(try hasMotion(asset))
        await studio.host.shutDown()
    }

    @Test(
        "undo, redo, revert and rerender apply to both parts, byte for byte, also after prune")
    func history() async throws {
        let asset = try await livePhoto()
        try await studio.edit(asset, "sepia")
        let first = try #require(try blob(.fullSizePairedVideo, asset))
        try await studio.edit(asset, "croprotate", ["turns": "1"])
        let second = try #require(try blob(.fullSizePairedVideo, asset))
        #expect(first != second)
        let turned = try TestVideo.probe(studio.blobPath(second))
        #expect(turned.width == 72 && turned.height == 96)
        _ = try await studio.host.undo(asset, in: studio.library)
        #expect(try blob(.fullSizePairedVideo, asset) == first)
        _ = try studio.host.prune(studio.library, keep: 0)
        _ = try await studio.host.redo(asset, in: studio.library)
        #expect(try blob(.fullSizePairedVideo, asset) == second)
        #expect(FileManager.default.fileExists(atPath: studio.blobPath(second)))
        var reasons: [String] = []
        try await studio.host.rerender([asset], in: studio.library, force: true, jobs: 1) {
            #expect($0.status == .rendered)
            reasons.append($0.reason)
        }
        #expect(reasons.first?.contains("its video") == true)
        #expect(try blob(.fullSizePairedVideo, asset) == second)
        // A lost video is re-rendered.
        try FileManager.default.removeItem(atPath: studio.blobPath(second))
        let repaired = try await studio.host.repair(studio.library)
        #expect(repaired.failures.isEmpty, "\(repaired.failures)")
        #expect(FileManager.default.fileExists(atPath: studio.blobPath(second)))
        _ = try await studio.host.revert([asset], in: studio.library)
        #expect(try blob(.fullSizePairedVideo, asset) == nil && hasMotion(asset))
        await studio.host.shutDown()
    }

    @Test(
        "an extension without video is rejected; --still-only removes the motion until undo"
    )
    func stillOnly() async throws {
        let asset = try await livePhoto()
        let error = await #expect(throws: HostError.self) { try await studio.edit(asset, "adder") }
        #expect(error?.code == .unsupportedMediaType)
        #expect(error?.message.contains("--still-only") == true)
        #expect(try studio.library.history(ofAsset: asset).states.isEmpty)

        var request = EditRequest(extensionName: "adder")
        request.stillOnly = true
        let results = try await studio.host.edit([asset], request, in: studio.library)
        #expect(results[0].warnings.contains { $0.contains("no longer has motion") })
        #expect(try !hasMotion(asset) && blob(.fullSizePairedVideo, asset) == nil)
        // Later edits apply to the still only, too.
        try await studio.edit(asset, "sepia")
        #expect(try !hasMotion(asset))
        _ = try await studio.host.revert([asset], in: studio.library)
        #expect(try hasMotion(asset))
        await studio.host.shutDown()
    }

    @Test(
        "a still-only edit covers both parts if continued without --still-only")
    func motionAgain() async throws {
        let asset = try await livePhoto()
        var request = EditRequest(extensionName: "sepia", values: ["intensity": "1"])
        request.stillOnly = true
        _ = try await studio.host.edit([asset], request, in: studio.library)
        #expect(try !hasMotion(asset))
        let again = try await studio.edit(asset, "sepia", ["intensity": "1"])
        #expect(again.status == .committed && again.input == .original)
        #expect(try hasMotion(asset))
        let ratios = try TestVideo.ratios(
            motion(asset), to: studio.folder.file("a.mov"), filter: Self.sepia)
        #expect(ratios.allSatisfy { $0 > 30 })
        #expect(try await studio.edit(asset, "sepia", ["intensity": "1"]).status == .unchanged)
        await studio.host.shutDown()
    }

    @Test("K-04 an edited Live Photo keeps its playback style while it has motion")
    func playbackStyle() async throws {
        let asset = try await livePhoto()
        func styles() throws -> [Asset.PlaybackStyle] {
            let fetched = try Asset.fetchAssets(in: studio.library).elements()
            let read = [try studio.asset(asset), try studio.library.history(ofAsset: asset).asset]
            return (fetched + read).map(\.playbackStyle)
        }
        let live = Array(repeating: Asset.PlaybackStyle.livePhoto, count: 3)
        /// Whether the grid's flags mark it as a Live Photo.
        func isMarkedLive() throws -> Bool {
            let flags = try Asset.fetchAssets(in: studio.library).shapes().flags
            return flags.count == 1 && flags[0].contains(.live)
        }
        #expect(try styles() == live && isMarkedLive())
        try await studio.edit(asset, "sepia")
        #expect(try styles() == live && isMarkedLive())
        #expect(try await studio.input(asset).playbackStyle == .livePhoto)
        var request = EditRequest(extensionName: "croprotate", values: ["turns": "1"])
        request.stillOnly = true
        _ = try await studio.host.edit([asset], request, in: studio.library)
        #expect(try styles() == Array(repeating: .image, count: 3) && !isMarkedLive())
        _ = try await studio.host.undo(asset, in: studio.library)
        #expect(try styles() == live && isMarkedLive())
        await studio.host.shutDown()
    }

    @Test("recipes in pixels refer to the still; frames get their scale")
    func scale() async throws {
        let asset = try await livePhoto()
        // The still has 160 x 120 pixels, the frames 96 x 72.
        try await studio.edit(asset, "croprotate", ["crop": "0.25,0.25,0.5,0.5"])
        let edited = try TestVideo.probe(motion(asset))
        #expect(edited.width == 48 && edited.height == 36)
        await studio.host.shutDown()
    }

    @Test("both files export under one name and import again as one Live Photo")
    func exported() async throws {
        let asset = try await livePhoto()
        var options = ExportOptions()
        let plain = studio.folder.file("plain")
        let path = try await studio.host.export(
            asset, from: studio.library, to: plain, options)
        #expect(path == plain + "/a.jpg")
        #expect(
            FileManager.default.contentsEqual(
                atPath: plain + "/a.mov", andPath: studio.folder.file("a.mov")))
        try await studio.edit(asset, "sepia")
        let folder = studio.folder.file("edited")
        _ = try await studio.host.export(asset, from: studio.library, to: folder, options)
        let library = try PhotoLibrary.create(at: studio.folder.file("Other.editlibrary"))
        let results = Mutex<[ImportResult]>([])
        try await studio.host.importPhotos(at: [folder], into: library) { result in
            results.withLock { $0.append(result) }
        }
        #expect(results.withLock { $0.map(\.resourceType) } == [.photo, .pairedVideo])
        options.livePhotoPart = .video
        let alone = try await studio.host.export(
            asset, from: studio.library, to: studio.folder.file("video"), options)
        #expect(try FileManager.default.contentsEqual(atPath: alone, andPath: motion(asset)))
        // Without its location the video is still exported; without metadata only the still is.
        options = ExportOptions()
        options.includesLocation = false
        let discreet = studio.folder.file("discreet")
        _ = try await studio.host.export(asset, from: studio.library, to: discreet, options)
        #expect(
            try ExportedFiles.names(in: discreet)
                == ["a.jpg", "a.mov"])
        #expect(try TestVideo.times("\(discreet)/a.mov") == TestVideo.times(motion(asset)))
        options.includesLocation = true
        options.metadata = ExportOptions.Metadata.none
        let bare = studio.folder.file("bare")
        _ = try await studio.host.export(asset, from: studio.library, to: bare, options)
        #expect(try ExportedFiles.names(in: bare) == ["a.jpg"])
        await studio.host.shutDown()
    }

    @Test(
        "an edit cancelled during video rendering commits both parts or nothing"
    )
    func cancelled() async throws {
        let asset = try await livePhoto()
        let cancellation = EditCancellation()
        do {
            try await studio.host.edit(
                [asset], EditRequest(extensionName: "sepia"), in: studio.library,
                cancellation: cancellation,
                progressHandler: { _, _ in Task { await cancellation.cancel() } })
            // The cancellation came too late.
            #expect(try blob(.fullSizePairedVideo, asset) != nil)
            _ = try await studio.host.revert([asset], in: studio.library)
        } catch let error as HostError {
            #expect(error.code == .cancelled)
            #expect(try studio.library.history(ofAsset: asset).states.isEmpty)
        }
        #expect(try hasMotion(asset))
        // The host continues to work.
        let result = try await studio.edit(asset, "croprotate", ["turns": "1"])
        #expect(result.status == .committed && result.warnings.isEmpty)
        await studio.host.shutDown()
    }
}
