// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library

/// `edithost edit`
struct EditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit photographs with an extension.",
        discussion: """
            An extension that can continue the last edit of a photograph replaces it, starting \
            from the untouched input; any other adds an edit. Several photographs are one change: \
            all are edited, or none. Ctrl-C cancels, and nothing is changed.
            """,
        examples: """
            edithost edit 3f2a --with sepia --set intensity=0.7
            edithost edit 3f2a --with croprotate --set angle=5 --set crop=0,0,1,0.8
            edithost edit 3f2a --with tint --preset warm --set strength=0.3
            edithost edit 3f2a --with sepia --set intensity=0.3 --step 1
            edithost edit 3f2a 9c41 --with sepia --keep-going
            """)

    @Argument(
        help: ArgumentHelp(
            "The assets' identifiers, or unique beginnings of them.", valueName: "id"),
        completion: .asset)
    var ids: [String]

    @OptionGroup var edit: EditOptions

    @Flag(
        help: "Of Live Photos, edit the still alone: the motion goes until the edit is undone.")
    var stillOnly = false

    @Flag(help: "Commit each photograph's edit by itself, and go on after a failure.")
    var keepGoing = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let output = general.output
        var request = edit.request
        request.stillOnly = stillOnly
        let wanted = request
        let cancellation = EditCancellation()
        let interruption = Interruption(cancelling: cancellation)
        let library = try libraryOptions.open(for: .changing) { _ in
            try interruption.allowCommit()
        }
        let jobs = GeneralOptions.jobs(keepGoing ? 1 : nil, for: ids.count)
        try await general.withHost(jobs: jobs) { host in
            let edits = Edits(
                host: host, library: library, request: wanted, cancellation: cancellation,
                interruption: interruption, output: output)
            output.progress.begin("editing", of: ids.count)
            defer { output.progress.end() }
            try await interruption.run {
                try await keepGoing ? edits.each(ids) : edits.allOrNone(ids)
            }
        }
    }
}

/// Edits photographs and prints what became of them.
private struct Edits: Sendable {
    let host: ExtensionHost
    let library: PhotoLibrary
    let request: EditRequest
    let cancellation: EditCancellation
    let interruption: Interruption
    let output: Output

    /// All in one change.
    func allOrNone(_ names: [String]) async throws {
        let identifiers = try library.identifiers(named: names)
        do {
            let results = try await host.edit(
                identifiers, request, in: library, cancellation: cancellation,
                progressHandler: report)
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

    /// Each by itself.
    func each(_ names: [String]) async throws {
        // What is wrong with the extension or the parameters is wrong for all of them.
        let installed = try host.extensions.catalogue.installed(named: request.extensionName)
        _ = try installed.manifest?.values(for: request)
        var done: Set<String> = []
        var failures: [any Error] = []
        for name in names {
            do {
                let identifier = try library.asset(withIdentifierPrefix: name).localIdentifier
                guard done.insert(identifier).inserted else { continue }
                let results = try await host.edit(
                    [identifier], request, in: library, cancellation: cancellation,
                    progressHandler: report)
                output.progress.advance(past: identifier)
                for result in results { try print(result) }
            } catch  where !(error is CommandEnd) && ExitStatus(error) != .interrupted {
                failures.append(error)
                done.insert(name)
                try output.printJSON(failed(Self.asset(in: error) ?? name, error))
                output.failure(error, of: name)
            }
        }
        let status = ExitStatus(failures: failures, of: done.count)
        if status != .done { throw CommandEnd(status: status) }
    }

    /// Shows how far an extension says that it is.
    private func report(_ identifier: String, _ fraction: Double) {
        // What the user is being asked stays readable.
        guard interruption.isQuiet else { return }
        output.progress.report(fraction, of: identifier)
    }

    private static func asset(in error: any Error) -> String? {
        (error as? HostError)?.assetIdentifier ?? (error as? LibraryError)?.assetIdentifier
    }

    private func print(_ result: EditResult) throws {
        let short = ShortIdentifier.of(result.assetIdentifier)
        try output.print(
            [
                "id": .string(result.assetIdentifier),
                "extension": .string(result.extensionIdentifier),
                "input": .string(result.input.rawValue),
                "edit": JSONValue(result.editIdentifier),
                "rendition": JSONValue(result.rendition?.hex),
                "status": .string(result.status.rawValue),
                "error": nil,
            ],
            result.status == .unchanged
                ? "\(short)  unchanged by \(result.extensionIdentifier)"
                : "\(short)  edited with \(result.extensionIdentifier), "
                    + "from the \(result.input.rawValue) picture")
        for warning in result.warnings { output.message("\(short): \(warning)") }
    }

    private func failed(_ identifier: String, _ error: any Error) -> JSONValue {
        let installed = try? host.extensions.catalogue.installed(named: request.extensionName)
        return [
            "id": .string(identifier),
            "extension": .string(installed?.identifier ?? request.extensionName), "input": nil,
            "edit": nil, "rendition": nil, "status": "failed",
            "error": JSONValue(error),
        ]
    }
}

/// Why a photograph of an all-or-none edit was not edited that is itself in order.
private struct NotCommitted: Error, CustomStringConvertible {
    let culprit: String

    var description: String {
        "nothing was committed, because asset \(culprit) failed; leave it out, or --keep-going"
    }
}
