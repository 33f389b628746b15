// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// `edithost hide`
struct HideCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hide",
        abstract: "Leave photographs out of lists, or show them again.",
        discussion: """
            They stay in the library, can be named by their identifiers, and are listed with \
            --hidden. Several photographs are one change: all, or none.
            """,
        examples: """
            edithost hide 3f2a
            edithost hide 3f2a --off
            """)

    @OptionGroup var photographs: ChangedAssets

    @Flag(help: "Show them again.")
    var off = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        for asset in try photographs.change(in: library, { $0.isHidden = !off }) {
            try general.output.print(
                .object(asset.jsonMembers),
                "\(asset.shortIdentifier)  \(asset.isHidden ? "hidden" : "shown")")
        }
    }
}
