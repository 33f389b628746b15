// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// Real Live Photos and Motion Photos, from import to export.
@Suite("Live Photos of the corpus", .corpus)
struct LivePhotoCorpusTests {
    private let studio: TestStudio
    private let corpus: String

    init() throws {
        studio = try TestStudio(extensions: { try TestExtension.assemble("SepiaFilter", in: $0) })
        corpus = try #require(BuildProducts.corpus)
    }

    private func imported(
        _ paths: [String], into library: PhotoLibrary
    ) async throws -> [ImportResult] {
        let results = Mutex<[ImportResult]>([])
        try await studio.host.importPhotos(at: paths, into: library) { result in
            results.withLock { $0.append(result) }
        }
        return results.withLock { $0 }
    }

    /// The content identifier that ExifTool reads from the maker note or the MOV's keys.
    private func contentIdentifier(_ path: String) throws -> String {
        let result = try runProgram(
            "/usr/bin/env", ["exiftool", "-s3", "-ContentIdentifier", path])
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The start times of streams that are neither video nor sound, among them the still's time.
    private func dataStarts(_ path: String) throws -> [String] {
        let result = try runProgram(
            "/usr/bin/env",
            [
                "ffprobe", "-v", "error", "-select_streams", "d", "-show_entries",
                "stream=start_time", "-of", "csv=p=0", path,
            ])
        return result.output.split(separator: "\n").map(String.init).sorted()
    }

    private func stillTime(_ asset: String, in library: PhotoLibrary) throws -> Double? {
        let history = try library.history(ofAsset: asset)
        let facts = history.original?.facts?.embeddedVideo
        return facts?.presentationTime.map { Double($0) / 1e6 }
            ?? history.pairedVideo?.facts?.video?.stillTime
    }

    @Test(
        "imported pairs join, are edited in both parts, and export to both forms",
        arguments: [
            ["live/IMG_0728.JPG", "live/jpegvideocomplement_1.mov"],
            ["cameras/IMG_7943.HEIC", "cameras/IMG_7943_HEVC.MOV"],
            ["cameras/iphone15promax_ios26.HEIC", "cameras/iphone15promax_ios26.MOV"],
        ])
    func pairs(names: [String]) async throws {
        let paths = names.map { "\(corpus)/\($0)" }
        let results = try await imported(paths, into: studio.library)
        #expect(results.map(\.resourceType) == [.photo, .pairedVideo])
        let asset = try #require(results.first?.assetIdentifier)
        let instant = try #require(try stillTime(asset, in: studio.library))
        // A frame lasts less than a twentieth of a second.
        #expect(instant > 0.5 && instant < 2)
        try await studio.edit(asset, "sepia")
        let first = try #require(
            try studio.library.history(ofAsset: asset).motion?.chain.last?.current?.blob)

        let folder = studio.folder.file("pair")
        var options = ExportOptions()
        let still = try await studio.host.export(asset, from: studio.library, to: folder, options)
        let video = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder)
                .first { $0.lowercased().hasSuffix("mov") })
        let edited = "\(folder)/\(video)"
        #expect(try contentIdentifier(edited) == contentIdentifier(paths[1]))
        #expect(try !contentIdentifier(edited).isEmpty)
        #expect(try contentIdentifier(still) == contentIdentifier(paths[0]))
        #expect(try dataStarts(edited) == dataStarts(paths[1]))
        #expect(try TestVideo.times(edited) == TestVideo.times(paths[1]))

        options.livePhotoPart = .motion
        let motion = try await studio.host.export(
            asset, from: studio.library, to: studio.folder.file("motion"), options)
        for (index, files) in [[folder], [motion]].enumerated() {
            let library = try PhotoLibrary.create(
                at: studio.folder.file("Again\(index).editlibrary"))
            let again = try await imported(files, into: library)
            #expect(again.allSatisfy { $0.status == .imported })
            let copy = try #require(again.first?.assetIdentifier)
            #expect(try library.history(ofAsset: copy).hasMotion)
            let found = try #require(try stillTime(copy, in: library))
            #expect(abs(found - instant) < 1e-5, "\(found) is not \(instant)")
        }
        try await studio.host.rerender([asset], in: studio.library, force: true, jobs: 1) {
            #expect($0.status == .rendered)
        }
        #expect(
            try studio.library.history(ofAsset: asset).motion?.chain.last?.current?.blob == first)
        await studio.host.shutDown()
    }

    @Test("a Motion Photo is edited in both parts and exported as one file")
    func motionPhoto() async throws {
        let path = "\(corpus)/cameras/samsung-one-ui-6.heic"
        let results = try await imported([path], into: studio.library)
        let asset = try #require(results.first?.assetIdentifier)
        let resources = try AssetResource.assetResources(
            for: studio.asset(asset), in: studio.library)
        #expect(resources.map(\.type) == [.photo, .pairedVideo])
        // ExifTool extracts the video from the file.
        let expected = studio.folder.file("expected.mp4")
        let taken = try runProgram(
            "/bin/sh", ["-c", "exiftool -b -MotionPhotoVideo '\(path)' > '\(expected)'"])
        #expect(taken.status == 0)
        let manager = AssetResourceManager(host: studio.host, library: studio.library)
        let own = studio.folder.file("own.mp4")
        try await manager.writeData(for: resources[1], toFile: own)
        #expect(FileManager.default.contentsEqual(atPath: own, andPath: expected))
        // An unedited photo is exported unchanged.
        let plain = studio.folder.file("plain")
        _ = try await studio.host.export(
            asset, from: studio.library, to: plain, ExportOptions())
        #expect(
            try ExportedFiles.names(in: plain)
                == ["samsung-one-ui-6.heic"])

        try await studio.edit(asset, "sepia")
        var options = ExportOptions()
        options.livePhotoPart = .motion
        let motion = try await studio.host.export(
            asset, from: studio.library, to: studio.folder.file("motion"), options)
        let library = try PhotoLibrary.create(at: studio.folder.file("Again.editlibrary"))
        let again = try await imported([motion], into: library)
        let copy = try #require(again.first?.assetIdentifier)
        #expect(try library.history(ofAsset: copy).hasMotion)
        #expect(try stillTime(copy, in: library) == stillTime(asset, in: studio.library))
        await studio.host.shutDown()
    }
}
