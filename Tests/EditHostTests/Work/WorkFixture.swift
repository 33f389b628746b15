// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import RunnerProtocol
import Synchronization
import TestSupport
import Testing

@testable import EditHost
@testable import Library

/// A library with stale renditions, a work folder with a plan of them, and the results that a worker would write.
///
/// The expected renditions come from `rerender` on a copy of the library, so no worker is needed.
final class WorkFixture: Sendable {
    let studio: TestStudio
    /// The host with the extension that the plan is made for.
    let host: ExtensionHost
    let assets: [String]
    /// The re-rendered copy.
    let copy: PhotoLibrary
    let jobs: [WorkJob]
    /// The number of jobs in each shard.
    let shardSize: Int

    var path: String { studio.folder.file("work") }
    var library: PhotoLibrary { studio.library }

    /// - Parameters:
    ///   - count: The number of photos.
    ///   - isExpensive: Whether lossless results are stored, from which a second edit starts.
    init(_ count: Int, shardSize: Int = 100, isExpensive: Bool = false) async throws {
        func build(_ defines: [String], in folder: String) throws {
            let names = ["org.example.adder"] + (isExpensive ? ["org.example.other"] : [])
            for name in names {
                try TestExtension.buildAdder(
                    name, defines: defines, manifest: ["expensive": isExpensive], in: folder)
            }
        }
        studio = try TestStudio { try build([], in: $0) }
        var assets: [String] = []
        for seed in 0..<count {
            let asset = try await studio.add(.gradient(seed: seed))
            try await studio.edit(asset, "adder", ["amount": "\(seed + 3)"])
            if isExpensive { try await studio.edit(asset, "other", ["amount": "7"]) }
            assets.append(asset)
        }
        // Another build, which renders other pixels.
        try build(["DRAWS_ELSE"], in: studio.extensions)
        host = try studio.otherHost()
        let other = studio.folder.file("Copy.editlibrary")
        try FileManager.default.copyItem(atPath: studio.library.path, toPath: other)
        copy = try PhotoLibrary.open(at: other)
        try await host.rerender(assets, in: copy, jobs: 2) { result in
            #expect(result.status == .rendered, "\(result)")
        }
        self.assets = assets
        self.shardSize = shardSize
        let (copy, library) = (copy, studio.library)
        jobs = try assets.enumerated().map { number, asset in
            try Self.job(
                number, try copy.history(ofAsset: asset), try library.history(ofAsset: asset))
        }
        try writePlan()
    }

    // MARK: - The plan

