// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// The command `edithost extensions forbid-original`.
struct ForbidOriginalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forbid-original",
        abstract: "Forbid an extension from reading originals.",
        discussion: "A trusted extension can still read them.",
        examples: """
            edithost extensions forbid-original developer
            """)

    @OptionGroup var chosen: ExtensionArgument
    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        try await chosen.change(general, outcome: "may no longer read originals") {
            try $0.forbidOriginals(toExtensionNamed: $1)
        }
    }
}
