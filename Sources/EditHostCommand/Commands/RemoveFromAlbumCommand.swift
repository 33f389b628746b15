// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// `edithost album remove`
struct RemoveFromAlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take photographs out of an album. They stay in the library.",
        discussion: "Several photographs are one change: all, or none.",
        examples: """
            edithost album remove Summer 3f2a
            """)

    @Argument(help: ArgumentHelp("The album.", valueName: "album"), completion: .album)
    var from: String

    @OptionGroup var assets: AssetOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let collection = try library.assetCollection(named: from)
        let photographs = try assets.references(in: library)
        try library.commit {
            try AssetCollectionChangeRequest(for: collection).removeAssets(photographs)
        }
        try general.printCollection(collection.localIdentifier, in: library, "has")
    }
}
