// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command `edithost extensions upgrade`.
struct UpgradeExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Upgrade the recipes of an extension to its current format.",
        discussion: """
            Recipes in formats that the manifest lists in upgrades are rewritten in one \
            transaction. Undo restores the old recipes.
            """,
        examples: """
            edithost extensions upgrade look
            """)

    @OptionGroup var chosen: ExtensionArgument
    @OptionGroup var options: ReplacementOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws { try await options.run(chosen.name, nil, libraryOptions, general) }
}
