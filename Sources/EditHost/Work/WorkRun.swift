// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Library
import Logging
import RunnerHost

/// An attempt to render a shard of a plan, without a library.
package struct WorkRun: Sendable {
    /// The reason for the end of an attempt. The raw value is the exit status for the engine.
    package enum Status: Int, Sendable {
        /// Every job has an outcome.
        case done = 0
        /// Wrong usage, which no retry can change.
        case usage = 64
        /// The folder does not contain the plan, or a part of it was changed.
        case otherPlan = 65
        /// This node cannot run the shard.
        case unsuitableNode = 69
        /// The results cannot be written.
        case unwritable = 73
        /// The attempt was interrupted.
        case interrupted = 75
    }

    /// The end of an attempt, with the numbers of its jobs.
    package struct End: Sendable {
        package let status: Status
        /// The reason why it ended early, or why jobs are left.
        package var reason: String?
        package var counts = Counts()
    }

    /// The numbers of jobs by outcome.
    package struct Counts: Sendable {
        /// The jobs that were rendered.
        package var rendered = 0
        /// The jobs whose picture or extension failed.
        package var failed = 0
        /// The jobs that were skipped because of an extension in quarantine.
        package var notTried = 0
        /// The jobs that had an outcome already.
        package var settled = 0
        /// The jobs that have no outcome.
        package var left = 0
    }

    /// The folder of the plan.
    package var path: String
    /// The hash of `plan.json`.
    package var plan: SHA256Digest
    /// The number of the shard.
    package var shard: Int
    /// Further folders that contain inputs.
    package var inputs: [String] = []
    /// The maximum number of jobs that are rendered concurrently.
    package var jobs: Int
    /// The maximum memory in bytes of the pictures that are rendered concurrently; `nil` for no limit.
    package var memory: Int?
    /// The programs of the node, and the limits of runners.
    package var configuration: HostConfiguration
    package var logger = Logger(label: "edithost")
    /// The identifier of the engine's job.
    package var engineJob: String?
    /// Notified of the number of jobs before they begin, and of each job that ended.
    package var progress: @Sendable (Progress) -> Void = { _ in }

    /// The progress of an attempt.
    package enum Progress: Sendable {
        case begins(count: Int)
        case ended(asset: String)
    }

    package init(
        path: String, plan: SHA256Digest, shard: Int, jobs: Int, configuration: HostConfiguration
    ) {
        (self.path, self.plan, self.shard, self.jobs) = (path, plan, shard, jobs)
        self.configuration = configuration
    }

    /// Runs the attempt. If the task is cancelled, running jobs are ended too.
    ///
    /// - Parameter stop: Requested to start no further jobs.
    package func run(stop: WorkStop) async -> End {
        do {
            let folder = try WorkFolder(at: path)
            // The folder may be the mount point of a file system that is not mounted.
            guard try folder.root.status(WorkName.plan) != nil else {
                return End(
                    status: .unsuitableNode, reason: "\(path) has no \(WorkName.plan) on this node")
            }
            let plan = try folder.plan(expecting: self.plan).plan
            var reader = try folder.jobs(ofShard: shard, in: plan)
            var jobs: [WorkJob] = []
            while let job = try reader.next() { jobs.append(job) }
            return try await run(jobs, of: plan, in: folder, stop)
        } catch {
            return Self.end(after: error)
        }
    }

    /// Returns the end of an attempt that an error ended before its jobs.
    private static func end(after error: any Error) -> End {
        switch error {
        case let error as AttemptRecorder.Unwritable:
            End(status: .unwritable, reason: error.message)
        case let error as HostError where error.code == .badInput:
            End(status: .otherPlan, reason: error.message)
        case let error as HostError where error.code == .badRequest:
            End(status: .usage, reason: error.message)
        default: End(status: .unsuitableNode, reason: "\(error)")
        }
    }

    private func run(
        _ jobs: [WorkJob], of plan: WorkPlan, in folder: WorkFolder, _ stop: WorkStop
    ) async throws -> End {
        let history = try AttemptRecorder.writing {
            try ShardAttempts(ofShard: shard, jobs, in: folder)
        }
        let pending = jobs.filter { !history.settled.contains($0.job) }
        guard !pending.isEmpty else {
            return End(status: .done, counts: Counts(settled: jobs.count))
        }
        let recorder = try AttemptRecorder(
            ofShard: shard,
            WorkAttempt(
                node: Self.node, process: Int(getpid()), began: Date().timeIntervalSince1970,
                engineJob: engineJob, probe: plan.probe),
            in: folder, recordsFlights: history.hasAttempts)
        var end: End
        do {
            end = try await run(pending, history, plan, in: folder, recorder, stop)
        } catch {
            end = Self.end(after: error)
            end.counts.left = pending.count
        }
        end.counts.settled = jobs.count - pending.count
        do {
            try recorder.end(
                WorkAttemptEnd(
                    status: end.status.rawValue, reason: end.reason,
                    ended: Date().timeIntervalSince1970))
        } catch let error as AttemptRecorder.Unwritable {
            return End(status: .unwritable, reason: error.message, counts: end.counts)
        }
        return end
    }

    /// Prepares the node, checks it, and runs the jobs.
    private func run(
        _ jobs: [WorkJob], _ history: ShardAttempts, _ plan: WorkPlan, in folder: WorkFolder,
        _ recorder: AttemptRecorder, _ stop: WorkStop
    ) async throws -> End {
        let scratch = try PrivateFolder(for: .work)
        let staging = try StagingFolder(in: scratch.path)
        let inputs = try WorkInputs(of: plan, in: folder, self.inputs, staging: staging)
        let host = try WorkRenderer.host(for: plan, configuration, logger)
        let result: Result<End, any Error>
        do {
            let check = NodeCheck(plan: plan, host: host)
            try await check.environment()
            let probes = check.probes(for: jobs)
            let renderer = WorkRenderer(
                host: host,
                binaries: try WorkRenderer.binaries(
                    for: jobs + probes.map(\.job), of: plan, in: folder, host.extensions),
                inputs: inputs, staging: staging)
            try await check.render(probes, by: renderer, stop)
            let run = ShardRun(
                renderer: renderer, recorder: recorder, history: history, stop: stop,
                memory: memory.map { MemoryBudget(limit: $0) }, node: Self.node,
                progress: progress)
            result = .success(await run.run(jobs, limit: self.jobs))
        } catch {
            result = .failure(error)
        }
        await host.shutDown()
        return try withExtendedLifetime(scratch) { try result.get() }
    }

    /// The name of the node.
    private static var node: String {
        let name = ProcessInfo.processInfo.hostName
        return name.isEmpty ? "unknown" : name.prefix(bytes: 255)
    }
}
