// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost album show`.
struct ShowAlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "List the photos of an album, in its order.",
        discussion: "This is short for list --album, which can also sort and filter.",
        examples: """
            edithost album show Summer
            edithost album show favorites
            """)

    @OptionGroup var album: AlbumArgument

    @Flag(help: "Include hidden photos.")
    var hidden = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        let collection = try library.assetCollection(named: album.name)
        var options = FetchOptions()
        options.includeHiddenAssets = hidden
        let assets = try Asset.fetchAssets(in: collection, library: library, options: options)
        try ListCommand.printAll(assets, to: general.output)
    }
}
