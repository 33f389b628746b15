// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost album remove`.
struct RemoveFromAlbumCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove photos from an album. They are kept in the library.",
        discussion: """
            Several photos are removed in one transaction: either all of them or none.
            """,
        examples: """
            edithost album remove Summer 3f2a
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
        try album.change(in: library, general) { try $0.removeAssets(photos) }
    }
}
