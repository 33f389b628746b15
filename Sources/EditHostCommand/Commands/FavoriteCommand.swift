// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONOutput
import Library

/// The command `edithost favorite`.
struct FavoriteCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite",
        abstract: "Mark or unmark favourites.",
        discussion: """
            Several photos are changed in one transaction: either all of them or none.
            """,
        examples: """
            edithost favorite 3f2a 9c41
            edithost favorite --rating 5
            edithost favorite 3f2a --off
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions

    @Flag(help: "Unmark them.")
    var off = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let names = try assets.names
        let library = try libraryOptions.open(for: .changing)
        let selected = try await assets.identifiers(in: library, named: names, general)
        try library.change(selected) { $0.isFavorite = !off }
        try library.readChanged(selected) { asset in
            let isFavorite = asset.isFavorite
            try general.output.print(
                asset.row,
                "\(asset.shortIdentifier)  \(isFavorite ? "a favourite" : "not a favourite")")
        }
    }
}
