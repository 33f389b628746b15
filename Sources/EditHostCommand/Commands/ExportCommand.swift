// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import JSONOutput
import Library

/// The command `edithost export`.
struct ExportCommand: AssetCommand {
    /// The command has options for the written files, so filters of the same names have other names.
    enum Names: FilterNames {
        static let taken: Set = ["format", "no-location"]
    }

    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export photos and videos to a folder.",
        discussion: """
            Without --format, --quality, --size, --profile, --metadata, --no-location and \
            --no-people, a photo without edits is copied byte for byte; other files get the library's \
            metadata. A JPEG is not re-encoded if only its metadata changes. A record in the \
            folder, .edithost-export.jsonl, lets the next export write only files that have \
            changed or are missing. Files that were not written by an export, or were modified \
            since, are never replaced or removed; if a name is taken, the new file gets a suffix \
            such as -1. If a photo is exported again with different settings, its earlier file \
            is replaced. If its name changes, the earlier file is kept and reported until an \
            export with --prune. Stale pictures, whose extension or edithost has changed, are \
            first rendered again in the library, as by rerender.
            """,
        examples: """
            edithost export --all --to exported --explain
            edithost export --favorite --to best --prune --dry-run
            edithost export 3f2a --format avif --size 1600x1600 --to exported
            edithost export --all --version original --with-companions --to originals
            edithost export --all --version print --to prints  # a saved version
            edithost export 3f2a --metadata copyright --profile srgb --to public
            edithost export --album Summer --no-location --no-people --to public
            edithost export 3f2a --video-codec hevc --crf 24 --height 720 --to small
            edithost export --all --preset web --to site
            edithost export --all --sidecar xmp --to exported
            edithost export --all --name "{date:%Y/%m}/{name}{sequence}" --to tree
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: AssetFilterOptions<Names>
    @OptionGroup(title: "Order") var order: OrderOptions

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The output folder; created if it does not exist.", valueName: "folder"),
        completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(
            "current: with all edits; unadjusted: without edits, upright; original: the imported "
                + "bytes; otherwise the name of a saved version.",
            discussion: """
                With filters or --all, photos without the saved version are skipped and counted. \
                If they are given by identifier, their export fails.
                """,
            valueName: "version"))
    var version = ExportedVersion.standard(.current)

    @Option(
        help: ArgumentHelp(
            "Use the settings of this JSON file, or of the file with this name in the folder "
                + "export-presets next to config.json; other options override them.",
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    var preset: String?

    @OptionGroup var settings: ExportSettings

    @Flag(
        help: """
            With --version original: also copy the AAE, XMP and RAW files that were imported with \
            it.
            """)
    var withCompanions = false

    @Option(
        help: ArgumentHelp(
            "Which files of earlier exports to write again: changed: those that would now be "
                + "different; never: none, only missing files; always: all.",
            valueName: "which"))
    var overwrite = ExportOptions.Overwriting.changed

    @Option(
        help: ArgumentHelp(
            "What to do with stale pictures, whose extension or edithost has changed: render: "
                + "render them again in the library first; keep: export them as stored. Short "
                + "forms: --stale render and --stale keep.",
            valueName: "render|keep"))
    var stalePictures = ExportOptions.StalePictures.render

    @Flag(
        help: """
            Remove files of earlier exports that this export would not write: other photos, \
            versions or names.
            """
    )
    var prune = false

    @Flag(
        help: """
            Print which files would be written and removed, without rendering or changing anything.
            """)
    var dryRun = false

    @Flag(help: "Explain why each file is written or skipped.")
    var explain = false

    @OptionGroup var limits: LimitOptions
    @OptionGroup var parallel: JobsOption

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        try assets.validate()
        if preset == nil { try settings.requireSize() }
        if prune, filters.stale {
            // The filter selects other photos once these have been rendered.
            throw ValidationError(
                "--prune would remove the files of photos that are not stale; leave out "
                    + "--prune or --stale.")
        }
        if withCompanions, version.standard != .original {
            throw ValidationError(
                "--with-companions needs --version original; add it, or leave out "
                    + "--with-companions.")
        }
    }

    private func options() throws -> ExportOptions {
        let configuration = GeneralOptions.standardConfiguration
        var options =
            try preset.map { try ExportPreset(named: $0, configuration).options } ?? ExportOptions()
        options.version = version.standard
        options.savedVersion = version.savedName
        options = try settings.options(over: options)
        options.includesCompanions = withCompanions
        options.overwriting = overwrite
        options.stalePictures = stalePictures
        options.prunes = prune
        options.isDryRun = dryRun
        return options
    }

    func run() async throws {
        let batch = BatchRun(
            general, dryRun ? "comparing" : "exporting", kept: dryRun ? nil : "exported",
            limits: limits)
        var options = try options()
        let library = try libraryOptions.open(for: .reading)
        let identifiers = try await identifiers(in: library)
        if prune, identifiers.isEmpty, assets.areNamed {
            throw ValidationError(
                "Standard input lists no photos; with --prune, all exported files would "
                    + "be removed.")
        }
        // A video that is explicitly named is exported.
        options.leavesVideos = !assets.areNamed || identifiers.count > 1
        let wanted = options
        try await batch.run(on: identifiers.count, jobs: parallel.jobs) { host in
            try await export(identifiers, from: library, with: host, wanted, batch)
        }
        try batch.end()
    }

    /// Returns the selected photos. A filter selects only those with the saved version.
    private func identifiers(in library: PhotoLibrary) async throws -> [String] {
        let identifiers = try await assets.identifiers(in: library)
        guard let name = version.savedName, !assets.areNamed else { return identifiers }
        // An ambiguous name is an error of the photo.
        let having = try identifiers.filter {
            NameMatch(name, among: try library.history(ofAsset: $0).versions.map(\.name)) != .none
        }
        if having.isEmpty, !identifiers.isEmpty {
            // With --prune, a misspelt name would remove all files.
            throw LibraryError(
                .noSuchVersion,
                "no selected photo has a version \"\(name)\"; all photos have the versions "
                    + "\(ExportOptions.Version.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let count = identifiers.count - having.count
        if count > 0 {
            general.output.message(
                "\(count.counted("photo")) without a version \"\(name)\" skipped")
        }
        return having
    }

    private func export(
        _ identifiers: [String], from library: PhotoLibrary, with host: ExtensionHost,
        _ options: ExportOptions, _ batch: BatchRun
    ) async throws {
        let output = batch.output
        var (written, left, videos) = (0, 0, 0)
        var pictures = ExportedPictures()
        let removals = try await host.export(
            identifiers, from: library,
            changing: { [libraryOptions] in try libraryOptions.open(for: .changingCurrentFormat) },
            to: folder, options, progressHandler: { output.progress.report($1, of: $0) }
        ) { result in
            let identifier = result.assetIdentifier
            switch result.path {
            case .success(let path):
                let isWritten = result.reason?.isWritten ?? true
                if isWritten { written += 1 } else { left += 1 }
                if isWritten, result.isLeftVideo { videos += 1 }
                if isWritten { pictures.add(result.picture) }
                try print(result, path, isWritten: isWritten, output)
                batch.finish(identifier)
            case .failure(let error):
                try Task.checkCancellation()
                try batch.fail(
                    identifier, error,
                    [
                        "id": identifier, "path": nil, "reason": nil, "change": nil,
                        "error": ExitStatus.words(for: error),
                    ])
            }
        }
        for path in removals.removed {
            try output.print(["path": path, "removed": true], "removed \(path)")
        }
        for path in removals.kept {
            output.message("\(path): kept: modified since it was exported")
        }
        for path in removals.keptBeside {
            output.message(
                "\(path): kept: a file exported with it was modified since it was exported")
        }
        if left > 0 { output.message("\(written) written, \(left) unchanged or kept") }
        if dryRun { output.message("dry run: nothing was written or removed") }
        for message in pictures.messages { output.message(message) }
        if videos > 0 { output.message(ExportedPictures.message(leftVideos: videos)) }
    }

    private func print(
        _ result: ExportResult, _ path: String, isWritten: Bool, _ output: CommandOutput
    ) throws {
        var row: JSONRow = [
            "id": result.assetIdentifier, "path": path, "reason": result.reason?.rawValue,
            "change": result.change, "written": isWritten, "replaced": result.removed,
            "kept": result.kept,
        ]
        if withCompanions || settings.sidecar != nil {
            row = row.adding(["companions": result.companions])
        }
        try output.printJSON(row)
        if explain {
            let change = result.change.map { ": \($0)" } ?? ""
            try output.printText(["\(path): \(result.reason?.words ?? "")\(change)"])
        } else if isWritten {
            try output.printText([path] + result.companions)
        }
        for removed in result.removed {
            try output.printText(["removed \(removed)"])
        }
        for warning in result.warnings { output.message("\(path): \(warning)") }
    }
}

extension ExportOptions.Overwriting: ExpressibleByArgument {}

extension ExportReason {
    /// The reason as text for messages.
    fileprivate var words: String {
        switch self {
        case .new: "written: new"
        case .content: "written: the picture has changed"
        case .rerendered: "written: re-rendered"
        case .metadata: "written: the metadata has changed"
        case .settings: "written: the export settings have changed"
        case .missing: "written: the file was missing"
        case .interrupted: "written: an earlier export was interrupted"
        case .always: "written: --overwrite always"
        case .unchanged: "unchanged"
        case .present: "unchanged: an identical file was already there"
        case .foreign: "kept: modified since it was exported"
        case .kept: "kept: changed in the library, but --overwrite never"
        }
    }
}
