// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// `edithost extensions untrust`
struct UntrustExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "untrust",
        abstract: "Take back your trust in an extension.",
        discussion: "It can be used still, in a process of its own that sees nothing but pixels.",
        examples: """
            edithost extensions untrust brightness
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension: its identifier, or the unique last part of it.",
            valueName: "extension"),
        completion: .installedExtension)
    var name: String

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        try await general.withHost { host in
            let identifier = try host.withdrawTrust(fromExtensionNamed: name)
            try general.output.print(
                ["identifier": .string(identifier)], "\(identifier) is not trusted any more")
        }
    }
}
