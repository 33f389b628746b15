// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import Library

/// What an exported file says besides its pixels.
enum ExportedMetadata: String, ExpressibleByArgument, CaseIterable {
    case original, none
}

/// `edithost export`
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Copy pictures out of the library.",
        discussion: """
            Without --format, --quality, --size, --metadata and --no-location the stored bytes are \
            copied as they are. \
            Nothing is overwritten: where a name is taken, the file gets -1, -2 and so on.
            """,
        examples: """
            edithost export --all --to exported
            edithost export 3f2a --format avif --size 1600x1600 --to exported
            edithost export --album Summer --version original --to originals
            edithost export --album Summer --no-location --to public
            """)

    @OptionGroup var assets: AssetOptions

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The folder; it is made where there is none.", valueName: "folder"),
        completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(
            "current: with all edits; unadjusted: without any, upright; original: as imported.",
            valueName: "version"))
    var version = ExportOptions.Version.current

    @Option(help: ArgumentHelp("The format to convert to.", valueName: "format"))
    var format: MediaFormat?

    @Option(
        help: ArgumentHelp(
            "The quality of a format with loss, 1 to 100; without it 92.", valueName: "number"))
    var quality: Int?

    @Option(
        help: ArgumentHelp(
            "The box that the picture has to fit into; it is never enlarged.",
            valueName: "widthxheight"))
    var size: PixelSize?

    @Option(
        help: ArgumentHelp(
            "original: what the photograph's file says, but for what an edit made false; none: only "
                + "the colour profile.",
            valueName: "metadata"))
    var metadata = ExportedMetadata.original

    @Flag(help: "Leave out where it was taken, in EXIF, XMP and IPTC.")
    var noLocation = false

    @Option(
        help: ArgumentHelp(
            "How many at once; without it as many as there are processors.", valueName: "number"))
    var jobs: Int?

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        if let quality, !(1...100).contains(quality) {
            throw ValidationError("--quality must be from 1 to 100.")
        }
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
        let isConverted = format != nil || quality != nil || size != nil
        if version == .original, isConverted || noLocation || metadata != .original {
            throw ValidationError(
                "--version original is exported byte for byte; leave out --format, --quality, "
                    + "--size, --metadata and --no-location, or say --version unadjusted.")
        }
    }

    private var options: ExportOptions {
        var options = ExportOptions()
        options.version = version
        options.format = format
        options.quality = quality
        options.size = size
        options.includesMetadata = metadata == .original
        options.includesLocation = !noLocation
        return options
    }

    func run() async throws {
        let output = general.output
        let library = try libraryOptions.open(for: .reading)
        let identifiers = try assets.identifiers(in: library)
        output.progress.begin("exporting", of: identifiers.count)
        defer { output.progress.end() }
        let jobs = GeneralOptions.jobs(jobs, for: identifiers.count)
        let failures = try await general.withHost(jobs: jobs) { host in
            try await Interruption().run {
                try await export(identifiers, from: library, with: host, output)
            }
        }
        let status = ExitStatus(failures: failures, of: identifiers.count)
        if status != .done { throw CommandEnd(status: status) }
    }

    private func export(
        _ identifiers: [String], from library: PhotoLibrary, with host: ExtensionHost,
        _ output: Output
    ) async throws -> [any Error] {
        var failures: [any Error] = []
        try await host.export(identifiers, from: library, to: folder, options) { result in
            let identifier = result.assetIdentifier
            switch result.path {
            case .success(let path):
                try output.print(["id": .string(identifier), "path": .string(path)], path)
            case .failure(let error):
                try Task.checkCancellation()
                failures.append(error)
                try output.printJSON([
                    "id": .string(identifier), "path": nil, "error": JSONValue(error),
                ])
                output.failure(error, of: identifier)
            }
            output.progress.advance()
        }
        return failures
    }
}
