// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerHost
import TestSupport
import Testing

@testable import EditHost
@testable import Library

/// Results of Live Photos and videos, from the plan to the library.
@Suite("results of Live Photos and videos")
struct WorkMediaTests {
    private let studio: TestStudio

    init() throws {
        studio = try TestStudio { try TestExtension.assemble("SepiaFilter", in: $0) }
    }

    /// The current renditions of an asset: that of the photo or video, and that of a Live Photo's video.
    private func renditions(of asset: String) throws -> [Rendition] {
        let history = try studio.library.history(ofAsset: asset)
        return [history.chain.last?.current, history.motion?.chain.last?.current]
            .compactMap(\.self)
    }

    /// Plans the renditions of an asset again and renders them as a node does. Returns the outcomes.
    private func render(_ asset: String) async throws -> [WorkOutcome] {
        let path = studio.folder.file("work")
        var options = WorkPlanOptions(jobs: 1)
        (options.shards, options.force, options.probe) = (1, true, .off)
        let report = try #require(
            try await studio.host.planWork(
                .named([asset]), in: studio.library, to: path, options: options,
                report: { _ in }))
        var configuration = HostConfiguration(
            runnerExecutable: BuildProducts.runner, extensionFolders: [], runnerLimit: 2,
            threadsPerRunner: 2)
        configuration.mediaRunnerExecutable = BuildProducts.mediaRunner
        let run = WorkRun(
            path: path, plan: report.hash.digest, shard: 0, jobs: 1, configuration: configuration)
        let end = await run.run(stop: WorkStop())
        #expect(end.status == .done && end.counts.rendered == 1, "\(end)")
        let folder = try WorkFolder(at: path)
        let attempt = try #require(try folder.attempts(atShard: 0).first)
        return try folder.outcomes(ofShard: 0, attempt: attempt).outcomes
    }

    /// Deletes the files of renditions and commits the results, which restores the files.
    private func requireRestored(_ asset: String, _ parts: [Rendition.Part]) async throws {
        let before = try renditions(of: asset)
        try #require(before.map(\.part) == parts)
        let outcomes = try await render(asset)
        #expect(outcomes.flatMap { $0.outputs ?? [] }.map(\.part) == parts)
        for rendition in before {
            try FileManager.default.removeItem(atPath: studio.blobPath(rendition.blob))
        }
        let summary = try await studio.host.commitWork(
            at: studio.folder.file("work"), into: studio.library, options: WorkCommitOptions()
        ) { _ in }
        #expect(summary.committed == 1 && summary.damaged == 0 && summary.pending == 0)
        let after = try renditions(of: asset)
        #expect(after.map(\.part) == parts && after.map(\.key) == before.map(\.key))
        #expect(after.map(\.duration) == before.map(\.duration))
        #expect(after.map(\.pixelWidth) == before.map(\.pixelWidth))
        for rendition in after {
            let path = studio.blobPath(rendition.blob)
            #expect(FileManager.default.fileExists(atPath: path))
        }
        await studio.host.shutDown()
    }

    @Test("the still and the video of a Live Photo are committed together")
    func livePhoto() async throws {
        let asset = try await studio.addLivePhoto()
        try await studio.edit(asset, "sepia", ["intensity": "1"])
        try await requireRestored(asset, [.photo, .video])
    }

    @Test("a video is committed")
    func video() async throws {
        let path = studio.folder.file("a.mp4")
        try TestVideo.make(path, size: "64x48", seconds: 1, [])
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let asset = try await studio.add(data, named: "b.mp4")
        try await studio.edit(asset, "sepia", ["intensity": "1"])
        try await requireRestored(asset, [.video])
    }
}
