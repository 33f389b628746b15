// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONOutput
import Library

/// The command `edithost hide`.
struct HideCommand: AssetCommand {
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
            edithost hide --rating rejected
            edithost hide --all --off
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions

    @Flag(help: "Show them again.")
    var off = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let names = try assets.names
        let library = try libraryOptions.open(for: .changing)
        let selected = try await assets.identifiers(in: library, named: names, general)
        try library.change(selected) { $0.isHidden = !off }
        try library.readChanged(selected) { asset in
            try general.output.print(
                asset.row,
                "\(asset.shortIdentifier)  \(asset.isHidden ? "hidden" : "shown")")
        }
    }
}