    /// Returns the job that renders an asset as it is in the copy.
    private static func job(
        _ number: Int, _ made: AssetHistory, _ before: AssetHistory
    ) throws -> WorkJob {
        let original = try #require(before.original)
        let facts = try #require(original.facts)
        let input = WorkJob.Input(
            role: .original, sha256: WorkHash(try #require(original.contentHash)),
            size: original.size ?? 0, format: original.format, facts: facts)
        var outputs: [WorkJob.Output] = []
        func add(_ edit: Edit, _ rendition: Rendition, over output: Int?) {
            outputs.append(
                WorkJob.Output(
                    edit: edit.identifier, kind: rendition.kind, part: .photo, original: 0,
                    from: .init(input: output == nil ? 0 : nil, output: output), steps: [],
                    settings: rendition.kind == .base ? .base(of: facts) : .rendition(of: facts),
                    key: output == nil ? WorkHash(rendition.key) : nil, pixelsInPlace: true))
        }
        for edit in made.chain {
            if let base = edit.base {
                add(edit, base, over: outputs.isEmpty ? nil : outputs.count - 1)
            }
        }
        let tip = try #require(made.chain.last)
        add(tip, try #require(tip.current), over: outputs.isEmpty ? nil : outputs.count - 1)
        return WorkJob(
            job: number, asset: made.asset.localIdentifier, cost: 1, inputs: [input], steps: [],
            outputs: outputs)
    }

    /// Writes the plan, of this library or another.
    func writePlan(library identifier: String? = nil) throws {
        try FileManager.default.createDirectory(
            atPath: "\(path)/jobs", withIntermediateDirectories: true)
        var shards: [WorkShard] = []
        for start in stride(from: 0, to: jobs.count, by: shardSize) {
            let part = jobs[start..<min(start + shardSize, jobs.count)]
            let data = Data(try part.map(WorkFolder.line).joined())
            try studio.folder.write(data, to: "work/jobs/\(WorkName.jobFile(shards.count))")
            shards.append(
                WorkShard(sha256: WorkHash(of: data), jobs: part.count, cost: Double(part.count)))
        }
        let environment = WorkEnvironment(
            edithost: "0", rendering: 1, machine: "x86_64", vips: "8", codecs: [:], media: nil)
        let plan = WorkPlan(
            id: UUID().uuidString.lowercased(),
            library: try identifier ?? library.identifier, environment: environment, inputs: [],
            extensions: [], budgets: WorkBudgets(ExtensionBudgets()), shards: shards, probe: .off,
            probes: [])
        try studio.folder.write(try WorkFolder.encoded(plan), to: "work/\(WorkName.plan)")
    }

    // MARK: - Results

    func shard(of job: Int) -> Int { job / shardSize }

    /// The folder of a shard's results, relative to the test's folder.
    func results(_ shard: Int) -> String { "work/results/\(WorkName.shard(shard))" }

    /// The path of the file of an output.
    func file(_ job: Int, output: Int = 0) throws -> String {
        let hash = try #require(try outcome(job).outputs)[output].sha256
        return studio.folder.file("\(results(shard(of: job)))/files/\(hash)")
    }

    /// The outcome that a worker reports for a job.
    func outcome(_ job: Int) throws -> WorkOutcome {
        let chain = try copy.history(ofAsset: jobs[job].asset).chain
        let outputs = try jobs[job].outputs.map { planned in
            let edit = try #require(chain.first { $0.identifier == planned.edit })
            let made = try #require(planned.kind == .base ? edit.base : edit.current)
            return WorkOutcome.Output(
                edit: edit.identifier, kind: made.kind, part: .photo, key: WorkHash(made.key),
                sha256: WorkHash(made.blob), size: try copy.openBlob(made.blob).size(),
                width: made.pixelWidth, height: made.pixelHeight, duration: nil,
                format: made.format, omissions: [])
        }
        return WorkOutcome(job: job, outputs: outputs, seconds: 0.1)
    }

    /// Writes the outcomes of jobs as an attempt does: files first, then the lines.
    func write(
        _ outcomes: [WorkOutcome], attempt: String = "a", number: Int = 0, node: String = "node1"
    ) throws {
        for outcome in outcomes {
            for output in outcome.outputs ?? [] {
                let stored = studio.folder.file("Copy.editlibrary/blobs")
                let name = output.sha256.hex
                guard
                    let data = FileManager.default.contents(
                        atPath: "\(stored)/\(name.prefix(2))/\(name)")
                else { continue }
                try studio.folder.write(
                    data, to: "\(results(shard(of: outcome.job)))/files/\(name)")
            }
        }
        for (shard, outcomes) in Dictionary(grouping: outcomes, by: { shard(of: $0.job) }) {
            let folder = "\(results(shard))/\(attempt)"
            let begin = WorkAttempt(
                node: node, process: 1, began: 0, engineJob: nil, probe: .off)
            try studio.folder.write(
                try WorkFolder.encoded(begin), to: "\(folder)/\(WorkAttempt.filename)")
            try studio.folder.write(
                Data(try outcomes.map(WorkFolder.line).joined()),
                to: "\(folder)/\(WorkName.lineFile(number))")
        }
    }

    /// Writes how an attempt ended.
    func writeEnd(_ status: WorkRun.Status, ofShard shard: Int = 0, attempt: String = "a") throws {
        let end = WorkAttemptEnd(status: status.rawValue, reason: nil, ended: 1)
        try studio.folder.write(
            try WorkFolder.encoded(end),
            to: "\(results(shard))/\(attempt)/\(WorkAttemptEnd.filename)")
    }

    /// Writes the outcomes of all jobs.
    func writeAll(attempt: String = "a") throws {
        try write(try jobs.indices.map(outcome), attempt: attempt)
    }

    // MARK: - Committing

    /// Commits what is in the folder.
    @discardableResult
    func commit(
        _ options: WorkCommitOptions = WorkCommitOptions(), host other: ExtensionHost? = nil
    ) async throws -> (summary: WorkCommitSummary, events: [WorkCommitEvent]) {
        let events = Mutex<[WorkCommitEvent]>([])
        let summary = try await (other ?? host).commitWork(
            at: path, into: library, options: options
        ) { event in events.withLock { $0.append(event) } }
        return (summary, events.withLock { $0 })
    }

    /// What a rendition is compared by: everything but its date.
    struct Row: Hashable {
        let edit: String
        let kind: Rendition.Kind
        let key: SHA256Digest
        let blob: SHA256Digest
        let size: [Int]
        let ingredients: Data
    }

    /// The renditions of an asset, in a library.
    static func rows(of asset: String, in library: PhotoLibrary) throws -> Set<Row> {
        let chain = try library.history(ofAsset: asset).chain
        return Set(
            chain.flatMap { edit in
                edit.renditions.map {
                    Row(
                        edit: edit.identifier, kind: $0.kind, key: $0.key, blob: $0.blob,
                        size: [$0.pixelWidth, $0.pixelHeight], ingredients: $0.ingredients)
                }
            })
    }

    /// Whether the renditions of an asset are those of the re-rendered copy.
    func isRerendered(_ asset: String) throws -> Bool {
        try Self.rows(of: asset, in: library) == Self.rows(of: asset, in: copy)
    }

    /// The file names left in a shard's folder of files.
    func filesLeft(_ shard: Int = 0) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: studio.folder.file("\(results(shard))/files"))
    }

    func shutDown() async {
        await host.shutDown()
        await studio.host.shutDown()
    }
}
