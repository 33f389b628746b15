// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import TestSupport
import Testing

@testable import EditHost
@testable import Library

/// Plans for other machines, compared with what `rerender` stores afterwards.
@Suite("plans for other machines")
struct WorkPlanTests {
    private let studio: TestStudio
    private let path: String

    /// Builds two extensions, the first of which may be expensive.
    private static func build(_ isExpensive: Bool, _ defines: [String], in folder: String) throws {
        for name in ["org.example.adder", "org.example.other"] {
            try TestExtension.buildAdder(
                name, defines: defines,
                manifest: ["expensive": isExpensive && name == "org.example.adder"], in: folder)
        }
    }

    init() throws {
        studio = try TestStudio {
            try Self.build(false, [], in: $0)
            try TestExtension.assemble("SepiaFilter", in: $0)
        }
        path = studio.folder.file("work")
    }

    private func plan(
        _ assets: [String], with host: ExtensionHost, in library: PhotoLibrary,
        _ change: (inout WorkPlanOptions) -> Void = { _ in }
    ) async throws -> (report: WorkPlanReport?, results: [RerenderResult]) {
        var options = WorkPlanOptions(jobs: 2)
        change(&options)
        var results: [RerenderResult] = []
        let report = try await host.planWork(
            .named(assets), in: library, to: path, options: options,
            report: { results.append($0) })
        return (report, results)
    }

    private func jobs(of plan: WorkPlan) throws -> [WorkJob] {
        let folder = try WorkFolder(at: path)
        var jobs: [WorkJob] = []
        for shard in plan.shards.indices {
            var reader = try folder.jobs(ofShard: shard, in: plan)
            while let job = try reader.next() { jobs.append(job) }
        }
        return jobs
    }

    private func edited(_ count: Int, _ names: [String] = ["adder"]) async throws -> [String] {
        var assets: [String] = []
        for seed in 0..<count {
            let asset = try await studio.add(.gradient(seed: seed))
            for name in names { try await studio.edit(asset, name, ["amount": "\(seed + 3)"]) }
            assets.append(asset)
        }
        return assets
    }

