// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation
import JSONOutput
import Library

/// The command `edithost work plan`.
struct PlanWorkCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Plan the rendering of edited pictures on other machines.",
        discussion: """
            The plan contains the pictures that rerender would render, and is written to a new or \
            empty folder outside every library. The command prints the SHA-256 of the plan, which \
            nodes require, and the command that submits it. The library is not changed. One photo \
            of each kind is rendered to measure the time, and to obtain bytes with which the nodes \
            compare their own.
            """,
        examples: """
            edithost work plan /shared/work --all --for slurm
            edithost work plan /shared/work --all --missing fail --minutes 10
            edithost work plan /shared/work --edited-by sepia --inputs copy
            edithost work plan /shared/work --all --force --shards 4 --json
            """)

    @Argument(
        help: ArgumentHelp(
            "The folder to write, which all machines can access.", valueName: "folder"),
        completion: .directory)
    var folder: String

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions

    @Flag(help: "Include pictures that are up to date.")
    var force = false

    @Option(
        help: ArgumentHelp(
            "What to do if extensions are missing or unusable: skip plans the other "
                + "photos, and fail plans nothing. Short forms: --missing skip and "
                + "--missing fail.",
            valueName: "skip|fail"))
    var missingExtensions = RerenderCommand.Missing.skip

    @Option(help: ArgumentHelp("The estimated minutes of work per shard.", valueName: "number"))
    var minutes = 5.0

    @Option(
        help: ArgumentHelp(
            "The number of shards: at most 1000, with --for aws-batch 10000, with --for "
                + "kubernetes 100000.",
            valueName: "number"))
    var shards: Int?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Write the files of an engine.", valueName: "engine"))
    var engine: WorkPlanOptions.Engine?

    @Option(
        help: ArgumentHelp(
            "copy: copy the input files to the folder. Otherwise, nodes read them from "
                + "the library's blobs.",
            valueName: "copy"))
    var inputs: Inputs?

    enum Inputs: String, ExpressibleByArgument, CaseIterable {
        case copy
    }

    @Option(
        help: ArgumentHelp(
            "bytes: nodes render a photo of each kind and compare its bytes; off: for nodes "
                + "with different processors, whose bytes may differ.",
            valueName: "bytes|off"))
    var probe = WorkPlan.ProbeMode.bytes

    @OptionGroup var parallel: JobsOption
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        try assets.validate()
        guard minutes.isFinite, (0.01...100_000).contains(minutes) else {
            throw ValidationError("--minutes must be from 0.01 to 100000.")
        }
        let limit = engine?.shardLimit ?? WorkPlanOptions.usualShardLimit
        if let shards, !(1...limit).contains(shards) {
            throw ValidationError("--shards must be from 1 to \(limit).")
        }
    }

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        let batch = BatchRun(general, "planning")
        let tally = RerenderTally(batch, isExplaining: false, isDryRun: true)
        // Without an order and a limit, photos that are up to date need only be counted.
        let selection: WorkSelection
        let count: Int
        if let all = assets.optionsForAll, !force, !batch.output.isJSON {
            selection = .matching(all)
            count = try Asset.count(in: library, options: all)
        } else {
            let identifiers = try await assets.identifiers(in: library)
            (selection, count) = (.named(identifiers), identifiers.count)
        }
        let jobs = JobsOption.jobs(parallel.jobs, for: count)
        let report = try await batch.run(on: count, jobs: jobs) { host in
            try await host.planWork(
                selection, in: library, to: folder, options: options(jobs: jobs),
                upToDate: tally.add(upToDate:),
                planned: missingExtensions == .fail
                    ? { try $0.requireNoMissing(Self.nothingPlanned) } : nil,
                report: tally.add)
        }
        try print(report, batch.output)
        try tally.end()
    }

    private static let nothingPlanned =
        "nothing was planned (use --missing skip to plan the others)"

    private func options(jobs: Int) -> WorkPlanOptions {
        var options = WorkPlanOptions(jobs: jobs)
        options.force = force
        options.minutes = minutes
        options.shards = shards
        options.engine = engine
        options.copiesInputs = inputs == .copy
        options.probe = probe
        return options
    }

    private func print(_ report: WorkPlanReport?, _ output: CommandOutput) throws {
        guard let report else {
            output.message("nothing to render; no plan was written")
            return
        }
        let plan = report.plan
        if report.kindsWithoutProbe > 0 {
            output.message(
                (report.kindsWithoutProbe == 1
                    ? "1 kind of photo has" : "\(report.kindsWithoutProbe) kinds of photos have")
                    + " no probe, because two renderings had different bytes")
        }
        let shards = plan.shards.count
        let minutes = String(format: "%.1f", report.minutesPerShard)
        try output.printJSON([
            "plan": report.hash.hex, "folder": folder, "jobs": plan.jobCount, "shards": shards,
            "minutes": report.minutesPerShard, "probes": plan.probes.count,
            "probe": plan.probe.rawValue, "submit": report.submission,
        ])
        try output.printText([
            "plan \(report.hash)",
            "\(plan.jobCount) to render in \(shards) shard\(shards == 1 ? "" : "s") of at most "
                + "\(minutes) minutes of one core\(plan.probe == .off ? ", without probes" : "")",
            "submit with: \(report.submission)",
        ])
    }
}
