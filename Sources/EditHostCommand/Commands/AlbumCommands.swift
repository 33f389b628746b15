// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// `edithost album`
struct AlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "album",
        abstract: "List, create and change albums and folders of albums.",
        discussion: """
            Name an album by its title if that is unique, by its identifier, or by a unique \
            prefix of the identifier. The smart albums, which fill themselves, are \
            \(AssetCollection.smartAlbumNames.joined(separator: ", ")). Folders are named in the \
            same way. Changes to albums never remove photographs from the library.
            """,
        examples: """
            edithost album create Summer
            edithost album add Summer --since 2024-06-01 --until 2024-08-31
            edithost album show Summer
            """,
        subcommands: [
            ListAlbumsCommand.self, ShowAlbumCommand.self, CreateAlbumCommand.self,
            RenameAlbumCommand.self, DeleteAlbumCommand.self, AddToAlbumCommand.self,
            RemoveFromAlbumCommand.self, MoveInAlbumCommand.self, CoverCommand.self,
            FolderCommand.self,
        ])
}

/// `edithost album list`
struct ListAlbumsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List albums and folders in their order, each folder before its contents.",
        examples: """
            edithost album list --tree
            edithost album list --smart
            """)

    @Flag(help: "Indent the contents of folders.")
    var tree = false

    @Flag(help: "List smart albums instead.")
    var smart = false

    @Flag(
        help: """
            List moments instead: photographs taken on the same day at the same place, oldest \
            first.
            """)
    var moments = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        if [tree, smart, moments].filter({ $0 }).count > 1 {
            throw ValidationError("Use only one of --tree, --smart and --moments.")
        }
    }

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        let output = general.output
        let entries = try entries(in: library)
        for entry in entries { try output.printJSON(.object(entry.collection.jsonMembers)) }
        if entries.isEmpty {
            try output.printText([moments ? "no moments" : "no albums"])
        } else {
            try output.printText(table(of: entries))
        }
    }

    private struct Entry {
        let collection: PhotoCollection
        var depth = 0
    }

    private func entries(in library: PhotoLibrary) throws -> [Entry] {
        if smart || moments {
            let found = try AssetCollection.fetchAssetCollections(
                with: smart ? .smartAlbum : .moment, in: library)
            return found.map { Entry(collection: .assetCollection($0)) }
        }
        var entries: [Entry] = []
        // The entries to list, in reverse order. An explicit stack avoids recursion, since folders can be
        // nested arbitrarily deep.
        var waiting = try inside(CollectionList.fetchTopLevelUserCollections(in: library), depth: 0)
        while let entry = waiting.popLast() {
            entries.append(entry)
            guard case .collectionList(let folder) = entry.collection else { continue }
            waiting += try inside(
                CollectionList.fetchCollections(in: folder, library: library),
                depth: entry.depth + 1)
        }
        return entries
    }

    /// Returns the contents of a folder in reverse order.
    private func inside(
        _ collections: FetchResult<PhotoCollection>, depth: Int
    ) throws -> [Entry] {
        var entries: [Entry] = []
        try collections.enumerateObjects { collection, _ in
            entries.append(Entry(collection: collection, depth: depth))
        }
        return entries.reversed()
    }

    /// The maximum indentation level.
    private static let maximumDepth = 50

    private func table(of entries: [Entry]) -> [String] {
        if tree {
            return entries.map { entry in
                String(repeating: "    ", count: min(entry.depth, Self.maximumDepth))
                    + entry.collection.treeText
            }
        }
        var table = TextTable(["id", "kind", "photographs", "title"], rightColumns: [2])
        let all = entries.map(\.collection)
        let isUser = !smart && !moments
        let identifiers =
            isUser ? ShortIdentifier.all(of: all.map(\.id)) : all.map(\.listedIdentifier)
        for (collection, identifier) in zip(all, identifiers) {
            table.add([
                identifier, collection.kindName, collection.assetCount.map(String.init) ?? "-",
                collection.title,
            ])
        }
        return table.lines
    }
}

/// `edithost album show`
struct ShowAlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "List the photographs of an album, in its order.",
        discussion: "Short for list --album, which can also sort and filter.",
        examples: """
            edithost album show Summer
            edithost album show favorites
            """)

    @Argument(help: ArgumentHelp("The album.", valueName: "album"), completion: .album)
    var album: String

    @Flag(help: "Include hidden photographs.")
    var hidden = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        let collection = try library.assetCollection(named: album)
        var options = FetchOptions()
        options.includeHiddenAssets = hidden
        let assets = try Asset.fetchAssets(in: collection, library: library, options: options)
        try ListCommand.printAll(assets, to: general.output)
    }
}

/// `edithost album create`
struct CreateAlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create an empty album.",
        discussion: "Several albums may have the same title; their identifiers differ.",
        examples: """
            edithost album create Summer
            edithost album create "North Sea" --folder 2024
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
            made = try AssetCollectionChangeRequest(creatingWithTitle: title, in: list)
                .placeholderForCreatedAssetCollection
        }
        if let made { try general.printCollection(made.localIdentifier, in: library, "created") }
    }
}

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

/// `edithost album delete`
struct DeleteAlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete albums. Their photographs stay in the library.",
        discussion: "Several albums are one change: all or none are deleted.",
        examples: """
            edithost album delete Summer
            """)

    @Argument(help: ArgumentHelp("The albums.", valueName: "album"), completion: .album)
    var albums: [String]

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let collections = try albums.map { try library.assetCollection(named: $0) }
        try library.commit {
            try AssetCollectionChangeRequest.deleteAssetCollections(collections)
        }
        for collection in collections {
            try general.output.print(
                ["id": .string(collection.id)],
                "\(ShortIdentifier.of(collection.id))  deleted  \(collection.title)")
        }
    }
}
