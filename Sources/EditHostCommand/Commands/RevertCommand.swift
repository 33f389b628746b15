// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// `edithost revert`
struct RevertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert",
        abstract: "Go back to the originals.",
        discussion: """
            Several photographs are one change: all are reverted, or none. The edits can be done \
            again with redo until the next edit.
            """,
        examples: """
            edithost revert 3f2a
            edithost revert 3f2a 9c41
            """)

    @Argument(
        help: ArgumentHelp(
            "The assets' identifiers, or unique beginnings of them.", valueName: "id"),
        completion: .asset)
    var ids: [String]

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let identifiers = try library.identifiers(named: ids)
        let moves = try await general.withHost { try await $0.revert(identifiers, in: library) }
        for move in moves {
            try general.output.print(move, unmoved: "nothing to revert: this is the original")
        }
    }
}
