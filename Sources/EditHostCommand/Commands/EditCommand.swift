// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library

/// The command `edithost edit`.
struct EditCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit photos with an extension.",
        discussion: """
            If the extension can continue the photo's last edit, it updates that edit, \
            starting from the same input; otherwise it adds an edit. Several photos are \
            edited in one transaction: either all of them or none. Ctrl-C cancels without \
            changing anything; with --keep-going, committed edits are kept. --then adds another \
            edit with its own extension and its own --set, --preset, --recipe or --from; all \
            edits of one command are undone in one step. If the last edits of a photo are the same \
            as the new ones, the photo is not changed, so a command can be run again.
            """,
        examples: """
            edithost edit 3f2a --with sepia --set intensity=0.7
            edithost edit 3f2a --with croprotate --set angle=5 --set crop=0,0,1,0.8
            edithost edit 3f2a --with tint --preset warm --set strength=0.3
            edithost edit 3f2a --with sepia --then croprotate --set turns=1
            edithost edit 3f2a 9c41 --with sepia --keep-going
            edithost edit --album Summer --rating 4.. --with sepia
            edithost edit --all --preset faded --memory 2G --nice
            edithost edit --album Summer --replace --preset faded
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions

    @OptionGroup var edit: EditOptions

    @Option(
        name: .customLong("then"), parsing: .remaining,
        help: ArgumentHelp(
            "Add another edit, followed by its options; may be repeated.",
            valueName: "extension"),
        completion: .installedExtension)
    var laterWords: [String] = []

    @Flag(exclusivity: .exclusive)
    var place: EditPlace?

    @Flag(
        help: """
            For Live Photos: edit only the still; the motion is hidden until the edit is undone.
            """)
    var stillOnly = false

    @Flag(help: "Commit each photo separately and continue after failures.")
    var keepGoing = false

    @OptionGroup var limits: LimitOptions
    @OptionGroup var parallel: JobsOption

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    /// The edits after each `--then`.
    private var laterEdits: [ThenEdit] {
        get throws { try ThenEdit.all(in: laterWords) }
    }

    mutating func validate() throws {
        try assets.validate()
        for later in try laterEdits {
            stillOnly = stillOnly || later.stillOnly
            keepGoing = keepGoing || later.keepGoing
            try take(later.place)
            limits.nice = limits.nice || later.limits.nice
            limits.memory = later.limits.memory ?? limits.memory
            parallel.jobs = later.parallel.jobs ?? parallel.jobs
            general.json = general.json || later.general.json
            general.verbose = general.verbose || later.general.verbose
            general.progress = general.progress || later.general.progress
            general.noSandbox = general.noSandbox || later.general.noSandbox
            libraryOptions.library = later.libraryOptions.library ?? libraryOptions.library
        }
        try requireWhatFits()
    }

    /// Takes the place of edits that is given after a `--then`.
    private mutating func take(_ later: EditPlace?) throws {
        guard let later else { return }
        guard place == nil || place == later else {
            throw ValidationError("Use --append or --replace, not both.")
        }
        place = later
    }

    private func requireWhatFits() throws {
        guard edit.step == nil || place == nil else {
            throw ValidationError("--step updates one edit; leave out --append and --replace.")
        }
        guard edit.base.ownPreset == nil || edit.source == nil else {
            throw ValidationError("Use --preset or --from, not both; or add --with.")
        }
        guard edit.base.ownPreset != nil || edit.source != nil else {
            try edit.requireExtension(isAlone: false)
            guard edit.step == nil || laterWords.isEmpty else {
                throw ValidationError("--step updates one edit; leave out --then.")
            }
            return
        }
        guard edit.base.parameters.assignments.isEmpty, !edit.reset, edit.step == nil,
            edit.base.recipe.path == nil, laterWords.isEmpty
        else {
            throw ValidationError(
                "--set, --reset, --step, --recipe and --then need an extension; add --with."
            )
        }
    }

    func run() async throws {
        let run = try EditingRun(
            general, libraryOptions, each: keepGoing, limits: limits, jobs: parallel.jobs)
        let edit = try await resolvedEdit()
        if let source = try source(edit, in: run.library) {
            var options = EditCopyOptions()
            options.stillOnly = stillOnly
            options.replacesEdits = place == .replace
            options.repeatsEdits = place == .append
            return try await run.apply(source, options, to: .selected(assets))
        }
        var request = try edit.request(in: run.library)
        request.stillOnly = stillOnly
        request.appends = place == .append
        try await run.edit(.selected(assets), request)
    }

    /// Returns the edit options. If the user has no preset of the given name, the extension that offers one is
    /// filled in.
    private func resolvedEdit() async throws -> EditOptions {
        guard try edit.base.needsOffer else { return edit }
        return try await general.withHost { [edit] host in
            var edit = edit
            try edit.base.addOfferingExtension(host)
            return edit
        }
    }

    /// Returns the source of several edits, or of edits that replace others; `nil` if there is a single edit.
    private func source(_ edit: EditOptions, in library: PhotoLibrary) throws -> EditSource? {
        if let name = edit.base.ownPreset { return try PresetOrExtensionOptions.ownPreset(name) }
        if let name = edit.source {
            return .asset(try library.asset(named: name).localIdentifier)
        }
        guard !laterWords.isEmpty || place == .replace else { return nil }
        let all = try [edit] + laterEdits.map(\.edit)
        return .requests(try all.map { try $0.request(in: library) })
    }
}
