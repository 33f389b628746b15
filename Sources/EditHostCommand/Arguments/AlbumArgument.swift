// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The argument of a command on one album.
struct AlbumArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The album.", valueName: "album"), completion: .album)
    var name: String

    /// Changes the album, and prints it.
    ///
    /// - Parameter verb: The change as a participle; `nil` if the contents are changed.
    func change(
        in library: PhotoLibrary, _ general: GeneralOptions, _ verb: String? = nil,
        _ body: (AssetCollectionChangeRequest) throws -> Void
    ) throws {
        let collection = try library.assetCollection(named: name)
        try library.commit { try body(AssetCollectionChangeRequest(for: collection)) }
        try general.printCollection(collection.localIdentifier, in: library, verb)
    }
}
