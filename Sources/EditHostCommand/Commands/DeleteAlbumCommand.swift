// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost album delete`.
struct DeleteAlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete albums. Their photos are kept in the library.",
        discussion: "Several albums are deleted in one transaction: either all of them or none.",
        examples: """
            edithost album delete Summer
            """)

    @Argument(help: ArgumentHelp("The albums.", valueName: "album"), completion: .album)
    var albums: [String]

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let collections = try albums.map { try library.assetCollection(named: $0) }
        // Photos in the trash lose the album, too.
        var options = FetchOptions.everything
        options.includeTrashedAssets = true
        let count = try collections.reduce(0) {
            try $0 + Asset.fetchAssets(in: $1, library: library, options: options).count
        }
        if count > 0 {
            try confirmation.confirm(
                "Delete \(collections.count.counted("album")) with \(count.counted("photo"))? "
                    + "The photos stay in the library.")
        }
        try library.commit {
            try AssetCollectionChangeRequest.deleteAssetCollections(collections)
        }
        for collection in collections {
            try general.output.print(
                ["id": collection.id],
                "\(ShortIdentifier.of(collection.id))  deleted  \(collection.title)")
        }
    }
}
