// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// `edithost extensions forbid-original`
struct ForbidOriginalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forbid-original",
        abstract: "Forbid an extension from reading originals.",
        discussion: "A trusted extension can still read them.",
        examples: """
            edithost extensions forbid-original developer
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension: its identifier, or its last part if that is unique.",
            valueName: "extension"),
        completion: .installedExtension)
    var name: String

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        try await general.withHost { host in
            let identifier = try host.forbidOriginals(toExtensionNamed: name)
            try general.output.print(
                ["identifier": identifier],
                "\(identifier) may no longer read originals")
        }
    }
}
