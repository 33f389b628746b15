// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library

/// `edithost copy-edits`
struct CopyEditsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy-edits",
        abstract: "Give photographs the edits of another one.",
        discussion: """
            The recipes are applied in their order, above the edits that a photograph has, or with \
            --replace in place of them. Several photographs are one change: all are edited, or none; \
            each can be undone in one step. The photograph itself is left out where a filter finds it.
            """,
        examples: """
            edithost copy-edits 3f2a 9c41 77d0
            edithost copy-edits 3f2a --album Summer --only sepia
            edithost copy-edits 3f2a 9c41 --replace
            """)

    @Argument(
        help: ArgumentHelp(
            "The asset whose edits are copied, or a unique beginning of its identifier.",
            valueName: "from"),
        completion: .asset)
    var from: String

    @OptionGroup var assets: AssetOptions

    @Option(
        help: ArgumentHelp(
            "Copy the edits with this extension alone; may be repeated.", valueName: "extension"))
    var only: [String] = []

    @Flag(
        exclusivity: .exclusive,
        help: "In place of the edits that there are, or above them, which is the default.")
    var place = Place.append

    enum Place: String, EnumerableFlag {
        case replace, append
    }

    @Flag(
        help: "Of Live Photos, edit the still alone: the motion goes until the edit is undone.")
    var stillOnly = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let output = general.output
        let library = try libraryOptions.open(for: .changing)
        let source = try library.asset(withIdentifierPrefix: from).localIdentifier
        let targets = try assets.identifiers(in: library).filter { $0 != source }
        var options = EditCopyOptions()
        options.extensionNames = only.isEmpty ? nil : only
        options.replacesEdits = place == .replace
        options.stillOnly = stillOnly
        let wanted = options
        output.progress.begin("editing", of: targets.count)
        defer { output.progress.end() }
        let results = try await general.withHost(jobs: GeneralOptions.jobs(nil, for: targets.count))
        { host in
            try await Interruption().run {
                try await host.copyEdits(of: source, to: targets, wanted, in: library) { _ in
                    output.progress.advance()
                }
            }
        }
        output.progress.end()
        for result in results { try output.print(result, unchanged: "has these edits already") }
        if results.isEmpty { output.message("there is nothing to do") }
    }
}

extension Output {
    /// Prints what became of an asset's edits.
    func print(_ result: EditChainResult, unchanged: String) throws {
        let history = result.history
        let identifier = history.asset.localIdentifier
        let short = ShortIdentifier.of(identifier)
        let count = history.chain.count
        try print(
            [
                "id": .string(identifier),
                "edits": .array(history.chain.map { .string($0.identifier) }),
                "state": .integer(history.position),
                "status": .string(result.hasChanged ? "committed" : "unchanged"),
                "error": nil,
            ],
            result.hasChanged
                ? "\(short)  has \(count == 1 ? "1 edit" : "\(count) edits") now: "
                    + history.chain.map(\.author).joined(separator: ", ")
                : "\(short)  \(unchanged)")
        for warning in result.warnings { message("\(short): \(warning)") }
    }
}
