// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library

/// The command `edithost copy-edits`.
struct CopyEditsCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy-edits",
        abstract: "Copy edits from one photo to others.",
        discussion: """
            The recipes are applied in order, on top of the existing edits or, with \
            --replace, instead of them. If the last edits of a photo are the same as the copied \
            ones, the photo is not changed. Several photos are edited in one transaction: either \
            all of them or none. For each photo, one undo removes the copied edits. The source \
            photo is skipped if a filter matches it.
            """,
        examples: """
            edithost copy-edits 3f2a 9c41 77d0
            edithost copy-edits 3f2a --album Summer --only sepia
            edithost copy-edits 3f2a 9c41 --replace
            """)

    @Argument(
        help: ArgumentHelp(
            "The photo to copy from: its identifier, or a unique prefix of it.",
            valueName: "from"),
        completion: .asset)
    var from: String

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions

    @Option(
        help: ArgumentHelp(
            "Copy only edits with this extension; may be repeated.", valueName: "extension"))
    var only: [String] = []

    @Flag(exclusivity: .exclusive)
    var place: EditPlace?

    @Flag(
        help: """
            For Live Photos: edit only the still; the motion is hidden until the edit is undone.
            """)
    var stillOnly = false

    @Flag(help: "Commit each photo separately and continue after failures.")
    var keepGoing = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let run = try EditingRun(general, libraryOptions, each: keepGoing)
        let source = try run.library.asset(named: from).localIdentifier
        var options = EditCopyOptions()
        options.extensionNames = only.isEmpty ? nil : only
        options.replacesEdits = place == .replace
        options.repeatsEdits = place == .append
        options.stillOnly = stillOnly
        try await run.apply(.asset(source), options, to: .selected(assets))
    }
}
