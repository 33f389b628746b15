// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// `edithost album folder`
struct FolderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "folder",
        abstract: "Create and change folders of albums.",
        examples: """
            edithost album folder create 2024
            edithost album folder put Summer Autumn --folder 2024
            """,
        subcommands: [
            CreateFolderCommand.self, RenameFolderCommand.self, DeleteFolderCommand.self,
            PutInFolderCommand.self,
        ])
}

/// `edithost album folder create`
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

/// `edithost album folder rename`
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

/// `edithost album folder delete`
struct DeleteFolderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: """
            Delete folders with all albums and folders in them. Photographs stay in the library.
            """,
        discussion: "Several folders are one change: all or none are deleted.",
        examples: """
            edithost album folder delete 2024
            """)

    @Argument(help: ArgumentHelp("The folders.", valueName: "folder"), completion: .folder)
    var folders: [String]

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let lists = try folders.map { try library.collectionList(named: $0) }
        try library.commit { try CollectionListChangeRequest.deleteCollectionLists(lists) }
        for list in lists {
            try general.output.print(
                ["id": .string(list.id)],
                "\(ShortIdentifier.of(list.id))  deleted  \(list.title)")
        }
    }
}

/// `edithost album folder put`
struct PutInFolderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Move albums and folders to the end of a folder.",
        discussion: "Several are one change: all or none are moved.",
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
