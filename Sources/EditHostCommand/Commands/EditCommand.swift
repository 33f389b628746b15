// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library
import Synchronization

/// `edithost edit`
struct EditCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit photographs with an extension.",
        discussion: """
            If the extension can continue the photograph's last edit, it updates that edit, \
            starting from the same input; otherwise it adds an edit. Several photographs are \
            edited in one transaction: either all of them or none. Ctrl-C cancels without \
            changing anything; with --keep-going, committed edits are kept. --then adds another \
            edit with its own extension and its own --set, --preset, --recipe or --from; all \
            edits of one command are undone in one step.
            """,
        examples: """
            edithost edit 3f2a --with sepia --set intensity=0.7
            edithost edit 3f2a --with croprotate --set angle=5 --set crop=0,0,1,0.8
            edithost edit 3f2a --with tint --preset warm --set strength=0.3
            edithost edit 3f2a --with sepia --then croprotate --set turns=1
            edithost edit 3f2a 9c41 --with sepia --keep-going
            edithost edit --album Summer --rating 4.. --with sepia
            edithost edit --all --preset faded
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

    @Flag(
        help: """
            For Live Photos: edit only the still; the motion is hidden until the edit is undone.
            """)
    var stillOnly = false

    @Flag(help: "Commit each photograph separately and continue after failures.")
    var keepGoing = false

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
            general.json = general.json || later.general.json
            general.verbose = general.verbose || later.general.verbose
            general.progress = general.progress || later.general.progress
            general.noSandbox = general.noSandbox || later.general.noSandbox
            libraryOptions.library = later.libraryOptions.library ?? libraryOptions.library
        }
        try requireWhatFits()
    }

    private func requireWhatFits() throws {
        guard edit.ownPreset == nil || edit.source == nil else {
            throw ValidationError("Use --preset or --from, not both; or add --with.")
        }
        guard edit.ownPreset != nil || edit.source != nil else {
            try edit.requireExtension(isAlone: false)
            guard edit.step == nil || laterWords.isEmpty else {
                throw ValidationError("--step updates one edit; leave out --then.")
            }
            return
        }
        guard edit.assignments.isEmpty, !edit.reset, edit.step == nil, edit.recipe == nil,
            laterWords.isEmpty
        else {
            throw ValidationError(
                "--set, --reset, --step, --recipe and --then need an extension; add --with."
            )
        }
    }

    func run() async throws {
        let cancellation = EditCancellation()
        let interruption = Interruption(cancelling: cancellation)
        let library = try libraryOptions.open(for: .changing) { _ in
            try interruption.allowCommit()
        }
        let edit = try await resolvedEdit()
        if let source = try source(edit, in: library) {
            var options = EditCopyOptions()
            options.stillOnly = stillOnly
            let work = AppliedEdits(
                source: source, options: options, library: library, cancellation: cancellation,
                interruption: interruption, output: general.output)
            return try await work.run(
                on: assets, each: keepGoing, general)
        }
        let output = general.output
        var request = try edit.request(in: library)
        request.stillOnly = stillOnly
        let wanted = request
        let identifiers = keepGoing ? nil : try assets.identifiers(in: library)
        let jobs = GeneralOptions.jobs(nil, for: identifiers?.count ?? .max)
        output.progress.begin("editing", of: identifiers?.count)
        defer { output.progress.end() }
        let committed = Count()
        do {
            try await general.withHost(jobs: jobs) { host in
                let work = Edits(
                    host: host, library: library, request: wanted, cancellation: cancellation,
                    interruption: interruption, output: output, committed: committed)
                try await interruption.run {
                    guard let identifiers else { return try await work.each(assets) }
                    try await work.allOrNone(identifiers)
                }
            }
        } catch is CancellationError where keepGoing {
            throw CommandEnd.cancelled(
                committed.value.withLock { $0 }, "edited", output.progress)
        } catch is CancellationError {
            throw CommandEnd(status: .interrupted, message: "cancelled; nothing was changed")
        }
    }

    /// Returns the edit options. If the user has no preset of the given name, the extension that offers one is
    /// filled in.
    private func resolvedEdit() async throws -> EditOptions {
        guard let name = edit.ownPreset,
            try !PresetFolder(GeneralOptions.standardConfiguration).contains(name)
        else { return edit }
        let offered = try await general.withHost { try $0.offeredPreset(named: name) }
        guard let offered else { return edit }
        var edit = edit
        edit.extensionName = offered.extensionIdentifier
        return edit
    }

    /// Returns the source of several edits; `nil` if there is a single edit.
    private func source(_ edit: EditOptions, in library: PhotoLibrary) throws -> EditSource? {
        if let name = edit.ownPreset {
            let presets = try PresetFolder(GeneralOptions.standardConfiguration)
            return .preset(try presets.preset(named: name))
        }
        if let name = edit.source {
            return .asset(try library.asset(named: name).localIdentifier)
        }
        guard !laterWords.isEmpty else { return nil }
        let all = try [edit] + laterEdits.map(\.edit)
        return .requests(try all.map { try $0.request(in: library) })
    }
}

/// A counter of committed edits.
private final class Count: Sendable {
    let value = Mutex(0)
}

/// The work of editing photographs with one extension, with its output.
private struct Edits: Sendable {
    let host: ExtensionHost
    let library: PhotoLibrary
    let request: EditRequest
    let cancellation: EditCancellation
    let interruption: Interruption
    let output: CommandOutput
    let committed: Count

    /// Warns in advance about content that edited videos lose.
    private func warn(_ identifiers: [String]) async {
        for identifier in identifiers {
            guard let losses = try? await host.losses(byEditing: identifier, in: library) else {
                continue
            }
            output.message("\(ShortIdentifier.of(identifier)): \(losses)")
        }
    }

    /// Edits all photographs in one transaction.
    func allOrNone(_ identifiers: [String]) async throws {
        await warn(identifiers)
        do {
            let results = try await host.edit(
                identifiers, request, in: library, cancellation: cancellation,
                progressHandler: report, finished: { output.progress.advance(past: $0) })
            for result in results { try print(result) }
        } catch {
            guard let culprit = Self.asset(in: error), ExitStatus(error) != .interrupted else {
                throw error
            }
            for identifier in identifiers {
                let reason =
                    identifier == culprit
                    ? error : NotCommitted(culprit: culprit)
                try output.printJSON(failed(identifier, reason))
            }
            output.failure(error, of: culprit)
            if identifiers.count > 1, !output.isJSON { output.message("nothing was committed") }
            throw CommandEnd(status: ExitStatus(error))
        }
    }

    /// Edits and commits each photograph separately.
    func each(_ assets: AssetSelection) async throws {
        // An error in the extension or the parameters would affect all photographs, so it is reported once.
        let installed = try host.extensions.catalogue.installed(named: request.extensionName)
        _ = try installed.manifest?.values(for: request)
        var failures: [any Error] = []
        let identifiers = try assets.identifiers(in: library) { name, error in
            failures.append(error)
            try tell(error, of: name)
        }
        output.progress.setTotal(identifiers.count)
        let count = identifiers.count + failures.count
        var isCutShort = false
        await warn(identifiers)
        try await host.editEach(
            identifiers, request, in: library, cancellation: cancellation,
            progressHandler: report
        ) { identifier, result in
            switch result {
            case .success(let result):
                if result.status == .committed { committed.value.withLock { $0 += 1 } }
                output.progress.advance(past: identifier)
                try print(result)
            case .failure(let error):
                // Other edits in flight may already be committed.
                if ExitStatus(error) == .interrupted {
                    isCutShort = true
                    return
                }
                failures.append(error)
                output.progress.advance(past: identifier)
                try tell(error, of: identifier)
            }
        }
        if isCutShort { throw CancellationError() }
        let status = ExitStatus(failures: failures, of: count)
        if status != .done { throw CommandEnd(status: status) }
    }

    private func tell(_ error: any Error, of name: String) throws {
        try output.printJSON(failed(Self.asset(in: error) ?? name, error))
        output.failure(error, of: name)
    }

    /// Shows the progress that an extension reports.
    private func report(_ identifier: String, _ progress: EditProgress) {
        // Progress output would overwrite the question to the user.
        guard interruption.isQuiet else { return }
        output.progress.report(progress, of: identifier)
    }

    private static func asset(in error: any Error) -> String? {
        (error as? HostError)?.assetIdentifier ?? (error as? LibraryError)?.assetIdentifier
    }

    private func print(_ result: EditResult) throws {
        let short = ShortIdentifier.of(result.assetIdentifier)
        try output.print(
            [
                "id": result.assetIdentifier, "extension": result.extensionIdentifier,
                "input": result.input.rawValue, "edit": result.editIdentifier,
                "rendition": result.rendition?.hex, "status": result.status.rawValue,
                "warnings": result.warnings, "error": nil,
            ],
            result.status == .unchanged
                ? "\(short)  unchanged by \(result.extensionIdentifier)"
                : "\(short)  \(result.extensionIdentifier) \(result.isUpdate ? "updated" : "added")"
        )
        for warning in result.warnings { output.message("\(short): \(warning)") }
    }

    private func failed(_ identifier: String, _ error: any Error) -> JSONRow {
        let installed = try? host.extensions.catalogue.installed(named: request.extensionName)
        return [
            "id": identifier, "extension": installed?.identifier ?? request.extensionName,
            "input": nil, "edit": nil, "rendition": nil, "status": "failed", "warnings": [String](),
            "error": ExitStatus.words(for: error),
        ]
    }
}

/// The error of valid photographs in an all-or-none edit that failed.
private struct NotCommitted: Error, CustomStringConvertible {
    let culprit: String

    var description: String {
        "nothing was committed, because asset \(culprit) failed; leave it out, or use "
            + "--keep-going"
    }
}
