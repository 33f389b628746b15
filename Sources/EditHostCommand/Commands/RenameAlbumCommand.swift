// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// `edithost album rename`
struct RenameAlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename an album.",
        examples: """
            edithost album rename Summer "Summer 2024"
            """)

    @Argument(help: ArgumentHelp("The album.", valueName: "album"), completion: .album)
    var album: String

    @Argument(help: ArgumentHelp("The new title.", valueName: "title"))
    var title: String

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let collection = try library.assetCollection(named: album)
        try library.commit {
            try AssetCollectionChangeRequest(for: collection).title = title
        }
        try general.printCollection(collection.localIdentifier, in: library, "renamed")
    }
}
