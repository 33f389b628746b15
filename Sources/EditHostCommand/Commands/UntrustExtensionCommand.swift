// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// The command `edithost extensions untrust`.
struct UntrustExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "untrust",
        abstract: "Stop trusting an extension.",
        discussion: """
            The extension can still be used, but runs in its own process, which receives only \
            pixels.
            """,
        examples: """
            edithost extensions untrust brightness
            """)

    @OptionGroup var chosen: ExtensionArgument
    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        try await chosen.change(general, outcome: "is no longer trusted") {
            try $0.withdrawTrust(fromExtensionNamed: $1)
        }
    }
}
