// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost album folder rename`.
struct RenameFolderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename a folder.",
        examples: """
            edithost album folder rename 2024 "The year 2024"
            """)

    @Argument(help: ArgumentHelp("The folder.", valueName: "folder"), completion: .folder)
    var folder: String

    @Argument(help: ArgumentHelp("The new title.", valueName: "title"))
    var title: String

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let list = try library.collectionList(named: folder)
        try library.commit { try CollectionListChangeRequest(for: list).title = title }
        try general.printCollection(list.localIdentifier, in: library, "renamed")
    }
}
