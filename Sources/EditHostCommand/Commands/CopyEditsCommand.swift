// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library

/// `edithost copy-edits`
struct CopyEditsCommand: AssetCommand {
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

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order of those filtered, or of all") var order: OrderOptions

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

    @Flag(help: "Commit each photograph's edits by themselves, and go on after a failure.")
    var keepGoing = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let cancellation = EditCancellation()
        let interruption = Interruption(cancelling: cancellation)
        let library = try libraryOptions.open(for: .changing) { _ in
            try interruption.allowCommit()
        }
        let source = try library.asset(withIdentifierPrefix: from).localIdentifier
        var options = EditCopyOptions()
        options.extensionNames = only.isEmpty ? nil : only
        options.replacesEdits = place == .replace
        options.stillOnly = stillOnly
        let work = AppliedEdits(
            source: .asset(source), options: options, library: library, cancellation: cancellation,
            interruption: interruption, output: general.output)
        try await work.run(on: assets, each: keepGoing, general)
    }
}
