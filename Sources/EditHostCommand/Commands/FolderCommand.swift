// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// `edithost album folder`
struct FolderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "folder",
        abstract: "Make and change the folders that albums lie in.",
        subcommands: [
            CreateFolderCommand.self, RenameFolderCommand.self, DeleteFolderCommand.self,
            PutInFolderCommand.self,
        ])
}
