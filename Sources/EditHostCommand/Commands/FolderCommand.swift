// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command `edithost album folder`.
struct FolderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "folder",
        abstract: "Create and change folders of albums.",
        examples: """
            edithost album folder create 2024
            edithost album folder put Summer Autumn --folder 2024
            """,
        subcommands: [
            CreateFolderCommand.self, RenameFolderCommand.self, DeleteFolderCommand.self,
            PutInFolderCommand.self,
        ])
}
