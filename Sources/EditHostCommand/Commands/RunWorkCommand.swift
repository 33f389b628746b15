// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import Foundation
import Glibc
import JSONOutput

/// The command `edithost work run`.
struct RunWorkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Render one shard of a plan, without a library.",
        discussion: """
            The number of the shard is given by --shard or, for array jobs, by the first \
            environment variable that is set: \
            \(ShardNumber.variables.map(\.name).joined(separator: ", ")). A shard can be run again \
            at any time; finished work is skipped.

            Exit status: 0 every photo has an outcome; 64 wrong usage; 65 another plan; 69 this \
            node cannot run the shard; 73 the results cannot be written; 75 interrupted, retry. \
            Do not retry after 64 or 65.
            """,
        examples: """
            edithost work run /shared/work --plan "$hash" --shard 3
            edithost work run /shared/work --plan "$hash" --inputs /srv/blobs
            """)

    @Argument(help: ArgumentHelp("The folder of the plan.", valueName: "folder"))
    var folder: String

    @Option(
        help: ArgumentHelp(
            "The SHA-256 of plan.json, as work plan prints it. Any other plan is rejected.",
            valueName: "hash"))
    var plan: String

    @Option(
        help: ArgumentHelp(
            "The shard to render (default: the number of the array job).", valueName: "number"))
    var shard: Int?

    @Option(
        help: ArgumentHelp(
            "A folder with originals, named like those in a library's blobs. May be repeated.",
            valueName: "folder"))
    var inputs: [String] = []

    @Option(
        help: ArgumentHelp(
            "The folder for temporary files (default: TMPDIR or /tmp).", valueName: "folder"))
    var scratch: String?

    @Option(
        help: ArgumentHelp(
            "The number of photos to render in parallel (default: the processors granted by the "
                + "control group or Slurm).", valueName: "number"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Limit the memory of pictures rendered in parallel, such as 8G (default: the memory "
                + "granted by the control group or Slurm).", valueName: "size"))
    var memory: MemorySize?

    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        if let shard, shard < 0 { throw ValidationError("--shard must be at least 0.") }
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
    }

    func run() async throws {
        // Must precede any thread that reads the environment. The runners inherit it.
        if let scratch { setenv("TMPDIR", scratch, 1) }
        let environment = ProcessInfo.processInfo.environment
        let work = try attempt(environment)
        let stop = WorkStop()
        let end = try await Interruption(requesting: stop).run {
            let end = await work.run(stop: stop)
            if end.status == .unsuitableNode { await Self.delay(environment, stop) }
            return end
        }
        general.output.progress.end()
        try report(end, ofShard: work.shard)
    }

    private func attempt(_ environment: [String: String]) throws -> WorkRun {
        guard let hash = SHA256Digest(hex: plan) else {
            throw CommandEnd(
                status: .usage, message: "--plan must be a SHA-256, 64 hexadecimal digits")
        }
        guard let shard = try self.shard ?? ShardNumber.from(environment) else {
            throw CommandEnd(
                status: .usage,
                message: "no shard is given; use --shard, or run an array job")
        }
        let limits = NodeLimits.current
        let jobs = jobs ?? limits.processors
        var configuration = general.builtInConfiguration()
        configuration.threadsPerRunner = limits.processors
        var work = WorkRun(
            path: folder, plan: hash, shard: shard, jobs: jobs,
            configuration: configuration.batch(jobs: jobs))
        work.inputs = inputs
        work.memory = memory?.bytes ?? limits.memory
        work.logger = general.logger
        work.engineJob = Self.engineVariables.compactMap { environment[$0] }.first
        let progress = general.output.progress
        work.progress = { news in
            switch news {
            case .begins(let count): progress.begin("rendering", of: count)
            case .ended(let asset): progress.advance(past: asset)
            }
        }
        return work
    }

    private static let engineVariables = [
        "SLURM_JOB_ID", "AWS_BATCH_JOB_ID", "CLOUD_RUN_EXECUTION", "PBS_JOBID", "JOB_ID",
        "LSB_JOBID",
    ]

    /// Waits, so that one faulty node does not fail all shards in the queue of the engine.
    private static func delay(_ environment: [String: String], _ stop: WorkStop) async {
        // Tests do not wait.
        let seconds = environment["EDITHOST_WORK_DELAY_SECONDS"].flatMap { Double($0) } ?? 60
        let end = ContinuousClock.now + .seconds(min(max(0, seconds), 60))
        while ContinuousClock.now < end, !stop.isRequested {
            guard (try? await Task.sleep(for: .milliseconds(200))) != nil else { return }
        }
    }

    private func report(_ end: WorkRun.End, ofShard shard: Int) throws {
        let counts = end.counts
        let row: JSONRow = [
            "shard": shard, "rendered": counts.rendered, "failed": counts.failed,
            "notTried": counts.notTried, "settled": counts.settled, "left": counts.left,
            "reason": end.reason,
        ]
        // Best effort. The exit status determines whether the engine retries, even if its log cannot be written because
        // the disk is full.
        try? general.output.print(
            row,
            "shard \(shard): \(counts.rendered) rendered, \(counts.failed) failed, "
                + "\(counts.notTried) not tried, \(counts.settled) done before, "
                + "\(counts.left) left")
        guard end.status != .done else { return }
        // The row already has the reason.
        if let reason = end.reason { general.output.message(reason) }
        throw CommandEnd(status: ExitStatus(rawValue: Int32(end.status.rawValue)) ?? .failed)
    }
}
