// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation

/// `edithost extensions install`
struct InstallExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Copy an extension into your own extension folder.",
        discussion: """
            Its manifest is checked, and its library is loaded once in a process of its own; an \
            extension that cannot be used, or that another of its identifier would shadow, is not \
            installed. Only regular files and folders are copied; anything else is refused.
            """,
        examples: """
            edithost extensions install Brightness.editingextension
            edithost extensions install --replace Brightness.editingextension
            """)

    @Argument(
        help: ArgumentHelp("A folder named Name.editingextension.", valueName: "path"),
        completion: .directory)
    var path: String

    @Flag(help: "Replace an extension of this identifier that is there.")
    var replace = false

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let folder = HostConfiguration.userExtensionFolder(
            environment: ProcessInfo.processInfo.environment)
        let installed = try await general.withHost { host in
            try await Interruption().run {
                try await host.install(path, into: folder, replacing: replace)
            }
        }
        try general.output.print(
            .object(installed.jsonMembers(reason: installed.reason)),
            "installed \(installed.identifier) in \(installed.path)")
    }
}
