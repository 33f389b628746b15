// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONOutput
import Library

/// The command `edithost hide`.
struct HideCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hide",
        abstract: "Hide photos from lists, or show them again.",
        discussion: """
            Hidden photos are kept in the library; list shows them with --hidden, and their \
            identifiers still work. Several photos are changed in one transaction: either \
            all of them or none.
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
        let names = try photographs.names
        let library = try libraryOptions.open(for: .changing)
        for asset in try library.change(names, { $0.isHidden = !off }) {
            try general.output.print(
                asset.row,
                "\(asset.shortIdentifier)  \(asset.isHidden ? "hidden" : "shown")")
        }
    }
}
