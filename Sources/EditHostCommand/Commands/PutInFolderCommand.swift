// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost album folder put`.
struct PutInFolderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Move albums and folders to the end of a folder.",
        discussion: """
            Several albums and folders are moved in one transaction: either all of them or none.
            """,
        examples: """
            edithost album folder put Summer Autumn --folder 2024
            edithost album folder put Summer --top
            """)

    @Argument(
        help: ArgumentHelp("The albums and folders.", valueName: "album"),
        completion: .albumOrFolder)
    var collections: [String]

    @Option(
        help: ArgumentHelp("Move them into this folder.", valueName: "folder"),
        completion: .folder)
    var folder: String?

    @Flag(help: "Move them to the top level.")
    var top = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        guard (folder != nil) != top else {
            throw ValidationError("Give either --folder or --top.")
        }
    }

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let list = try folder.map { try library.collectionList(named: $0) }
        let children = try collections.map { try library.collection(named: $0) }
        try library.commit {
            let request =
                try list.map { try CollectionListChangeRequest(for: $0) }
                ?? CollectionListChangeRequest.forTopLevelUserCollections()
            try request.addChildCollections(children)
        }
        for child in children {
            try general.printCollection(child.localIdentifier, in: library, "moved")
        }
    }
}
