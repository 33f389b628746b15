// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import JSONOutput
import Library

/// The command `edithost rerender`.
struct RerenderCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "rerender",
        abstract: "Render edited pictures again from their recipes.",
        discussion: """
            Only stale pictures are rendered again: those that are missing, and those whose \
            extension or its files, or edithost itself, have changed since they were rendered. \
            Rendering again is not an edit and cannot be undone.
            """,
        examples: """
            edithost rerender --all
            edithost rerender --all --dry-run --explain
            edithost rerender --all --missing fail --nice
            edithost rerender --all --memory 2G
            edithost rerender --edited-by sepia --sort added:desc --limit 100
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions

    @Flag(help: "Render again even if nothing has changed.")
    var force = false

    @Flag(help: "Print what would be done, without doing it.")
    var dryRun = false

    @Flag(
        help: """
            Print a summary of the reasons, then the reasons for each photo, including those \
            that are up to date.
            """)
    var explain = false

    @Option(
        help: ArgumentHelp(
            "What to do if extensions are missing or unusable: skip renders the other "
                + "photos, and fail renders nothing. Short forms: --missing skip and "
                + "--missing fail.",
            valueName: "skip|fail"))
    var missingExtensions = Missing.skip

    enum Missing: String, ExpressibleByArgument, CaseIterable {
        case skip, fail
    }

    @OptionGroup var limits: LimitOptions

    @OptionGroup var parallel: JobsOption

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: dryRun ? .reading : .changing)
        let batch = BatchRun(general, "rendering", kept: "rendered")
        let output = batch.output
        // If up-to-date photos are not listed, they need only be counted.
        if let all = assets.optionsForAll, !force, !explain, !output.isJSON {
            let count = try Asset.count(in: library, options: all)
            return try await run(batch, on: count) {
                try await $0.rerender(
                    matching: all, in: library, options: options(jobs: $2, output),
                    waiting: { reportWait(for: $0, output) },
                    planned: isPlanned ? { try printPlan($0, output) } : nil,
                    upToDate: $1.add(upToDate:), report: $1.add)
            }
        }
        let identifiers = try await assets.identifiers(in: library)
        try await run(batch, on: identifiers.count) {
            try await $0.rerender(
                identifiers, in: library, options: options(jobs: $2, output),
                waiting: { reportWait(for: $0, output) },
                planned: isPlanned ? { try printPlan($0, output) } : nil, report: $1.add)
        }
    }

    private func options(jobs: Int, _ output: CommandOutput) -> RerenderOptions {
        var options = RerenderOptions(jobs: jobs)
        options.force = force
        options.dryRun = dryRun
        options.memory = limits.memory?.bytes
        options.progressHandler = { output.progress.report($1, of: $0) }
        return options
    }

    /// Runs the work on `count` photos, and prints the results.
    private func run(
        _ batch: BatchRun, on count: Int,
        _ work: @escaping @Sendable (ExtensionHost, RerenderTally, _ jobs: Int) async throws -> Void
    ) async throws {
        limits.lowerPriority()
        let tally = RerenderTally(batch, isExplaining: explain, isDryRun: dryRun)
        let jobs = JobsOption.jobs(parallel.jobs, for: count)
        try await batch.run(on: count, jobs: jobs) { try await work($0, tally, jobs) }
        try tally.end()
    }
}

extension RerenderCommand {
    private func reportWait(for count: Int, _ output: CommandOutput) {
        output.message(
            count == 1
                ? "waiting for a photo that another process is rendering"
                : "waiting for \(count) photos that other processes are rendering")
    }

    /// `true` if the work must be planned in advance.
    private var isPlanned: Bool { explain || missingExtensions == .fail }

    /// Prints the plan. Throws an error if an extension is missing and `--missing fail` is given.
    private func printPlan(_ plan: RerenderPlan, _ output: CommandOutput) throws {
        if missingExtensions == .fail {
            try plan.requireNoMissing(
                "nothing was rendered (use --missing skip to render the others)")
        }
        guard explain else { return }
        let reasons = plan.reasons.map(Self.words)
        try output.print(
            [
                "plan": [
                    "stale": plan.staleCount, "upToDate": plan.upToDateCount,
                    "failed": plan.failures.count,
                    "reasons": plan.reasons.map(Self.row),
                    "failures": plan.failureReasons.map(Self.row),
                ] as JSONRow
            ],
            "\(plan.staleCount) stale\(reasons.isEmpty ? "" : ": ")\(reasons.joined(separator: ", ")); "
                + "\(plan.upToDateCount) up to date"
                + (plan.failures.isEmpty
                    ? ""
                    : "; \(plan.failures.count) cannot be rendered: "
                        + plan.failureReasons.map(Self.words)
                        .joined(separator: ", ")))
    }

    private static func row(_ reason: String, _ count: Int) -> JSONRow {
        ["reason": reason, "count": count]
    }

    private static func words(_ reason: String, _ count: Int) -> String {
        let isMissing = count > 1 && reason == "its file is missing"
        return "\(count) because \(isMissing ? "their files are missing" : reason)"
    }
}
