// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation
import JSONOutput

/// The command `edithost extensions remove`.
struct RemoveExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an extension from your own extension folder.",
        discussion: """
            Photos edited with it keep their pictures, but those edits cannot be changed or \
            rendered again until it is installed again.
            """,
        examples: """
            edithost extensions remove brightness
            """)

    @OptionGroup var chosen: ExtensionArgument
    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let folder = HostConfiguration.userExtensionFolder(
            environment: ProcessInfo.processInfo.environment)
        let removed = try await general.withHost { host in
            try host.removeExtension(named: chosen.name, from: folder)
        }
        for removed in removed {
            try general.output.print(
                removed.row(reason: nil),
                "removed \(removed.identifier) from \(removed.path)")
        }
    }
}
