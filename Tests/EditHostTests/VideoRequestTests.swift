// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import GRDB
import Library
import Synchronization
import TestSupport
import Testing

@Suite("Videos: requested")
struct VideoRequestTests {
    private let studio: TestStudio
    private let original: String

    init() throws {
        studio = try TestStudio { try TestExtension.assemble("SepiaFilter", in: $0) }
        original = studio.folder.file("original.mov")
        try TestVideo.make(original, size: "96x64", seconds: 1, ["-crf", "4"])
    }

    private func video() async throws -> Asset {
        try studio.asset(
            await studio.add(
                Data(contentsOf: URL(fileURLWithPath: original)), named: "a.mov"))
    }

    @Test("I-16 I-12 requestVideo gives an edited video as it was committed, and its original")
    func edited() async throws {
        let identifier = try await video().localIdentifier
        try await studio.edit(identifier, "sepia")
        let asset = try studio.asset(identifier)
        let manager = studio.manager()
        var options = VideoRequestOptions()
        // The original is local.
        options.progressHandler = { _, _, _, _ in Issue.record("progress of a download") }
        let current = try await manager.video(for: asset, options: options)
        let bytes = try #require(try current.fileHandle().readToEnd())
        #expect(bytes == (try studio.currentBytes(identifier)))
        #expect(current.size == PixelSize(width: 96, height: 64))
        #expect(abs(current.duration - asset.duration) < 1e-6)
        let file = try studio.folder.write(bytes, to: "current.mov")
        let near = try TestVideo.ratios(
            file, to: original,
            filter: "colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131")
        #expect(near.count == 25 && near.allSatisfy { $0 > 30 }, "\(near)")
        options.version = .original
        let untouched = try await manager.video(for: asset, options: options)
        #expect(
            try untouched.fileHandle().readToEnd()
                == Data(contentsOf: URL(fileURLWithPath: original)))
        #expect(untouched.format == .quickTime)
        await studio.host.shutDown()
    }

    @Test("I-31 requests for videos that are cancelled are answered once, and no work is left")
    func cancelled() async throws {
        let asset = try await video()
        let manager = studio.manager()
        let answers = Mutex<[ImageRequestID: [(hasVideo: Bool, info: ImageRequestInfo)]]>([:])
        let identifiers = (0..<50).map { _ in
            manager.requestVideo(for: asset) { video, info in
                answers.withLock {
                    $0[info.requestID, default: []].append((video != nil, info))
                }
            }
        }
        for _ in 0..<2 { identifiers.forEach(manager.cancelImageRequest) }
        try await waitUntil("each request is answered") { answers.withLock { $0.count } == 50 }
        try await waitUntil("no request is unfinished") { manager.unfinished == (0, 0) }
        identifiers.forEach(manager.cancelImageRequest)
        let all = answers.withLock { $0 }
        #expect(Set(all.keys) == Set(identifiers))
        for calls in all.values {
            // The request may have been completed before the cancel.
            #expect(calls.count == 1 && calls[0].info.isCancelled != calls[0].hasVideo)
            #expect(calls[0].info.error == nil)
        }
        await studio.host.shutDown()
    }

    @Test("I-16 requestVideo re-renders a lost version, with the same bytes")
    func lost() async throws {
        let identifier = try await video().localIdentifier
        try await studio.edit(identifier, "sepia")
        let committed = try studio.currentBytes(identifier)
        let history = try studio.library.history(ofAsset: identifier)
        let blob = try #require(history.chain.last?.current?.blob)
        try FileManager.default.removeItem(atPath: studio.blobPath(blob))
        let manager = studio.manager()
        let asset = try studio.asset(identifier)
        let again = try await manager.video(for: asset)
        #expect(try again.fileHandle().readToEnd() == committed)
        #expect(again.size == PixelSize(width: 96, height: 64))
        #expect(abs(again.duration - asset.duration) < 1e-6)
        // The database loses the rendition, too.
        let database = try DatabaseQueue(path: studio.library.path + "/library.sqlite")
        try await database.write { try $0.execute(sql: "DELETE FROM rendition") }
        let requested = try await manager.video(for: asset)
        #expect(try requested.fileHandle().readToEnd() == committed)
        await studio.host.shutDown()
    }
}
