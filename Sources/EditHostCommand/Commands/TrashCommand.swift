// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost trash`.
struct TrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash",
        abstract: "List, restore and remove deleted photos.",
        discussion: """
            "delete" moves photos to the trash. They keep their edits, keywords, albums and all \
            other properties, but no other command finds them. The first prune after \
            \(TrashPeriod.days) days removes them from the library. Importing the \
            same file by its name restores its photo.
            """,
        examples: """
            edithost trash list
            edithost trash restore 3f2a
            edithost trash empty --older-than 7
            """,
        subcommands: [
            ListTrashCommand.self, RestoreTrashCommand.self, EmptyTrashCommand.self,
        ])
}
