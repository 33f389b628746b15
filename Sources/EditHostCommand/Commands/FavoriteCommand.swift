// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONOutput
import Library

/// The command `edithost favorite`.
struct FavoriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite",
        abstract: "Mark or unmark favourites.",
        discussion: """
            Several photos are changed in one transaction: either all of them or none.
            """,
        examples: """
            edithost favorite 3f2a 9c41
            edithost favorite 3f2a --off
            """)

    @OptionGroup var photographs: ChangedAssets

    @Flag(help: "Unmark them.")
    var off = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let names = try photographs.names
        let library = try libraryOptions.open(for: .changing)
        for asset in try library.change(names, { $0.isFavorite = !off }) {
            let isFavorite = asset.isFavorite
            try general.output.print(
                asset.row,
                "\(asset.shortIdentifier)  \(isFavorite ? "a favourite" : "not a favourite")")
        }
    }
}
