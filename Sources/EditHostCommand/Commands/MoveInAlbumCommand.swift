// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost album move`.
struct MoveInAlbumCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Reorder photos in an album, in the order given.",
        discussion: """
            Photos selected by filters are moved in the order of --sort. Without it, they are \
            moved in the album's own order with --album, and otherwise by date. All of them must \
            be in the album.
            """,
        examples: """
            edithost album move Summer 3f2a 9c41 --to-start
            edithost album move Summer 3f2a --before 9c41
            edithost album move Summer --album Summer --rating 5 --to-start
            """)

    @OptionGroup var album: AlbumArgument

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions

    @Option(
        help: ArgumentHelp("Move them before this photo.", valueName: "id"),
        completion: .asset)
    var before: String?

    @Option(
        help: ArgumentHelp("Move them after this photo.", valueName: "id"),
        completion: .asset)
    var after: String?

    @Flag(help: "Move them to the start.")
    var toStart = false

    @Flag(help: "Move them to the end.")
    var toEnd = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        try assets.validate()
        guard [before != nil, after != nil, toStart, toEnd].filter({ $0 }).count == 1 else {
            throw ValidationError(
                "Give exactly one of --before, --after, --to-start and "
                    + "--to-end.")
        }
    }

    func run() async throws {
        let names = try assets.names
        let library = try libraryOptions.open(for: .changing)
        let moved = try await assets.assets(in: library, named: names, general)
        let position = try position(in: library)
        try album.change(in: library, general) { try $0.moveAssets(moved, to: position) }
    }

    private func position(in library: PhotoLibrary) throws -> AlbumPosition {
        if let before { return .before(try library.asset(named: before)) }
        if let after { return .after(try library.asset(named: after)) }
        return toStart ? .start : .end
    }
}
