// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Extensions can distinguish the video of a Live Photo from its still.
@Suite("Live Photo capability")
struct LivePhotoCapabilityTests {
    private static func studio(_ defines: [String], trusted: Bool = true) throws -> TestStudio {
        try TestStudio(
            extensions: { try TestExtension.buildClock(defines: defines, in: $0) }, trusted: trusted
        )
    }

    /// A Motion Photo whose still was taken at a time, in microseconds.
    private func add(to studio: TestStudio, at time: Int) async throws -> String {
        let path = studio.folder.file("a.mp4")
        try TestVideo.make(path, size: "160x120", seconds: 2, ["-crf", "4"])
        return try await studio.add(
            TestLivePhoto.motionPhoto(
                .gradient(width: 160, height: 120),
                video: Data(contentsOf: URL(fileURLWithPath: path)), time: time),
            named: "a.jpg")
    }

    /// The values that the extension rendered into the third block of each frame.
    private func rendered(_ asset: String, in studio: TestStudio) throws -> [Int] {
        let history = try studio.library.history(ofAsset: asset)
        let video = try #require(
            try AssetResource.assetResources(for: history.asset, in: studio.library)
                .first { $0.type == .fullSizePairedVideo }?.blob)
        return try TestVideo.frames(studio.blobPath(video)).map { Int($0[(8 * 160 + 40) * 3]) }
    }

    @Test(
        "the video controller gets the time of the still; the still controller does not",
        arguments: [["LIVE"], ["LIVE", "MAKES=LATE"]], [true, false])
    func told(defines: [String], isTrusted: Bool) async throws {
        let studio = try Self.studio(defines, trusted: isTrusted)
        let asset = try await add(to: studio, at: 1_500_000)
        try await studio.edit(asset, "clock")
        let found = try rendered(asset, in: studio)
        #expect(found.count == 50 && found.allSatisfy { abs($0 - 115) <= 4 }, "\(found)")
        await studio.host.shutDown()
    }

    @Test("without the capability both parts are edited without it, and plain videos have none")
    func others() async throws {
        let studio = try Self.studio([])
        let asset = try await add(to: studio, at: 1_500_000)
        try await studio.edit(asset, "clock")
        let found = try rendered(asset, in: studio)
        #expect(found.count == 50 && found.allSatisfy { $0 <= 4 }, "\(found)")
        await studio.host.shutDown()

        let live = try Self.studio(["LIVE"])
        let path = live.folder.file("b.mov")
        try TestVideo.make(path, size: "160x64", seconds: 1, ["-crf", "4"])
        let video = try await live.add(
            Data(contentsOf: URL(fileURLWithPath: path)), named: "copy-b.mov")
        try await live.edit(video, "clock")
        let edited = try live.folder.write(live.currentBytes(video), to: "edited.mov")
        let frames = try TestVideo.frames(edited).map { Int($0[(8 * 160 + 40) * 3]) }
        #expect(frames.count == 25 && frames.allSatisfy { $0 <= 4 }, "\(frames)")
        await live.host.shutDown()
    }
}
