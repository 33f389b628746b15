// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command `edithost extensions upgrade`.
struct UpgradeExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Upgrade the recipes of an extension to its current format and data.",
        discussion: """
            Recipes in formats that the manifest lists in upgrades are rewritten in one \
            transaction. If these include the current format, the extension searches again for the \
            data in its recipes, such as those of lenses. Photos whose recipes do not change stay \
            as they are. Undo restores the old recipes.
            """,
        examples: """
            edithost extensions upgrade look
            edithost extensions upgrade lenscorrection
            """)

    @OptionGroup var chosen: ExtensionArgument
    @OptionGroup var options: ReplacementOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws { try await options.run(chosen.name, nil, libraryOptions, general) }
}
