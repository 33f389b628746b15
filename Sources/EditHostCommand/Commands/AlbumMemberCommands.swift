// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// `edithost album add`
struct AddToAlbumCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add photographs to the end of an album.",
        discussion: """
            Photographs already in the album keep their places. Several photographs are one \
            change: all or none are added.
            """,
        examples: """
            edithost album add Summer 3f2a 9c41
            edithost album add Summer --text beach --sort date
            """)

    @Argument(help: ArgumentHelp("The album.", valueName: "album"), completion: .album)
    var into: String

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let collection = try library.assetCollection(named: into)
        let photographs = try assets.references(in: library)
        try library.commit {
            try AssetCollectionChangeRequest(for: collection).addAssets(photographs)
        }
        try general.printCollection(collection.localIdentifier, in: library)
    }
}

/// `edithost album remove`
struct RemoveFromAlbumCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove photographs from an album. They stay in the library.",
        discussion: "Several photographs are one change: all or none are removed.",
        examples: """
            edithost album remove Summer 3f2a
            """)

    @Argument(help: ArgumentHelp("The album.", valueName: "album"), completion: .album)
    var from: String

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let collection = try library.assetCollection(named: from)
        let photographs = try assets.references(in: library)
        try library.commit {
            try AssetCollectionChangeRequest(for: collection).removeAssets(photographs)
        }
        try general.printCollection(collection.localIdentifier, in: library)
    }
}

/// `edithost album move`
struct MoveInAlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Reorder photographs in an album, in the order given.",
        examples: """
            edithost album move Summer 3f2a 9c41 --to-start
            edithost album move Summer 3f2a --before 9c41
            """)

    @Argument(help: ArgumentHelp("The album.", valueName: "album"), completion: .album)
    var album: String

    @Argument(
        help: ArgumentHelp(
            "Identifiers of photographs, or unique prefixes of them; - reads them from "
                + "standard input, the first word of each line.", valueName: "id"),
        completion: .asset)
    var ids: [String]

    @Option(
        help: ArgumentHelp("Move them before this photograph.", valueName: "id"),
        completion: .asset)
    var before: String?

    @Option(
        help: ArgumentHelp("Move them after this photograph.", valueName: "id"),
        completion: .asset)
    var after: String?

    @Flag(help: "Move them to the start.")
    var toStart = false

    @Flag(help: "Move them to the end.")
    var toEnd = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        guard [before != nil, after != nil, toStart, toEnd].filter({ $0 }).count == 1 else {
            throw ValidationError(
                "Give exactly one of --before, --after, --to-start and "
                    + "--to-end.")
        }
    }

    func run() async throws {
        let names = try StandardInput.filling(ids)
        let library = try libraryOptions.open(for: .changing)
        let collection = try library.assetCollection(named: album)
        let moved = try library.assets(named: names)
        let position = try position(in: library)
        try library.commit {
            try AssetCollectionChangeRequest(for: collection).moveAssets(moved, to: position)
        }
        try general.printCollection(collection.localIdentifier, in: library)
    }

    private func position(in library: PhotoLibrary) throws -> AlbumPosition {
        if let before { return .before(try library.asset(named: before)) }
        if let after { return .after(try library.asset(named: after)) }
        return toStart ? .start : .end
    }
}

/// `edithost album cover`
struct CoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cover",
        abstract: "Choose the cover of an album; without an id, its first photograph.",
        examples: """
            edithost album cover Summer 3f2a
            edithost album cover Summer  # its first photograph
            """)

    @Argument(help: ArgumentHelp("The album.", valueName: "album"), completion: .album)
    var album: String

    @Argument(
        help: ArgumentHelp(
            "The photograph's identifier, or a unique prefix of it; it must be in the album.",
            valueName: "id"),
        completion: .asset)
    var id: String?

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let collection = try library.assetCollection(named: album)
        let cover = try id.map { try library.asset(named: $0) }
        try library.commit {
            try AssetCollectionChangeRequest(for: collection).setKeyAsset(cover)
        }
        try general.printCollection(collection.localIdentifier, in: library)
    }
}
