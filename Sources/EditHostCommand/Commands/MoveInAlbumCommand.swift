// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost album move`.
struct MoveInAlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Reorder photos in an album, in the order given.",
        examples: """
            edithost album move Summer 3f2a 9c41 --to-start
            edithost album move Summer 3f2a --before 9c41
            """)

    @OptionGroup var album: AlbumArgument

    @OptionGroup var photographs: ChangedAssets

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
        guard [before != nil, after != nil, toStart, toEnd].filter({ $0 }).count == 1 else {
            throw ValidationError(
                "Give exactly one of --before, --after, --to-start and "
                    + "--to-end.")
        }
    }

    func run() async throws {
        let names = try photographs.names
        let library = try libraryOptions.open(for: .changing)
        let moved = try library.assets(named: names)
        let position = try position(in: library)
        try album.change(in: library, general) { try $0.moveAssets(moved, to: position) }
    }

    private func position(in library: PhotoLibrary) throws -> AlbumPosition {
        if let before { return .before(try library.asset(named: before)) }
        if let after { return .after(try library.asset(named: after)) }
        return toStart ? .start : .end
    }
}
