// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost album cover`.
struct CoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cover",
        abstract: "Choose the cover of an album (default: its first photo).",
        examples: """
            edithost album cover Summer 3f2a
            edithost album cover Summer  # its first photo
            """)

    @OptionGroup var album: AlbumArgument

    @Argument(
        help: ArgumentHelp(
            "The photo's identifier, or a unique prefix of it; it must be in the album.",
            valueName: "id"),
        completion: .asset)
    var id: String?

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let cover = try id.map { try library.asset(named: $0) }
        try album.change(in: library, general) { try $0.setKeyAsset(cover) }
    }
}
