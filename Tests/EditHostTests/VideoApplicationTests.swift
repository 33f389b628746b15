// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Videos edited by a program without an extension.
@Suite("videos edited by programs")
struct VideoApplicationTests {
    private let studio: TestStudio
    private let original: String

    init() throws {
        studio = try TestStudio { try TestExtension.assemble("SepiaFilter", in: $0) }
        original = studio.folder.file("a.mp4")
        try TestVideo.make(original, size: "96x72", seconds: 1, [])
    }

    private func video() async throws -> String {
        try await studio.add(
            Data(contentsOf: URL(fileURLWithPath: original)), named: "a.mp4")
    }

    private func copy(_ video: AssetVideo?, _ name: String) throws -> String {
        let video = try #require(video)
        let data = try #require(try video.fileHandle().readToEnd())
        return try studio.folder.write(data, to: name)
    }

    @Test("K-04 the input has the video; the written file becomes the current version unchanged")
    func edited() async throws {
        let asset = try await video()
        let input = try await studio.input(asset)
        let given = try #require(input.audiovisualAsset)
        #expect(given.format == .mp4 && given.size == PixelSize(width: 96, height: 72))
        #expect(abs(given.duration - 1) < 0.1)
        let source = try copy(given, "given.mp4")
        #expect(try Data(contentsOf: URL(fileURLWithPath: source)).count == given.byteCount)
        var output = ContentEditingOutput(contentEditingInput: input)
        #expect(output.defaultRenderedContentType == .mp4)
        #expect(output.supportedRenderedContentTypes == [.quickTime, .mp4, .matroska])
        #expect(throws: LibraryError.self) { try output.renderedContentURL(for: .jpeg) }
        output.adjustmentData = try TestStudio.recipe("half")
        let made = try output.renderedContentURL.path
        try TestVideo.run(["-i", source, "-vf", "scale=48:36", "-t", "0.4", made])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: made))
        try studio.commit(output)
        #expect(try studio.currentBytes(asset) == bytes)
        let found = try studio.asset(asset)
        #expect(found.pixelWidth == 48 && abs(found.duration - 0.4) < 0.05)
        #expect(try studio.recipe(asset) == "half")

        // An extension edits the program's result. Both edits are undone, and the program's is
        // redone.
        try await studio.edit(asset, "sepia", ["intensity": "1"])
        let sepia = studio.folder.file("sepia.mp4")
        try studio.currentBytes(asset).write(to: URL(fileURLWithPath: sepia))
        #expect(try TestVideo.times(sepia).count == 10)
        let matrix = "colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131"
        let first = studio.folder.file("half.mp4")
        try bytes.write(to: URL(fileURLWithPath: first))
        let near = try TestVideo.ratios(sepia, to: first, filter: matrix)
        #expect(near.allSatisfy { $0 > 30 }, "\(near)")
        _ = try await studio.host.undo(asset, in: studio.library)
        _ = try studio.host.prune(studio.library, keep: 0)
        let again = try await studio.input(asset, canHandle: false)
        #expect(again.audiovisualAsset?.byteCount == bytes.count)
        _ = try await studio.host.undo(asset, in: studio.library)
        _ = try studio.host.prune(studio.library, keep: 0)
        _ = try await studio.host.redo(asset, in: studio.library)
        #expect(try studio.currentBytes(asset) == bytes)
        await studio.host.shutDown()
    }

    @Test(
        "A-11 a program that can handle the recipe gets the original, or the current video if it is away"
    )
    func originalAway() async throws {
        var imported: String?
        try await studio.host.importPhotos(at: [original], into: studio.library, by: .reference) {
            imported = $0.assetIdentifier
        }
        let asset = try #require(imported)
        try await studio.edit(asset, "sepia")
        let present = try await studio.input(asset, canHandle: true)
        #expect(present.adjustmentData != nil)
        let given = try Data(
            contentsOf: URL(fileURLWithPath: copy(present.audiovisualAsset, "1.mp4")))
        #expect(try given == Data(contentsOf: URL(fileURLWithPath: original)))

        let current = try studio.currentBytes(asset)
        try FileManager.default.removeItem(atPath: original)
        let input = try await studio.input(asset, canHandle: true)
        #expect(input.adjustmentData == nil)
        let source = try copy(input.audiovisualAsset, "2.mp4")
        #expect(try Data(contentsOf: URL(fileURLWithPath: source)) == current)
        // The output is added above the edit that the input contains.
        var output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = try TestStudio.recipe("small")
        try TestVideo.run(["-i", source, "-vf", "scale=48:36", output.renderedContentURL.path])
        try studio.commit(output)
        #expect(try studio.asset(asset).pixelWidth == 48)
        #expect(try studio.library.history(ofAsset: asset).chain.count == 2)
        _ = try await studio.host.undo(asset, in: studio.library)
        #expect(try studio.currentBytes(asset) == current)
        await studio.host.shutDown()
    }

    @Test("an incomplete or mistyped video is rejected, and nothing is committed")
    func refused() async throws {
        let asset = try await video()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: original))
        let wrong: [(Data, MediaFormat)] = [
            (Data("not a video".utf8), .mp4), (bytes.prefix(bytes.count / 3), .mp4),
            (bytes, .matroska), (try TestPicture.gradient().encoded(), .quickTime), (Data(), .mp4),
        ]
        for (data, type) in wrong {
            var output = ContentEditingOutput(contentEditingInput: try await studio.input(asset))
            output.adjustmentData = try TestStudio.recipe()
            try data.write(to: output.renderedContentURL(for: type))
            let error = await #expect(throws: HostError.self) {
                try await studio.host.prepare(output, in: studio.library)
            }
            #expect(error?.code == .invalidRenderedContent, "\(type): \(error?.message ?? "")")
        }
        // The output of a picture cannot have a video.
        let picture = try await studio.add(.gradient())
        var output = ContentEditingOutput(contentEditingInput: try await studio.input(picture))
        output.adjustmentData = try TestStudio.recipe()
        #expect(throws: LibraryError.self) { try output.renderedContentURL(for: .mp4) }
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
        await studio.host.shutDown()
    }
}
