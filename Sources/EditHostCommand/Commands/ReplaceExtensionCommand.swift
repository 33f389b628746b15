// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command `edithost extensions replace`.
struct ReplaceExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replace",
        abstract: "Replace one extension with another in all edits.",
        discussion: """
            Use this for extensions that are no longer available or have a successor. The new \
            extension must accept every recipe. Recipes in formats that its manifest lists in \
            upgrades are rewritten; others are not changed. The photos are rendered again, and all \
            changes are made in one transaction. Undo restores the old edits.
            """,
        examples: """
            edithost extensions replace org.example.old org.example.new
            edithost extensions replace old new --keep-going
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension that made the edits, installed or not: its identifier, or its last "
                + "part.",
            valueName: "old"),
        completion: .editor)
    var old: String

    @Argument(
        help: ArgumentHelp("The extension to use instead.", valueName: "new"),
        completion: .installedExtension)
    var new: String

    @OptionGroup var options: ReplacementOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws { try await options.run(old, new, libraryOptions, general) }
}
