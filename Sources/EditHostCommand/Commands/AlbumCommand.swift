// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost album`.
struct AlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "album",
        abstract: "List, create and change albums and folders of albums.",
        discussion: """
            Name an album by its title if that is unique, by its identifier, or by a unique \
            prefix of the identifier. The smart albums, whose contents are determined \
            automatically, are \(AssetCollection.smartAlbumNames.joined(separator: ", ")). Folders \
            are named in the same way. Changes to albums never remove photos from the library.
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
