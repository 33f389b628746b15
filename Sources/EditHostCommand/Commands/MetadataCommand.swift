// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command `edithost metadata`.
struct MetadataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metadata",
        abstract: "Write metadata beside referenced originals.",
        examples: """
            edithost metadata write --all
            """,
        subcommands: [WriteMetadataCommand.self])
}
