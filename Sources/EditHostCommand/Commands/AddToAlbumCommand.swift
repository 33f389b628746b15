// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// `edithost album add`
struct AddToAlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Put photographs at the end of an album.",
        discussion: """
            Those that it has already stay where they are. Several photographs are one change: all, \
            or none.
            """,
        examples: """
            edithost album add Summer 3f2a 9c41
            edithost album add Summer --text beach --sort date
            """)

    @Argument(help: ArgumentHelp("The album.", valueName: "album"), completion: .album)
    var into: String

    @OptionGroup var assets: AssetOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let collection = try library.assetCollection(named: into)
        let photographs = try assets.references(in: library)
        try library.commit {
            try AssetCollectionChangeRequest(for: collection).addAssets(photographs)
        }
        try general.printCollection(collection.localIdentifier, in: library, "has")
    }
}
