// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerHost
import TestSupport
import Testing

@testable import EditHost
@testable import Library

/// A library with stale renditions, and a plan of them.
final class PlannedWork: Sendable {
    let studio: TestStudio
    /// A host with the build of the extension that the plan is made for.
    let host: ExtensionHost
    let assets: [String]
    let plan: WorkPlan
    let hash: SHA256Digest

    var path: String { studio.folder.file("work") }
    var folder: WorkFolder { get throws { try WorkFolder(at: path) } }

    /// - Parameters:
    ///   - count: The number of photos.
    ///   - defines: The macros of the extension's build that the plan is made for.
    ///   - isExpensive: Whether lossless results are stored, from which a second edit starts.
    init(
        _ count: Int, defines: [String] = ["DRAWS_ELSE"], isExpensive: Bool = false,
        trusted: Bool = true, configure: (inout WorkPlanOptions) -> Void = { _ in }
    ) async throws {
        func build(_ defines: [String], in folder: String) throws {
            for name in ["adder"] + (isExpensive ? ["other"] : []) {
                try TestExtension.buildAdder(
                    "org.example.\(name)", defines: defines, manifest: ["expensive": isExpensive],
                    in: folder)
            }
        }
        studio = try TestStudio(extensions: { try build([], in: $0) }, trusted: trusted)
        var assets: [String] = []
        for seed in 0..<count {
            let asset = try await studio.add(.gradient(seed: seed))
            try await studio.edit(asset, "adder", ["amount": "\(seed + 3)"])
            if isExpensive { try await studio.edit(asset, "other", ["amount": "7"]) }
            assets.append(asset)
        }
        self.assets = assets
        try build(defines, in: studio.extensions)
        host = try studio.otherHost(trusted: trusted)
        var options = WorkPlanOptions(jobs: 1)
        options.shards = 1
        configure(&options)
        let report = try await host.planWork(
            .named(assets), in: studio.library, to: studio.folder.file("work"), options: options,
            report: { _ in })
        let made = try #require(report)
        (plan, hash) = (made.plan, made.hash.digest)
        await studio.host.shutDown()
    }

    /// An attempt at the only shard.
    func attempt(_ plan: SHA256Digest? = nil) -> WorkRun {
        WorkRun(
            path: path, plan: plan ?? hash, shard: 0, jobs: 2,
            configuration: HostConfiguration(
                runnerExecutable: BuildProducts.runner, extensionFolders: [], runnerLimit: 2,
                threadsPerRunner: 1))
    }

    /// Runs an attempt.
    @discardableResult
    func run(_ plan: SHA256Digest? = nil) async -> WorkRun.End {
        await attempt(plan).run(stop: WorkStop())
    }

    /// Writes another plan over this one and returns its hash.
    func rewrite(_ change: (inout [String: Any]) -> Void) throws -> SHA256Digest {
        let url = URL(fileURLWithPath: "\(path)/\(WorkName.plan)")
        var object = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
        change(&object)
        let data = try JSONSerialization.data(withJSONObject: object)
        try data.write(to: url)
        return WorkHash(of: data).digest
    }

    var jobs: [WorkJob] {
        get throws {
            var reader = try folder.jobs(ofShard: 0, in: plan)
            var jobs: [WorkJob] = []
            while let job = try reader.next() { jobs.append(job) }
            return jobs
        }
    }

    var attempts: [String] { get throws { try folder.attempts(atShard: 0) } }

    /// The outcomes of an attempt, by its position.
    func outcomes(_ attempt: Int = 0) throws -> [WorkOutcome] {
        try folder.outcomes(ofShard: 0, attempt: try attempts[attempt]).outcomes
    }

    /// The path of a rendered file.
    func file(_ output: WorkOutcome.Output) -> String {
        "\(path)/results/00000/files/\(output.sha256)"
    }

    /// Writes the attempt of another node, which died with jobs in flight unless it has an end.
    func writeAttempt(
        _ name: String, inFlight: [Int] = [], outcomes: [WorkOutcome] = [], hasEnded: Bool = false
    ) throws {
        let folder = try folder
        let attempt = try folder.makeFolder("results", "00000", name)
        let note = WorkAttempt(
            node: "another", process: 1, began: 0, engineJob: nil, probe: .bytes)
        try folder.write(note, as: WorkAttempt.filename, in: attempt)
        try folder.write(WorkInFlight(jobs: inFlight), as: WorkName.flightFile(0), in: attempt)
        try folder.write(lines: outcomes, as: WorkName.lineFile(0), in: attempt)
        if hasEnded {
            let end = WorkAttemptEnd(status: 69, reason: "x", ended: 0)
            try folder.write(end, as: WorkAttemptEnd.filename, in: attempt)
        }
    }

    func shutDown() async { await host.shutDown() }
}
