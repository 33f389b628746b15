// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost album folder delete`.
struct DeleteFolderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: """
            Delete folders with all albums and folders in them. Photos are kept in the \
            library.
            """,
        discussion: "Several folders are deleted in one transaction: either all of them or none.",
        examples: """
            edithost album folder delete 2024
            """)

    @Argument(help: ArgumentHelp("The folders.", valueName: "folder"), completion: .folder)
    var folders: [String]

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let lists = try folders.map { try library.collectionList(named: $0) }
        let contents = try lists.reduce(0) {
            try $0 + CollectionList.fetchCollections(in: $1, library: library).count
        }
        if contents > 0 {
            try confirmation.confirm(
                "Delete \(lists.count.counted("folder")) with all albums and folders inside? "
                    + "The photos stay in the library.")
        }
        try library.commit { try CollectionListChangeRequest.deleteCollectionLists(lists) }
        for list in lists {
            try general.output.print(
                ["id": list.id],
                "\(ShortIdentifier.of(list.id))  deleted  \(list.title)")
        }
    }
}
