// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// `edithost undo`
struct UndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take back the last edit of a photograph.",
        discussion: "It can be done again with redo until the next edit.",
        examples: """
            edithost undo 3f2a
            """)

    @Argument(
        help: ArgumentHelp(
            "The asset's identifier, or a unique beginning of it.", valueName: "id"),
        completion: .asset)
    var id: String

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let identifier = try library.asset(withIdentifierPrefix: id).localIdentifier
        let move = try await general.withHost { host in
            try await Interruption().run { try await host.undo(identifier, in: library) }
        }
        try general.output.print(move, unmoved: "nothing to undo: this is the original")
    }
}