    @Test("the keys and probes of a plan are those of the renditions that rerender stores")
    func keys() async throws {
        let assets = try await edited(3)
        try Self.build(false, ["ASK"], in: studio.extensions)
        let host = try studio.otherHost()
        let (report, results) = try await plan(assets, with: host, in: studio.library)
        let plan = try #require(report?.plan)
        #expect(results.map(\.status) == [.stale, .stale, .stale])
        #expect(results.map(\.assetIdentifier) == assets)
        #expect(plan.jobCount == 3 && plan.shards.count == 1 && plan.probes.count == 1)
        #expect(plan.extensions.map(\.identifier) == ["org.example.adder"])
        #expect(plan.library == (try studio.library.identifier))
        try await host.rerender(assets, in: studio.library, jobs: 1) {
            #expect($0.status == .rendered)
        }
        let jobs = try jobs(of: plan)
        #expect(Set(jobs.map(\.asset)) == Set(assets) && Set(jobs.map(\.job)) == [0, 1, 2])
        #expect(jobs.map(\.cost) == jobs.map(\.cost).sorted(by: >))
        for job in jobs {
            let stored = try #require(
                try studio.library.history(ofAsset: job.asset).chain.last?.current)
            #expect(job.outputs.map(\.key?.digest) == [stored.key])
            #expect(job.outputs.map(\.kind) == [.current])
            if let probe = plan.probes.first, probe.job.asset == job.asset {
                #expect(probe.sha256.digest == stored.blob && probe.bases.isEmpty)
                #expect(probe.job.outputs == job.outputs)
            }
        }
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test("a base comes before what lies above it, whose key is unknown")
    func bases() async throws {
        try Self.build(true, [], in: studio.extensions)
        let first = try studio.otherHost()
        let asset = try await studio.add(.gradient())
        for name in ["adder", "other"] {
            _ = try await first.edit(
                [asset], EditRequest(extensionName: name, values: ["amount": "9"]),
                in: studio.library)
        }
        try Self.build(true, ["ASK"], in: studio.extensions)
        let host = try studio.otherHost()
        let plan = try #require(
            try await plan([asset], with: host, in: studio.library).report?.plan)
        let job = try #require(try jobs(of: plan).first)
        #expect(job.outputs.map(\.kind) == [.base, .current])
        #expect(job.outputs.map { $0.key == nil } == [false, true])
        #expect(job.outputs.map(\.from.output) == [nil, 0])
        #expect(job.outputs.map { $0.steps.count } == [1, 1] && job.steps.count == 2)
        try await host.rerender([asset], in: studio.library, jobs: 1) {
            #expect($0.status == .rendered)
        }
        let chain = try studio.library.history(ofAsset: asset).chain
        #expect(chain.map(\.identifier) == job.outputs.map(\.edit))
        let base = try #require(chain.first?.base)
        #expect(job.outputs.first?.key?.digest == base.key)
        let probe = try #require(plan.probes.first)
        #expect(probe.hashes.map(\.digest) == [base.blob, try #require(chain.last?.current).blob])
        for host in [first, host, studio.host] { await host.shutDown() }
    }

    @Test("planning changes nothing in the library")
    func unchanged() async throws {
        let assets = try await edited(2)
        try studio.library.close()
        let before = try FolderRecord(studio.library.path)
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        let library = try PhotoLibrary.open(at: studio.library.path, options: options)
        let report = try await plan(assets, with: studio.host, in: library) { $0.force = true }
        #expect(report.report?.plan.jobCount == 2)
        try library.close()
        let changed = try FolderRecord(studio.library.path).differences(from: before)
        // SQLite's index of the write-ahead log, and the folder that contains it.
        let allowed = [".", "library.sqlite-shm", "library.sqlite-wal"]
        #expect(changed.allSatisfy(allowed.contains), "\(changed)")
        await studio.host.shutDown()
    }

    @Test("nothing is written if nothing is stale")
    func nothing() async throws {
        let assets = try await edited(1)
        let (report, results) = try await plan(assets, with: studio.host, in: studio.library)
        #expect(report == nil && results.map(\.status) == [.upToDate])
        #expect(!FileManager.default.fileExists(atPath: path))
        await studio.host.shutDown()
    }

    @Test("the folder of a plan must be new or empty, and outside every library")
    func places() async throws {
        let assets = try await edited(1)
        let inside = studio.library.path + "/work"
        await #expect(throws: HostError.self) {
            _ = try await studio.host.planWork(
                .named(assets), in: studio.library, to: inside,
                options: WorkPlanOptions(jobs: 1), report: { _ in })
        }
        let full = try studio.folder.write(Data(), to: "full/a")
        await #expect(throws: HostError.self) {
            _ = try await studio.host.planWork(
                .named(assets), in: studio.library,
                to: (full as NSString).deletingLastPathComponent,
                options: WorkPlanOptions(jobs: 1), report: { _ in })
        }
        #expect(!FileManager.default.fileExists(atPath: inside))
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let report = try await plan(assets, with: studio.host, in: studio.library) {
            $0.force = true
        }
        #expect(report.report != nil)
        await studio.host.shutDown()
    }

    @Test("extensions are copied byte for byte, and inputs if requested")
    func copies() async throws {
        let assets = try await edited(2)
        let plan = try #require(
            try await plan(assets, with: studio.host, in: studio.library) {
                $0.force = true
                $0.copiesInputs = true
                $0.shards = 2
            }.report?.plan)
        #expect(plan.inputs.isEmpty && plan.shards.map(\.jobs) == [1, 1])
        let planned = try #require(plan.extensions.first)
        let copy = "\(path)/extensions/\(planned.digest.hex)/adder.editingextension"
        for name in ["manifest.json", "libadder.so"] {
            #expect(
                FileManager.default.contentsEqual(
                    atPath: "\(copy)/\(name)",
                    andPath: "\(studio.extensions)/adder.editingextension/\(name)"))
        }
        for job in try jobs(of: plan) {
            for input in job.inputs {
                let hash = input.sha256.hex
                let data = try Data(
                    contentsOf: URL(fileURLWithPath: "\(path)/inputs/\(hash.prefix(2))/\(hash)"))
                #expect(WorkHash(of: data) == input.sha256 && data.count == input.size)
            }
        }
        await studio.host.shutDown()
    }

    @Test("without probes, the plan has none and says so")
    func noProbes() async throws {
        let assets = try await edited(1)
        let plan = try #require(
            try await plan(assets, with: studio.host, in: studio.library) {
                $0.force = true
                $0.probe = .off
            }.report?.plan)
        #expect(plan.probes.isEmpty && plan.probe == .off && plan.cost > 0)
        await studio.host.shutDown()
    }

    @Test("the still and the video of a Live Photo are outputs of one job")
    func livePhoto() async throws {
        let asset = try await studio.addLivePhoto()
        try await studio.edit(asset, "sepia", ["intensity": "1"])
        let history = try studio.library.history(ofAsset: asset)
        try #require(history.hasMotion)
        let plan = try #require(
            try await plan([asset], with: studio.host, in: studio.library) { $0.force = true }
                .report?.plan)
        let job = try #require(try jobs(of: plan).first)
        let motion = history.motion?.chain.last?.current
        let stored = [history.chain.last?.current, motion].compactMap(\.self)
        #expect(job.outputs.map(\.key?.digest) == stored.map(\.key))
        #expect(job.outputs.map(\.part) == stored.map(\.part))
        #expect(plan.environment.media != nil && stored.count == 2)
        #expect(job.steps.count == 1)
        await studio.host.shutDown()
    }
}
