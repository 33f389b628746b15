// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// `edithost favorite`
struct FavoriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite",
        abstract: "Make photographs favourites, or ordinary ones again.",
        discussion: "Several photographs are one change: all, or none.",
        examples: """
            edithost favorite 3f2a 9c41
            edithost favorite 3f2a --off
            """)

    @OptionGroup var photographs: ChangedAssets

    @Flag(help: "They are favourites no longer.")
    var off = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        for asset in try photographs.change(in: library, { $0.isFavorite = !off }) {
            let isFavorite = asset.isFavorite
            try general.output.print(
                .object(asset.jsonMembers),
                "\(asset.shortIdentifier)  \(isFavorite ? "a favourite" : "not a favourite")")
        }
    }
}
