// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// The command `edithost extensions allow-original`.
struct AllowOriginalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow-original",
        abstract: "Allow an extension to read originals.",
        discussion: """
            An untrusted extension receives only pixels. If its manifest contains readsOriginal, \
            for example because the extension develops RAW files, you can allow it to read a copy \
            of the original file, under its name, in its sandbox. Like trust, this applies to the \
            current build only.
            """,
        examples: """
            edithost extensions allow-original developer
            """)

    @OptionGroup var chosen: ExtensionArgument
    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        try await chosen.change(general, outcome: "may read originals") {
            try $0.allowOriginals(toExtensionNamed: $1).identifier
        }
    }
}
