// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost album rename`.
struct RenameAlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename an album.",
        examples: """
            edithost album rename Summer "Summer 2024"
            """)

    @OptionGroup var album: AlbumArgument

    @Argument(help: ArgumentHelp("The new title.", valueName: "title"))
    var title: String

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        try album.change(in: library, general, "renamed") { $0.title = title }
    }
}
