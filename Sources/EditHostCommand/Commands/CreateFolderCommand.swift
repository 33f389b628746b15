// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost album folder create`.
struct CreateFolderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create an empty folder.",
        examples: """
            edithost album folder create 2024
            edithost album folder create Trips --folder 2024
            """)

    @Argument(help: ArgumentHelp("The title.", valueName: "title"))
    var title: String

    @Option(
        help: ArgumentHelp("Create it in this folder.", valueName: "folder"),
        completion: .folder)
    var folder: String?

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let list = try folder.map { try library.collectionList(named: $0) }
        var made: CollectionPlaceholder?
        try library.commit {
            made = try CollectionListChangeRequest(creatingWithTitle: title, in: list)
                .placeholderForCreatedCollectionList
        }
        if let made { try general.printCollection(made.localIdentifier, in: library, "created") }
    }
}
