// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// `edithost redo`
struct RedoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Do an edit again that was undone.",
        discussion: "A new edit discards what was undone.",
        examples: """
            edithost redo 3f2a
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
            try await Interruption().run { try await host.redo(identifier, in: library) }
        }
        try general.output.print(move, unmoved: "nothing to redo: no edit has been undone")
    }
}
