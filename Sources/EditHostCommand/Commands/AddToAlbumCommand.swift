// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost album add`.
struct AddToAlbumCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add photos to the end of an album.",
        discussion: """
            Photos already in the album keep their positions. Several photos are added \
            in one transaction: either all of them or none.
            """,
        examples: """
            edithost album add Summer 3f2a 9c41
            edithost album add Summer --text beach --sort date
            """)

    @OptionGroup var album: AlbumArgument

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let photos = try await assets.references(in: library)
        try album.change(in: library, general) { try $0.addAssets(photos) }
    }
}
