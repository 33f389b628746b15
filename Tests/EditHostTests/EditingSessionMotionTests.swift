// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

@Suite("the motion in editing sessions")
struct EditingSessionMotionTests {
    /// Sepia at full strength, as a matrix of `ffmpeg`.
    private static let sepia = "colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131"

    private func studio(trusted: Bool = true) throws -> TestStudio {
        try TestStudio(
            extensions: { try TestExtension.assemble("SepiaFilter", in: $0) }, trusted: trusted)
    }

    @Test(
        "the motion of a Live Photo has the values of the session, and is not stored",
        arguments: [true, false])
    func values(isTrusted: Bool) async throws {
        let studio = try studio(trusted: isTrusted)
        let asset = try await studio.addLivePhoto()
        let original = studio.folder.file("a.mov")
        let session = try await studio.open(asset, "sepia")
        #expect(session.editsMotion)
        for (intensity, filter) in [(1.0, "," + Self.sepia), (0, "")] {
            try await session.setParameters(["intensity": .number(intensity)])
            let video = try await session.motionPreview(longerSide: 80)
            #expect(video.format == .mp4 && video.size == PixelSize(width: 80, height: 60))
            #expect(abs(video.duration - 1) < 0.1)
            let shown = studio.folder.file("shown.mp4")
            let bytes = try #require(try video.fileHandle().readToEnd())
            try bytes.write(to: URL(fileURLWithPath: shown))
            let ratios = try TestVideo.ratios(
                shown, to: original, filter: "scale=80:60:flags=bicubic\(filter)")
            #expect(ratios.count == 25 && ratios.allSatisfy { $0 > 26 }, "\(ratios)")
        }
        _ = try await session.preview()
        let history = try studio.library.history(ofAsset: asset)
        #expect(history.chain.isEmpty && history.motion?.chain.isEmpty == true)
        #expect(try await session.finish().status == .committed)
        #expect(try studio.library.history(ofAsset: asset).motion?.chain.count == 1)
        await studio.host.shutDown()
    }

    @Test("without a motion, there is an error, and the session continues")
    func still() async throws {
        let studio = try studio()
        let session = try await studio.open(try await studio.add(.gradient()), "sepia")
        #expect(!session.editsMotion)
        let error = await #expect(throws: HostError.self) {
            try await session.motionPreview(longerSide: 80)
        }
        #expect(error?.code == .unsupportedMediaType && session.isOpen)
        _ = try await session.preview()
        await session.cancel()
        await studio.host.shutDown()
    }

    @Test("previews do not wait for a motion, which ends with its task, and the session continues")
    func cancelled() async throws {
        let studio = try TestStudio(extensions: {
            try TestExtension.buildAdder(
                manifest: ["supportedMediaTypes": ["image", "video"]], in: $0)
        })
        let session = try await studio.open(
            try await studio.addLivePhoto(), "adder", ["mode": "wait"])
        let task = Task { try await session.motionPreview(longerSide: 80) }
        try await studio.log.wait { $0.hasSuffix("waits") }
        _ = try await session.preview()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        _ = try await session.preview()
        #expect(session.isOpen)
        await session.cancel()
        await studio.host.shutDown()
    }
}
