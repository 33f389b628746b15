// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation

/// `edithost extensions install`
struct InstallExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Install an extension into your own extension folder.",
        discussion: """
            The manifest is checked, and the library is loaded once in a separate sandboxed \
            process. An extension is not installed if it cannot be used, if its code lacks a \
            parameter declared in its manifest, or if another one with its identifier would shadow it. \
            Unknown manifest keys are ignored with a warning. Only regular files and folders are \
            copied; anything else is refused.
            """,
        examples: """
            edithost extensions install Brightness.editingextension
            edithost extensions install --replace Brightness.editingextension
            """)

    @Argument(
        help: ArgumentHelp("A folder named Name.editingextension.", valueName: "path"),
        completion: .directory)
    var path: String

    @Flag(help: "Replace an installed extension with the same identifier.")
    var replace = false

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let folder = HostConfiguration.userExtensionFolder(
            environment: ProcessInfo.processInfo.environment)
        let installed = try await general.withHost(interruption: Interruption()) { host in
            try await host.install(path, into: folder, replacing: replace)
        }
        try general.output.print(
            installed.row(reason: installed.reason),
            "installed \(installed.identifier) in \(installed.path)")
    }
}
