// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import Library

/// The command `edithost work commit`.
struct CommitWorkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "commit",
        abstract: "Commit the results of a plan to the library.",
        discussion: """
            The photo, the edits, the key and the file of each result are verified. Results that \
            no longer apply are left for the next plan. The command can be run repeatedly and at \
            any time, even while shards are running.
            """,
        examples: """
            edithost work commit /shared/work
            edithost work commit /shared/work --follow --audit 1
            """)

    @Argument(help: "The folder of the plan.", completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(
            "The SHA-256 of plan.json, as work plan prints it. Any other plan is rejected.",
            valueName: "hash"))
    var plan: String?

    @Flag(
        help: "Wait for results until every photo has an outcome or its shard has ended.")
    var follow = false

    @Option(
        help: ArgumentHelp("The maximum number of results in one change.", valueName: "count"))
    var group = 100

    @Option(
        help: ArgumentHelp(
            "Render this percentage of the results again on this machine, and compare the bytes.",
            valueName: "percent"))
    var audit = 0.0

    @Flag(help: "Keep committed files in the folder.")
    var keep = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        guard plan == nil || expectedPlan != nil else {
            throw ValidationError("--plan must be a SHA-256, 64 hexadecimal digits.")
        }
        guard (1...10_000).contains(group) else {
            throw ValidationError("--group must be a number from 1 to 10000.")
        }
        guard (0.0...100.0).contains(audit) else {
            throw ValidationError("--audit must be a percentage from 0 to 100.")
        }
    }

    private var expectedPlan: SHA256Digest? { plan.flatMap { SHA256Digest(hex: $0) } }

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let batch = BatchRun(general, "committing", kept: "committed")
        var options = WorkCommitOptions()
        (options.follow, options.group, options.audit) = (follow, group, audit)
        options.keepsFiles = keep
        let tally = WorkCommitTally(batch)
        let (path, expected, chosen) = (folder, expectedPlan, options)
        let summary = try await batch.run(on: nil, jobs: 1) { host in
            try await host.commitWork(
                at: path, expecting: expected, into: library, options: chosen, report: tally.add)
        }
        try tally.end(summary, of: folder)
    }
}
