// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import JSONOutput

/// The command `edithost apply`.
struct ApplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Render picture files with edits, without a library.",
        discussion: """
            Each picture is edited with an extension or a preset and written to the output folder. \
            The files are the same as after an import, an edit and an export, and need no library. \
            Folders are searched recursively, as by import. The given files are not changed, and no \
            existing file is replaced: if a name is taken, the new file gets a suffix such as -1. \
            If an identical file is already there, nothing is written, so a command can be run \
            again.
            """,
        examples: """
            edithost apply --preset faded ~/Pictures/2024 --to faded
            edithost apply --with sepia --set intensity=0.7 a.jpg --to out
            edithost apply --preset look.json *.jpg --format webp --to site
            edithost apply --preset faded scans --keep-going --json --to out
            edithost apply --with sepia scans --dry-run --to out
            """)

    @Argument(
        help: ArgumentHelp("Files and folders.", valueName: "path"), completion: .file())
    var paths: [String]

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "The output folder; created if it does not exist. It cannot be in a folder that is "
                + "searched.", valueName: "folder"),
        completion: .directory)
    var folder: String

    @OptionGroup var edit: PresetOrExtensionOptions

    @OptionGroup(title: "Files") var settings: ExportSettings

    @OptionGroup var exclusion: ExclusionOption

    @Flag(help: "Continue after failures.")
    var keepGoing = false

    @Flag(
        help: """
            Print what would be rendered. The files are read as by import, but nothing is rendered \
            or written.
            """)
    var dryRun = false

    @OptionGroup var limits: LimitOptions
    @OptionGroup var parallel: JobsOption

    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        try settings.requireSize()
        guard edit.extensionName == nil else { return }
        guard edit.preset != nil else {
            throw ValidationError(
                "Give an edit: '--with <extension>' (and --set, --preset or --recipe), or "
                    + "'--preset <name>'.")
        }
        guard edit.parameters.assignments.isEmpty, edit.recipe.path == nil else {
            throw ValidationError("--set and --recipe need an extension; add --with.")
        }
    }

    func run() async throws {
        let options = try settings.options()
        let cancellation = EditCancellation()
        let batch = BatchRun(
            general, dryRun ? "reading" : "rendering", kept: dryRun ? nil : "written",
            cancelling: cancellation, limits: limits)
        let tally = ApplyTally(batch, keepsGoing: keepGoing, isDryRun: dryRun)
        let jobs = JobsOption.jobs(parallel.jobs, for: .max)
        let found = batch.output.progress.setTotal
        try await batch.run(on: nil, jobs: jobs) { host in
            let edits = try edits(host)
            if dryRun {
                return try await host.previewApply(
                    edits, toFilesAt: paths, writingTo: folder, options,
                    excluding: exclusion.patterns,
                    unused: { exclusion.report(unused: $0, general) }, found: found
                ) { try tally.add($0) }
            }
            try await host.apply(
                edits, toFilesAt: paths, writingTo: folder, options,
                excluding: exclusion.patterns, cancellation: cancellation,
                progressHandler: { batch.output.progress.report($1, of: $0) },
                unused: { exclusion.report(unused: $0, general) }, found: found
            ) { try tally.add($0) }
        }
        try tally.end()
    }

    /// Returns the edits: a preset of the user, or an edit with an extension.
    private func edits(_ host: ExtensionHost) throws -> EditSource {
        var edit = edit
        // A preset of an extension needs no --with if the user has none of that name.
        if try edit.needsOffer { try edit.addOfferingExtension(host) }
        if let name = edit.ownPreset { return try PresetOrExtensionOptions.ownPreset(name) }
        return .requests([edit.request])
    }
}
