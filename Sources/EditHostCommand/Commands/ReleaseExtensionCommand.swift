// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// The command `edithost extensions quarantine release`.
struct ReleaseExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Allow a quarantined extension to run again.",
        examples: """
            edithost extensions quarantine release brightness
            """)

    @OptionGroup var chosen: ExtensionArgument
    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let released = try await general.withHost { try $0.quarantine.release(chosen.name) }
        for entry in released {
            try general.output.print(
                ["identifier": entry.identifier], "released \(entry.identifier)")
        }
    }
}
