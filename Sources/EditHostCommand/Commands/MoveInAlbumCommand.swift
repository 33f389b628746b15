// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// `edithost album move`
struct MoveInAlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Put photographs of an album somewhere else in it, in the order named.",
        examples: """
            edithost album move Summer 3f2a 9c41 --to-start
            edithost album move Summer 3f2a --before 9c41
            """)

    @Argument(help: ArgumentHelp("The album.", valueName: "album"), completion: .album)
    var album: String

    @Argument(
        help: ArgumentHelp(
            "The assets' identifiers, or unique beginnings of them.", valueName: "id"),
        completion: .asset)
    var ids: [String]

    @Option(
        help: ArgumentHelp("Directly before this photograph.", valueName: "id"),
        completion: .asset)
    var before: String?

    @Option(
        help: ArgumentHelp("Directly after this photograph.", valueName: "id"),
        completion: .asset)
    var after: String?

    @Flag(help: "Before all others.")
    var toStart = false

    @Flag(help: "After all others.")
    var toEnd = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        guard [before != nil, after != nil, toStart, toEnd].filter({ $0 }).count == 1 else {
            throw ValidationError("Say one of --before, --after, --to-start and --to-end.")
        }
    }

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let collection = try library.assetCollection(named: album)
        let moved = try library.identifiers(named: ids)
            .map { try library.asset(withLocalIdentifier: $0) }
        let position = try position(in: library)
        try library.commit {
            try AssetCollectionChangeRequest(for: collection).moveAssets(moved, to: position)
        }
        try general.printCollection(collection.localIdentifier, in: library, "has")
    }

    private func position(in library: PhotoLibrary) throws -> AlbumPosition {
        if let before { return .before(try library.asset(withIdentifierPrefix: before)) }
        if let after { return .after(try library.asset(withIdentifierPrefix: after)) }
        return toStart ? .start : .end
    }
}
