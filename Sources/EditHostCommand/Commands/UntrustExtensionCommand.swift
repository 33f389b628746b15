// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// `edithost extensions untrust`
struct UntrustExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "untrust",
        abstract: "Stop trusting an extension.",
        discussion: """
            The extension can still be used, but runs in its own process, which sees only pixels.
            """,
        examples: """
            edithost extensions untrust brightness
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
            let identifier = try host.withdrawTrust(fromExtensionNamed: name)
            try general.output.print(
                ["identifier": identifier], "\(identifier) is no longer trusted")
        }
    }
}
