// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// The command `edithost extensions trust`.
struct TrustExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Trust an extension.",
        discussion: """
            A trusted extension shares a process and a pipeline with others, which is faster, and \
            reads and writes files itself. It is still sandboxed, but if the system lacks a layer \
            of the sandbox, it runs with a warning, while untrusted extensions are rejected. \
            Trust applies to the current build, identified by the SHA-256 of its manifest, library \
            and hashedFiles; another build must be trusted again.
            """,
        examples: """
            edithost extensions trust brightness
            """)

    @OptionGroup var chosen: ExtensionArgument
    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        try await chosen.change(general, outcome: "is trusted") {
            try $0.trust(extensionNamed: $1).identifier
        }
    }
}
