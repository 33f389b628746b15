// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation

/// `edithost extensions`
struct ExtensionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extensions",
        abstract: "List, install, remove, upgrade and trust extensions.",
        discussion: """
            Extensions are folders named Name.editingextension. The search order is the folder \
            extensions next to the program, the folders of EDITHOST_EXTENSION_PATH (separated by \
            colons), $XDG_DATA_HOME/edithost/extensions, and the system's folders. Of several \
            with the same identifier, the first is used.
            """,
        examples: """
            edithost extensions list
            edithost extensions show croprotate
            edithost extensions install Brightness.editingextension
            """,
        subcommands: [
            ListExtensionsCommand.self, ShowExtensionCommand.self, InstallExtensionCommand.self,
            RemoveExtensionCommand.self, ReplaceExtensionCommand.self,
            UpgradeExtensionCommand.self, ExtensionUsageCommand.self, TrustExtensionCommand.self,
            UntrustExtensionCommand.self, AllowOriginalCommand.self,
            ForbidOriginalCommand.self, QuarantineCommand.self, ExtensionManifestCommand.self,
            NewExtensionCommand.self,
        ])
}

/// `edithost extensions install`
struct InstallExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Install an extension into your own extension folder.",
        discussion: """
            The manifest is checked, and the library is loaded once in a sandboxed process of its \
            own. An extension is not installed if it cannot be used, if its code lacks a \
            parameter of its manifest, or if another one with its identifier would shadow it. \
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

/// `edithost extensions remove`
struct RemoveExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an extension from your own extension folder.",
        discussion: """
            Photographs edited with it keep their pictures, but those edits cannot be changed or \
            rendered again until it is installed again.
            """,
        examples: """
            edithost extensions remove brightness
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension: its identifier, or its last part if that is unique.",
            valueName: "extension"),
        completion: .installedExtension)
    var name: String

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let folder = HostConfiguration.userExtensionFolder(
            environment: ProcessInfo.processInfo.environment)
        let removed = try await general.withHost { host in
            try host.removeExtension(named: name, from: folder)
        }
        for removed in removed {
            try general.output.print(
                .object(removed.jsonMembers(reason: nil)),
                "removed \(removed.identifier) from \(removed.path)")
        }
    }
}
