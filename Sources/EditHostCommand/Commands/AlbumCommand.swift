// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// `edithost album`
struct AlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "album",
        abstract: "List, make and change albums, and the folders they lie in.",
        discussion: """
            An album is named by its title, where no other has it, by its identifier or by a unique \
            beginning of that. Smart albums, which nobody fills, are named \
            \(AssetCollection.smartAlbumNames.joined(separator: ", ")). A folder is named as \
            an album is. Photographs stay in the library, whatever becomes of an album.
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
